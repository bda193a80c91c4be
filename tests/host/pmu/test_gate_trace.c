/* SPDX-License-Identifier: BSD-2-Clause */
/* The write gate's rules for processor trace, and its description in leaf 14H. Numbers from the manual and dumps. */
#include "pmu/area/trace_area.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"
#include "tests/host/pmu/gate_question.h"

static struct pmu_caps tracer(const char *name, u32 ebx, u32 ecx, bool answers, bool tracing)
{
    struct caps_dump dump = cpu_dump(name);
    struct pmu_caps caps;
    dump.leaf7.ebx |= 1u << 25;
    dump.leaf14 = (struct cpuid_regs){1, ebx, ecx, 0};
    dump.leaf14_1 = (struct cpuid_regs){0x02490002, 0x003f3fff, 0, 0};
    dump.trace_answers = answers;
    dump.tracing = tracing;
    caps_decode(&dump, &caps);
    return caps;
}

CASE(enumeration)
{
    char text[TRACE_TEXT];
    struct pmu_caps skylake = tracer("skylake", 0xf, 7, true, false);
    struct pmu_caps broadwell = tracer("broadwell", 1, 1, true, false);
    assert_null(trace_unavailable(&skylake, text));
    assert_int_equal(trace_regions(&skylake), 2);
    assert_int_equal(skylake.trace_ranges, 2);
    assert_int_equal(trace_ctl_bits(&skylake), 0x2f8e);
    assert_int_equal(trace_ctl_absent(&skylake), 0x80000080001070);
    assert_int_equal(trace_regions(&broadwell), 1);
    assert_int_equal(trace_ctl_bits(&broadwell), 0x2d8c);
    struct pmu_caps silent = tracer("skylake", 0xf, 7, false, false), taken = tracer("skylake", 0xf, 7, true, true);
    struct pmu_caps none = cpu_caps("skylake");
    assert_non_null(trace_unavailable(&silent, text));
    assert_non_null(trace_unavailable(&taken, text));
    assert_string_equal(trace_unavailable(&none, text), "CPUID.7.0:EBX[25]=0: no processor trace");
    assert_true(trace_pointers_inside(0x7f));
    assert_true(trace_pointers_inside(4096ull << 32 | 511 << 7));
    assert_false(trace_pointers_inside(4097ull << 32));
    assert_false(trace_pointers_inside(512 << 7));
}

static const struct {
    u32 msr;
    u64 value;
    bool kept_in, allowed;
} writes[] = {
    {0x560, 0x123000, true, true}, {0x560, 0x123000, false, false},  {0x561, 0x7f, true, true},
    {0x561, 0x7f, false, false},   {0x570, 0x2105, true, true},      {0x570, 0x2105, false, false},
    {0x570, 0x10, true, true},     {0x570, 1ull << 60, true, false}, {0x571, 0x30, true, true},
    {0x571, 8, true, false},       {0x572, 0x12345000, true, true},  {0x572, 0x20, true, true},
    {0x572, 0x60, true, false},    {0x572, 1ull << 63, true, true},  {0x572, 0x10, true, false},
    {0x580, 0x1000, true, true},   {0x583, 1ull << 47, true, false}, {0x584, 0, true, false},
    {0x580, 0x1000, false, false}, {0x570, 0, false, false},
};

CASE(writes_of_a_trace)
{
    struct pmu_caps caps = tracer("skylake", 0xf, 7, true, false), others = tracer("skylake", 0xf, 7, true, true);
    struct pmu_caps untested = tracer("ice-lake", 0xf, 7, true, false), none = cpu_caps("skylake");
    const char *rule;
    for_each_row (writes, row) {
        struct gate_context context = {.trace_kept_in = row->kept_in};
        if (row_allows(&caps, &context, row->msr, row->value, &rule) != row->allowed)
            fail_msg("%#x := %#llx", row->msr, (unsigned long long)row->value);
        assert_false(row_allows(&others, &context, row->msr, row->value, &rule));
        assert_false(row_allows(&none, &context, row->msr, row->value, &rule));
    }
    struct gate_context kept_in = {.trace_kept_in = true};
    assert_false(row_allows(&untested, &kept_in, 0x570, 0x10, &rule)); /* a reserved bit on an untried class */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enumeration),
        cmocka_unit_test(writes_of_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
