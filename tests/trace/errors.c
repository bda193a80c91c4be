/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An invalid table ends the trace before a byte is written: IA32_RTIT_STATUS.Error is set, and no WRMSR faults. Invalid
 * are an entry with a reserved bit set, a table that does not begin on a page, a position past its region, and an END
 * with INT or STOP. If the CPU traced on, it would write to memory that is not meant for it.
 *
 * Each is tried with addresses of this CPU's own pages. A table that begins with END is not tried: a CPU that overlooks
 * the error would follow it forever.
 */
#include "harness/chapter/tracing.h"

static const u64 reserved[] = {BIT(1), BIT(3), BIT(5), BIT(10), BIT(11)};

static bool ends_with_error(struct test *t)
{
    trace_once(TRACE_CONTROL);
    bool error = read_msr(t, MSR_RTIT_STATUS) & RTIT_STATUS_ERROR;
    write_msr(t, MSR_RTIT_STATUS, 0);
    return error;
}

/* The trace ends at once, and nothing is written. */
static void check_refused(struct test *t, const struct tracing *tracing, const char *label, u64 what)
{
    check_true(t, label, ends_with_error(t), what, "IA32_RTIT_STATUS[4]", MSR_RTIT_STATUS);
    check_equal(t, "written", trace_area_written(&tracing->area), 0, 0);
}

static void reserved_bits(struct test *t)
{
    for_each_row (reserved, bit) {
        struct tracing tracing = tracing_begin(t, *bit, 0);
        check_refused(t, &tracing, "reserved-bit", *bit);
    }
}

static void misplaced(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    write_msr(t, MSR_RTIT_OUTPUT_BASE, (u64)tracing.area.table | BIT(7));
    check_refused(t, &tracing, "misaligned-table", BIT(7));
    tracing = tracing_begin(t, 0, 0);
    write_msr(t, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_OFFSET(TRACE_REGION_BYTES) | RTIT_PTRS_ONES);
    check_refused(t, &tracing, "behind-region", TRACE_REGION_BYTES);
}

/* The CPU finds it when the region before it is full, at the latest. */
static void wrong_ends(struct test *t)
{
    static const u64 wrong[] = {TOPA_INT, TOPA_STOP};
    for_each_row (wrong, bits) {
        struct tracing tracing = tracing_begin(t, 0, 0);
        trace_put_region(&tracing.area, 0, 0);
        trace_put_end(&tracing.area, 1, *bits);
        trace_until(TRACE_REGION_BYTES);
        check_bits(t, "wrong-end", MSR_RTIT_STATUS, RTIT_STATUS_ERROR, RTIT_STATUS_ERROR);
        write_msr(t, MSR_RTIT_STATUS, 0);
    }
}

static void errors(struct test *t)
{
    reserved_bits(t);
    misplaced(t);
    wrong_ends(t);
    tracing_begin(t, 0, 0);
    trace_once(TRACE_CONTROL);
    check_true(t, "error-stays", tracing_bytes(), 0, "a trace, once the error is cleared", MSR_RTIT_STATUS);
    tracing_end(t);
}

TEST("trace.errors", .title = "An invalid table ends the trace with an error", .spec = "SDM 3C, ToPA Errors",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .prepare = need_trace, .run = errors);
