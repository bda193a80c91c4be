/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a whole register shows at this moment, by the registers that decide it: a check of one of its bits compares all
 * others as well, so that nothing else can show there unnoticed, whatever the test asked. Judging code: from the
 * manual's sentences, independent of the reference PMU's. Pure.
 */
#pragma once

#include "kernel/register/msr.h"
#include "pmu/cpu/caps.h"

struct whole {
    u64 mask; /* the bits of which the manual says what they show */
    u64 want;
};

/* Bits of IA32_PERF_GLOBAL_STATUS that may be set, and those that must be (pmu/gate/gate.h). */
struct status_causes {
    u64 caused, kept;
};

/* Reads a register of the calling CPU: rdmsr_try(). */
typedef fault_t (*whole_reader)(u32 msr, u64 *value);
/*
 * False if the register is none of these, or if one that decides it cannot be read.
 */
bool whole_register(const struct pmu_caps *caps, u32 msr, const struct status_causes *causes, whole_reader read,
                    struct whole *whole);
