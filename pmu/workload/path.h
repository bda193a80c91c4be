/*
 * A block whose path a number chooses, for a trace: for each bit of it, from bit 0 up to the one below the highest that
 * is set, it takes one conditional branch or another way, and calls one function or another by a register.
 */
#pragma once

#include "pmu/gate/counted.h"

/*
 * Makes WRMSR(sw->msr, sw->on), goes the way, makes WRMSR(sw->msr, sw->off); `way` is not 0. Where there is `around`,
 * its first write is made before and its second one behind that, with one branch more between. CPL 0.
 */
void path_run(const struct switch_write *sw, u64 way, const struct switch_write *around);
/* The same way at CPL 3, for counted_user(). */
void path_user(u64 way);

/* Where its branches are, and where they go. */
struct path_code {
    u64 entry;            /* the first instruction behind the WRMSR, or at CPL 3 */
    u64 start;            /* of a turn, one a bit */
    u64 leave, left;      /* conditional: taken behind the last bit */
    u64 skip, skipped;    /* conditional: taken where the bit is clear */
    u64 call, called;     /* by a register, and what it returns to */
    u64 again;            /* jumps to the start */
    u64 clear, clear_ret; /* the function that is called where the bit is clear, and its return */
    u64 set, set_ret;     /* the one where it is set */
};
extern const struct path_code path_code, path_user_code;

struct path_branch {
    u64 from, to;
    bool conditional, taken;
    bool by_value; /* the code does not tell where it goes */
};
#define PATH_BITS 16 /* at most, below the highest one */
#define PATH_BRANCHES_PER_BIT 5
#define PATH_BRANCHES (PATH_BRANCHES_PER_BIT * PATH_BITS + 1)
/* All branches of that way that retire, in order; returns how many. Pure. */
u32 path_branches(const struct path_code *code, u64 way, struct path_branch list[PATH_BRANCHES]);
