/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The register access that each CPU is executing: written to memory, past the caches, before the access, and removed
 * after it. If the machine resets in between, the next start finds it (kernel/cpu/previous.h). Done only while a place
 * for it is set, because it costs two memory writes per access.
 */
#pragma once

#include "boot/bits.h"

/* One per CPU, each in a cache line of its own. `inverted` shows whether `what` is complete. */
struct msr_record {
    u64 what, inverted;
    u64 unused[6];
};
#define MSR_RECORD_MADE BIT(63)
#define MSR_RECORD_WRITE BIT(62)
#define MSR_RECORD_BLOCK BIT(61) /* a counted block, which switches the counters by writing this register */

/* From here on accesses are recorded in `records`, one per CPU number; NULL: no more. */
void msr_record_to(struct msr_record *records);
/* A counted block begins: it makes its register accesses itself, as no other code may run in it. */
void msr_record_block(u32 msr);
/* The code that made an access was aborted. */
void msr_record_forget(void);
