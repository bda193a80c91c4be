/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A region whose entry has STOP ends the trace when it is full: IA32_RTIT_STATUS.Stopped is set, the position stays at
 * the region's end (at its last byte, or after it: the manual has had both), and nothing more is written, neither after
 * it nor by a trace that is turned on again while the bit is set. Software that wants to keep what led to a crash
 * relies on it.
 *
 * Some CPUs end the trace earlier (BDM49): then the bytes up to the region's end need not be written. A trace that
 * wrote nothing at all did not end early.
 */
#include "harness/chapter/tracing.h"

#define ALIKE 16 /* bytes of a trace that may happen to equal what was there before */

/* The position does not move, and nothing is written. */
static void check_at_rest(struct test *t, const struct tracing *tracing, u64 bytes)
{
    trace_area_fill(&tracing->area);
    trace_once(TRACE_CONTROL);
    check_equal(t, "went-on", tracing_bytes(), bytes, MSR_RTIT_OUTPUT_MASK_PTRS);
    check_equal(t, "wrote-on", trace_area_written(&tracing->area), 0, 0);
    check_bits(t, "stop-lost", MSR_RTIT_STATUS, RTIT_STATUS_STOPPED, RTIT_STATUS_STOPPED);
}

static bool stop(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    u64 room = tracing_room(&tracing), bytes = trace_until(room);
    u64 written = trace_area_written(&tracing.area);
    check_true(t, "outside", trace_area_kept_in(), 1, "the pages around table and regions unchanged", 0);
    if (check_bits(t, "not-stopped", MSR_RTIT_STATUS, RTIT_STATUS_STOPPED, RTIT_STATUS_STOPPED)) {
        check_range(about(t, bytes ? ASPECT_TRACE_WHOLE : 0), "stopped-elsewhere", bytes, room - 1 - tracing.untold,
                    room, MSR_RTIT_OUTPUT_MASK_PTRS);
        check_range(t, "written-elsewhere", written, bytes < ALIKE ? 0 : bytes - ALIKE, bytes + 1 + tracing.untold, 0);
        if (bytes <= room) /* from any other place the write gate allows no trace to begin */
            check_at_rest(t, &tracing, bytes);
    }
    tracing_end(t);
    return more_samples(t);
}

TEST("trace.stop", .title = "A full region with STOP ends the trace", .spec = "SDM 3C, ToPA STOP",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .prepare = need_trace, .repeat = stop);
