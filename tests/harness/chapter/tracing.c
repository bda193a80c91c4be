/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/tracing.h"
#include "kernel/text/text.h"
#include "pmu/area/trace_area.h"

#define TURNS 64
#define NEAR 512           /* bytes before the end of a region, which the following trace crosses in its middle */
#define NEAR_ALONE 1024    /* the same for a table's only region, whose PMI comes somewhat before the end */
#define BYTES_A_TURN 2     /* bytes of trace per turn of the loop, at least */
#define PAUSES 256         /* with one byte per branch more than two regions hold */
#define POSITION_FINEST 15 /* no position is known to be coarser than 16 bytes */
#define STUCK 8            /* pauses without progress after which the trace counts as stuck */

void need_trace(struct test *t)
{
    char text[TRACE_TEXT];
    const char *reason = trace_unavailable(t->caps, text);
    if (reason)
        skip(t, "%s", reason);
}

/* The bits that an offset at the table's beginning does not keep. */
static u64 offset_not_kept(struct test *t)
{
    write_msr(t, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_OFFSET(POSITION_FINEST) | RTIT_PTRS_ONES);
    u64 kept = trace_position().offset;
    write_msr(t, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_ONES);
    return POSITION_FINEST & ~kept;
}

struct tracing tracing_begin(struct test *t, u64 first, u64 last)
{
    struct tracing tracing = {.regions = trace_regions(t->caps)};
    bool memory;
    fault_t fault = trace_prepare(t->caps, first, last, &tracing.area, &memory);
    if (fault == FAULT_REFUSED)
        skip_refused(t);
    if (!memory)
        error(t, "no memory for the pages of a trace");
    if (fault)
        skip(t, "WRMSR of the registers of processor trace faults: locked");
    tracing.untold = offset_not_kept(t);
    return tracing;
}

void tracing_end(struct test *t)
{
    trace_off();
    write_msr(t, MSR_RTIT_STATUS, 0);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_TRACE_TOPA_PMI);
}

void tracing_blank(const struct tracing *tracing)
{
    memset(tracing->area.region, 0, tracing_room(tracing));
}

/* SDM 3C, "ToPA PMI and Single Output Region ToPA Implementation"; drivers assume 512 bytes. */
static u64 near(void)
{
    return trace_regions(pmu_caps()) == 1 ? NEAR_ALONE : NEAR;
}

void tracing_leave_little(struct test *t)
{
    write_msr(t, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_OFFSET(TRACE_REGION_BYTES - near()) | RTIT_PTRS_ONES);
}

u64 tracing_bytes(void)
{
    struct trace_position at = trace_position();
    return at.index * TRACE_REGION_BYTES + at.offset;
}

u64 tracing_room(const struct tracing *tracing)
{
    return tracing->regions * TRACE_REGION_BYTES;
}

static void trace_for(u64 control, unsigned turns)
{
    trace_on(control);
    trace_branches(turns);
    trace_off();
}

void trace_once(u64 control)
{
    trace_for(control, TURNS);
}

static bool ended(void)
{
    return rdmsr(MSR_RTIT_STATUS) & (RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED);
}

u64 trace_until(u64 bytes)
{
    u64 now = tracing_bytes(), before = now;
    for (unsigned n = 0, stuck = 0; n < PAUSES && stuck < STUCK && now < bytes && !ended(); n++) {
        trace_for(TRACE_CONTROL, now + near() >= bytes ? (unsigned)near() / BYTES_A_TURN : TURNS);
        now = tracing_bytes();
        stuck = now == before ? stuck + 1 : 0;
        before = now;
    }
    return now;
}

bool trace_stopped(struct test *t)
{
    return read_msr(t, MSR_RTIT_STATUS) & RTIT_STATUS_STOPPED;
}
