/*
 * Which access of a register each CPU is at: written to memory, past the caches, before the access is made, and taken
 * back after it. A reset in between leaves it there for the next start (kernel/cpu/previous.h). Only while a place for
 * it is set, since that costs two writes to memory an access.
 */
#pragma once

#include "boot/bits.h"

/* One for each CPU, each in a cache line of its own. The second half says whether the first is whole. */
struct msr_record {
    u64 what, inverted;
    u64 unused[6];
};
#define MSR_RECORD_MADE BIT(63)
#define MSR_RECORD_WRITE BIT(62)
#define MSR_RECORD_BLOCK BIT(61) /* a counted block that switches the counters by writes of this register */

/* From here on in `records`, one for each CPU by number; NULL: no more. */
void msr_record_to(struct msr_record *records);
/* A counted block begins: its own accesses are made where nothing else may run. */
void msr_record_block(u32 msr);
/* The code that made an access does not go on. */
void msr_record_forget(void);
