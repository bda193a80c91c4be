/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nehalem and Westmere: under certain circumstances a general-purpose counter counts core cycles, or nothing, instead
 * of its event (AAJ91, AAK100, AAP53, AAT43, BD53).
 */
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"

#define SEQUENCE_CONTROL (EVTSEL_EN | EVTSEL_OS | EVTSEL_USR)
#define SEQUENCE_COUNTERS 4

static const u8 sequence_events[SEQUENCE_COUNTERS] = {0xb5, 0xd2, 0xb1, 0xb1};

/* The sequence is running: its own writes to event selects must not start it again. */
static PER_CPU bool at_work;

struct overwritten {
    u64 select[SEQUENCE_COUNTERS], value[SEQUENCE_COUNTERS];
};

static bool stands_still(void)
{
    u64 sampling;
    return !rdmsr(MSR_PERF_GLOBAL_CTRL) && !(rdmsr_try(MSR_PEBS_ENABLE, &sampling) == NO_FAULT && sampling);
}

static bool read_all(const struct pmu_caps *caps, struct overwritten *found)
{
    for (unsigned n = 0; n < SEQUENCE_COUNTERS; n++) {
        found->select[n] = rdmsr(MSR_PERFEVTSEL(n));
        found->value[n] = rdmsr(MSR_PMC(n));
        if (!legacy_write_holds(caps->gp_width, found->value[n]))
            return false;
    }
    return true;
}

static void run_sequence(nehalem_write write)
{
    for (unsigned n = 0; n < SEQUENCE_COUNTERS; n++) {
        write(MSR_PERFEVTSEL(n), SEQUENCE_CONTROL | EVTSEL_EVENT(sequence_events[n]));
        write(MSR_PMC(n), 0);
    }
    write(MSR_PERF_GLOBAL_CTRL, MASK(SEQUENCE_COUNTERS - 1, 0));
    write(MSR_PERF_GLOBAL_CTRL, 0);
}

/* As everywhere, a counter is written only while its control is clear. */
static void put_back(const struct overwritten *found, nehalem_write write)
{
    for (unsigned n = 0; n < SEQUENCE_COUNTERS; n++) {
        write(MSR_PERFEVTSEL(n), 0);
        write(MSR_PMC(n), found->value[n]);
        if (found->select[n])
            write(MSR_PERFEVTSEL(n), found->select[n]);
    }
}

void nehalem_before_select(const struct pmu_caps *caps, u32 msr, u64 value, nehalem_write write)
{
    struct overwritten found;
    bool *working = &of_cpu(at_work, cpu_index());
    bool select = msr >= (u32)MSR_PERFEVTSEL(0) && msr < (u32)MSR_PERFEVTSEL(caps->gp_count);
    if (!select || !(value & EVTSEL_EN) || *working || !needs_select_sequence(caps))
        return;
    u64 rflags = interrupts_off();
    *working = true;
    if (stands_still() && read_all(caps, &found)) {
        run_sequence(write);
        put_back(&found, write);
    }
    *working = false;
    interrupts_restore(rflags);
}
