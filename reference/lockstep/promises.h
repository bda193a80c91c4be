/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the manual promises of a value that is read, so that a CPU must show the model's: all of it, some bits, or
 * nothing once cycles have moved it. Pure.
 */
#pragma once

#include "reference/lockstep/code.h"
#include "reference/model/model.h"

#define WRITTEN_MOST 32

/* A register with partly promised bits: all of them are promised while nothing that could change it has retired. */
struct written {
    u32 msr;
    u32 moment;
    u64 value; /* its value at that moment */
};

struct promises {
    u64 info_kept; /* flags of a branch record that stay as they were written */
    u32 moment;    /* number of instructions that retired while something was counted or recorded */
    u32 count;
    struct written written[WRITTEN_MOST];
};

/* After a step has written its register: the model's value is the CPU's. */
void promises_written(struct promises *promises, struct model *model, const struct lockstep_step *step);
/* After a step has read its register: RDPMC may have cleared metrics and slots. */
void promises_read(struct promises *promises, struct model *model, const struct lockstep_step *step);
/*
 * The model shows `want` to a step that reads, the CPU `got`: is that as promised? Not either if the CPU's counter has
 * not moved while the model's has moved far.
 */
bool promises_keep(const struct promises *promises, const struct lockstep_step *step, u64 want, u64 got);
