/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses of this image to registers, answered without an exit. */
#pragma once

#include "hosting/monitor/vcpu.h"

void patch_cpu_resident(void); /* one more CPU runs on a shadow table */
void patch_cpu_leaves(void);   /* one no longer will: accesses are as they were. Nothing else runs on any CPU */
/* Called at the exit of such an access: if possible, it traps to the shadow table from now on. */
void patch_site(const struct vcpu *v, u64 rip, enum instruction_kind kind);
/* If the decoded INT n at `rip` stands for an access, makes it that access again. */
void patch_undo(struct instruction *i, u64 rip);
extern const u8 image_start[], rodata_start[]; /* this image's code is between them: boot/linker.ld */
static inline bool image_text(u64 rip)
{
    return rip >= (u64)image_start && rip < (u64)rodata_start;
}
