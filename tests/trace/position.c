/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Once the trace is off, IA32_RTIT_OUTPUT_MASK_PTRS says where the next byte goes: entry of the table and offset in its
 * region. Everything before it has been written, and nothing after it; a trace that is turned on again continues there,
 * and after a region's last byte with the next region's first. It is never outside of a region.
 *
 * Bytes of a trace that happen to equal what was there before look as if they were missing: 16 of them are allowed. On
 * some CPUs the position has no lower bits.
 */
#include "harness/chapter/tracing.h"

#define ALIKE 16
#define BEGINNING 256

/* Everything up to the position is written, and beyond it at most what its missing lower bits cannot show. */
static void check_written(struct test *t, const struct tracing *tracing)
{
    u64 bytes = tracing_bytes(), written = trace_area_written(&tracing->area);
    check_range(t, "written-elsewhere", written, bytes < ALIKE ? 0 : bytes - ALIKE, bytes + tracing->untold,
                MSR_RTIT_OUTPUT_MASK_PTRS);
    check_range(t, "outside-region", trace_position().offset, 0, TRACE_REGION_BYTES, MSR_RTIT_OUTPUT_MASK_PTRS);
}

/* Begins in the middle of the first region, and does not change what is before that. */
static void check_beginning(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    write_msr(t, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_OFFSET(BEGINNING) | RTIT_PTRS_ONES);
    trace_once(TRACE_CONTROL);
    check_equal(t, "written-before", trace_area_touched(&tracing.area, BEGINNING), 0, MSR_RTIT_OUTPUT_MASK_PTRS);
    tracing_end(t);
}

static bool position(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    trace_once(TRACE_CONTROL);
    u64 bytes = tracing_bytes();
    check_true(t, "not-advanced", bytes, bytes, "a number of bytes", MSR_RTIT_OUTPUT_MASK_PTRS);
    check_written(t, &tracing);
    trace_once(TRACE_CONTROL);
    check_true(t, "not-further", tracing_bytes() > bytes, tracing_bytes(), "more than before",
               MSR_RTIT_OUTPUT_MASK_PTRS);
    check_written(t, &tracing);
    if (tracing.regions > 1) {
        bytes = trace_until(TRACE_REGION_BYTES + 1);
        check_true(t, "not-next-region", bytes > TRACE_REGION_BYTES, bytes, "a position in the second region",
                   MSR_RTIT_OUTPUT_MASK_PTRS);
        check_written(t, &tracing);
    }
    tracing_end(t);
    check_beginning(t);
    return more_samples(t);
}

TEST("trace.position", .title = "The position of a trace shows what has been written",
     .spec = "SDM 3C, IA32_RTIT_OUTPUT_MASK_PTRS MSR", .needs = NEEDS_VERSION(2), .scope = EACH_CPU,
     .prepare = need_trace, .repeat = position);
