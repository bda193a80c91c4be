/*
 * What of a value that is read the manual promises, so that a CPU must show the model's: all of it, some bits, or
 * nothing once cycles have moved it. Pure.
 */
#pragma once

#include "pmu/reference/lockstep/code.h"
#include "pmu/reference/model/model.h"

#define WRITTEN_MOST 32

/* A register of which only part is promised, as it was written: until something retires that could move it. */
struct written {
    u32 msr;
    u32 moment;
    u64 value; /* that it had then */
};

struct promises {
    u64 info_kept; /* the flags of a branch record that stay as they were written */
    u32 moment;    /* how much has retired while something was counted or recorded */
    u32 count;
    struct written written[WRITTEN_MOST];
};

/* A step has written its register, and what the model has now is what the CPU has. */
void promises_written(struct promises *promises, struct model *model, const struct lockstep_step *step);
/* One has read; by RDPMC metrics may have been cleared, and slots with them. */
void promises_read(struct promises *promises, struct model *model, const struct lockstep_step *step);
/*
 * The model shows `want` to a step that reads, the CPU `got`: is that as promised? It is not either where the CPU's has
 * stood still while the model's has moved far.
 */
bool promises_keep(const struct promises *promises, const struct lockstep_step *step, u64 want, u64 got);
