/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A CPU made from recordings of real ones: for each PMU register, the bits that a WRMSR keeps, drops or faults on. It
 * replaces the accesses of kernel/register/msr.h, so that tests run on it as on silicon. Typed from published dumps of
 * VirtualBox's CPU database and the specification updates, independently of the reference PMU's profiles.
 */
#pragma once

#include "pmu/gate/gate.h"
#include "pmu/registers.h"

struct recorded_register {
    u32 first, count;
    u64 faults;  /* setting one of these bits is a #GP */
    u64 dropped; /* accepted, and not kept */
    u64 reads;   /* not 0: a fixed value for reads, whatever was written */
    enum { PLAIN, READ_ONLY, RESETS_STATUS, SETS_STATUS, LEGACY_COUNTER, FULL_COUNTER } kind;
};

#define RECORDED_REGISTERS 12
struct recorded_cpu {
    const char *name; /* of a row of cpu_dumps.h */
    struct recorded_register reg[RECORDED_REGISTERS];
};

/* Selects this CPU, with all registers 0 and the capabilities of its dump. */
const struct pmu_caps *recorded_use(const struct recorded_cpu *cpu);
