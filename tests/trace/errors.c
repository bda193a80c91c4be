/*
 * A table that is not as it should be ends the trace before a byte is written: IA32_RTIT_STATUS.Error is set, and no
 * WRMSR faults. Wrong are an entry with a reserved bit, a table that does not begin on a page, a position behind its
 * region, and an END that asks for a PMI or a stop. A CPU that goes on instead writes to memory that nobody gave it.
 *
 * Each is tried with this CPU's own pages behind it. A table that begins with END is not: a CPU that overlooks it would
 * follow it forever.
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

/* It ends at once, and nothing is written. */
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

/* Met when the region in front of it is full, at the latest. */
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

TEST("trace.errors", .title = "A wrong table ends the trace with an error", .spec = "SDM 3C, ToPA Errors",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .prepare = need_trace, .run = errors);
