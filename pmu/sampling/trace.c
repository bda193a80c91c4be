/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/sampling/trace.h"
#include "kernel/register/instructions.h"
#include "pmu/area/trace_area.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"

void trace_put_region(const struct trace_area *area, unsigned n, u64 bits)
{
    area->table[n] = (u64)(area->region + n * TRACE_REGION_BYTES) | bits;
}

void trace_put_end(const struct trace_area *area, unsigned n, u64 bits)
{
    area->table[n] = (u64)area->table | TOPA_END | bits;
}

/* Whichever entry the pointers select, it names a region of ours or leads back to the first entry. */
static void make_table(const struct pmu_caps *caps, u64 first, u64 last, const struct trace_area *area)
{
    unsigned regions = trace_regions(caps);
    for (unsigned n = regions; n < TRACE_ENTRIES; n++)
        trace_put_end(area, n, 0);
    trace_put_region(area, 0, first);
    trace_put_region(area, regions - 1, (regions == 1 ? first : 0) | last | TOPA_STOP);
}

fault_t trace_prepare(const struct pmu_caps *caps, u64 first, u64 last, struct trace_area *area, bool *memory)
{
    fault_t fault;
    *memory = trace_area_get(area);
    if (!*memory)
        return NO_FAULT;
    trace_off();
    trace_area_fill(area);
    make_table(caps, first, last, area);
    mfence();
    fault = wrmsr_try(MSR_RTIT_OUTPUT_BASE, (u64)area->table);
    fault = fault ? fault : wrmsr_try(MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_ONES);
    return fault ? fault : wrmsr_try(MSR_RTIT_STATUS, 0);
}

void trace_on(u64 control)
{
    mfence();
    wrmsr(MSR_RTIT_CTL, control);
}

/*
 * Clearing TraceEn flushes buffered packets; after a fence all of them can be read. TraceEn is cleared alone at first:
 * KVM before Linux 6.14 refuses a write that also clears other bits while it is set.
 */
void trace_off(void)
{
    u64 control;
    if (rdmsr_try(MSR_RTIT_CTL, &control) == NO_FAULT &&
        (control & RTIT_CTL_TRACE_EN || own_written(gate_own(), MSR_RTIT_CTL))) {
        wrmsr_try(MSR_RTIT_CTL, control & ~RTIT_CTL_TRACE_EN);
        wrmsr_try(MSR_RTIT_CTL, 0); /* also ends a trace that the first write did not end */
    }
    mfence();
    lfence();
}

void trace_release(void)
{
    if (!own_written(gate_own(), MSR_RTIT_CTL))
        return;
    trace_off();
    wrmsr_try(MSR_RTIT_CTL, 0);
    wrmsr_try(MSR_RTIT_STATUS, 0);
}

struct trace_position trace_position(void)
{
    u64 pointers = rdmsr(MSR_RTIT_OUTPUT_MASK_PTRS);
    return (struct trace_position){.index = FIELD_GET(pointers, 31, 7), .offset = pointers >> 32};
}

static void nothing(void)
{
    __asm__ volatile("");
}

/* Calls through memory: only the trace shows where they go. */
void trace_branches(unsigned turns)
{
    void (*volatile call)(void) = nothing;
    for (volatile unsigned n = 0; n < turns; n++)
        call();
}
