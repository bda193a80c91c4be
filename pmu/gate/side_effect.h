/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Side effects of accesses. While IA32_PERF_GLOBAL_CTRL is 0 no access changes the value of a counter but a write of
 * that counter, and none changes the overflow bits but a write of the registers that reset and set them: SDM 3B,
 * "Architectural Performance Monitoring Version 2". The gate sees each write: what a counter, or
 * IA32_PERF_GLOBAL_STATUS, holds once it was written is compared with what it holds right before counters are started,
 * except for the overflow bits of counters that were written, in which known CPUs differ. And a write that the CPU
 * refuses changes nothing, not even a control: SDM 2B, "WRMSR-Write to Model Specific Register". Version 1 and NetBurst
 * have no such register, so that their counters are not looked at.
 */
#pragma once

#include "boot/bits.h"

struct side_effect {
    u32 msr; /* the register that changed; 0: none has */
    u64 from, to;
    u32 written; /* what was written last before this was found */
    bool exact;  /* and that write did it, or a read after it; else something since the register was written */
};

/* The calling CPU is about to write `msr`; or to run a counted block, which starts counters by itself. */
void side_effect_before_write(u32 msr);
void side_effect_before_start(void);
/* The write that side_effect_before_write() was told of last was refused. */
void side_effect_after_refusal(u32 msr);
/* A refused write of `written` has changed a control. */
void side_effect_tell(u32 msr, u64 from, u64 to, u32 written);
/* From now on the calling CPU's registers are looked at. Before and after that none is read: one that never answers
 * would hang a CPU outside of any test. */
void side_effect_begin(void);
/* Until now. The first change since side_effect_begin(), or one of which is known what did it. */
struct side_effect side_effect_end(void);
/* Forgets what the calling CPU has written: its registers have been reset, or belong to another PMU now. */
void side_effect_forget(void);
