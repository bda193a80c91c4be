/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A block whose path is given by a number, for a trace. For each bit of the number below its highest set bit, starting
 * at bit 0, a conditional branch is taken or not, and one of two functions is called through a register.
 */
#pragma once

#include "pmu/gate/counted.h"

/*
 * Executes WRMSR(sw->msr, sw->on), the path, WRMSR(sw->msr, sw->off); `way` is not 0. If `around` is not NULL, its
 * first write is made before and its second one after that, with one more branch in between. CPL 0.
 */
void path_run(const struct switch_write *sw, u64 way, const struct switch_write *around);
/* The same path at CPL 3, for counted_user(). */
void path_user(u64 way);

/* The addresses of its branches and of their targets. */
struct path_code {
    u64 entry;            /* the first instruction after the WRMSR, or at CPL 3 */
    u64 start;            /* of a turn; one turn per bit */
    u64 leave, left;      /* conditional: taken after the last bit */
    u64 skip, skipped;    /* conditional: taken if the bit is clear */
    u64 call, called;     /* the call through a register, and its return address */
    u64 again;            /* jumps to the start */
    u64 clear, clear_ret; /* the function called if the bit is clear, and its return */
    u64 set, set_ret;     /* the function called if the bit is set, and its return */
};
extern const struct path_code path_code, path_user_code;

struct path_branch {
    u64 from, to;
    bool conditional, taken;
    bool by_value; /* indirect: the code does not show its target */
};
#define PATH_BITS 16 /* most bits below the highest set one */
#define PATH_BRANCHES_PER_BIT 5
#define PATH_BRANCHES (PATH_BRANCHES_PER_BIT * PATH_BITS + 1)
/* Lists all branches of that path that retire, in order; returns their number. Pure. */
u32 path_branches(const struct path_code *code, u64 way, struct path_branch list[PATH_BRANCHES]);
