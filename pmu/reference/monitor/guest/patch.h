/* Register accesses of this image that need no exit. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

void patch_cpu_resident(void); /* one CPU more runs on a shadow table */
/* From the exit of such an access: from now on it traps to the shadow table instead, if that is possible. */
void patch_site(const struct vcpu *v, u64 rip, enum instruction_kind kind);
/* Turns a decoded INT n at `rip` back into the access that it stands for, if it does. */
void patch_undo(struct instruction *i, u64 rip);
extern const u8 image_start[], rodata_start[]; /* this image's code is between them: boot/linker.ld */
static inline bool image_text(u64 rip)
{
    return rip >= (u64)image_start && rip < (u64)rodata_start;
}
