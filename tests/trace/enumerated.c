/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Leaf 14H says which bits of IA32_RTIT_CTL and which registers exist: each bit that it enumerates keeps a 1, each that
 * the manual defines and the leaf does not enumerate causes a general-protection fault, and the enumerated registers
 * can be read. Of fields of several bits it lists the values, each of which is kept; the others fault.
 *
 * No trace is on meanwhile. Reserved bits and values are tried only on classes that are known to fault on such. Where
 * sub-leaf 1 is all zeros although leaf 14H.0 names features whose values it lists, the two contradict each other: then
 * the number of values that each field takes is only measured. The test finds what firmware has switched off although
 * leaf 14H enumerates it.
 */
#include "harness/chapter/tracing.h"

#define SOME_PAGE 0x12345000
#define FIELD_VALUES 16u /* each field of several bits has four */

static void bits(struct test *t, u64 named, u64 absent)
{
    for (; named; named &= named - 1) {
        u64 bit = named & -named;
        fault_t fault = wrmsr_try(MSR_RTIT_CTL, bit);
        if (check_fault(t, "bit-faults", fault, NO_FAULT, MSR_RTIT_CTL))
            check_bits(t, "bit-lost", MSR_RTIT_CTL, bit, bit);
        write_msr(t, MSR_RTIT_CTL, 0);
    }
    for (; absent; absent &= absent - 1)
        if (!check_fault(t, "absent-bit", wrmsr_try(MSR_RTIT_CTL, absent & -absent), FAULT_GP, MSR_RTIT_CTL))
            write_msr(t, MSR_RTIT_CTL, 0);
}

/* How many values but 0 the field takes. */
static void measure_field(struct test *t, const struct trace_field *field)
{
    u64 step = field->bits & -field->bits;
    unsigned taken = 0;
    for (unsigned n = 1; n < FIELD_VALUES; n++) {
        taken += wrmsr_try(MSR_RTIT_CTL, n * step) == NO_FAULT;
        write_msr(t, MSR_RTIT_CTL, 0);
    }
    measure(t, "untold-values", "values", taken);
}

/* Value 0 is what the field has anyway. */
static void check_field(struct test *t, const struct trace_field *field)
{
    u64 step = field->bits & -field->bits;
    for (unsigned n = 1; n < FIELD_VALUES; n++) {
        bool listed = field->values >> n & 1;
        if (!listed && !walk_tested(t->caps))
            continue;
        fault_t fault = wrmsr_try(MSR_RTIT_CTL, n * step);
        if (!listed)
            check_fault(t, "absent-value", fault, FAULT_GP, MSR_RTIT_CTL);
        else if (check_fault(t, "value-faults", fault, NO_FAULT, MSR_RTIT_CTL))
            check_bits(t, "value-lost", MSR_RTIT_CTL, field->bits, n * step);
        write_msr(t, MSR_RTIT_CTL, 0);
    }
}

static void field(struct test *t, const struct trace_field *field)
{
    if (trace_values_enumerated(t->caps))
        check_field(t, field);
    else if (walk_tested(t->caps))
        measure_field(t, field);
}

static void check_there(struct test *t, const char *label, u32 msr)
{
    u64 value;
    check_fault(t, label, rdmsr_try(msr, &value), NO_FAULT, msr);
}

static void check_field_kept(struct test *t, const char *label, u32 msr)
{
    u64 found = read_msr(t, msr);
    write_msr(t, msr, SOME_PAGE);
    check_equal(t, label, read_msr(t, msr), SOME_PAGE, msr);
    write_msr(t, msr, found);
}

static void enumerated(struct test *t)
{
    tracing_begin(t, 0, 0);
    bits(t, trace_ctl_bits(t->caps), walk_tested(t->caps) ? trace_ctl_absent(t->caps) : 0);
    struct trace_field list[TRACE_FIELDS_MAX];
    for (unsigned n = trace_ctl_fields(t->caps, list); n--;)
        field(t, &list[n]);
    if (t->caps->trace_features & TRACE_CR3)
        check_field_kept(t, "cr3-not-kept", MSR_RTIT_CR3_MATCH);
    for (unsigned n = 0; n < 2 * t->caps->trace_ranges && n < 2 * RTIT_RANGES_MAX; n++)
        check_there(t, "no-range", MSR_RTIT_ADDR(n));
    if (t->caps->trace_ranges)
        check_field_kept(t, "range-not-kept", MSR_RTIT_ADDR(0));
    write_msr(t, MSR_RTIT_OUTPUT_MASK_PTRS, 0);
    check_bits(t, "not-ones", MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_ONES, RTIT_PTRS_ONES);
    tracing_end(t);
}

TEST("trace.enumerated", .title = "The trace registers are as leaf 14H says",
     .spec = "SDM 3C, Detection of Intel Processor Trace and Capability Enumeration", .needs = NEEDS_VERSION(2),
     .scope = EACH_CPU, .prepare = need_trace, .run = enumerated, .measures = true);
