/* SPDX-License-Identifier: BSD-2-Clause */
/* The write gate's rules for debug store: records go to our own memory or nowhere. Numbers from the manual. */
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"
#include "tests/host/pmu/gate_question.h"

CASE(areas_of_our_own)
{
    const char *rule;
    struct pmu_caps caps = cpu_caps("skylake");
    struct gate_context running = {.area_offered = true}, stopped = {.counters_stopped = true, .area_offered = true};
    assert_true(gate_wants(register_row_of(&caps, 0x600)).area);
    assert_true(row_allows(&caps, &stopped, 0x600, 0x123000, &rule));
    assert_false(row_allows(&caps, &running, 0x600, 0x123000, &rule));
    assert_true(row_allows(&caps, &running, 0x600, 0, &rule));
    stopped.area_offered = false;
    assert_false(row_allows(&caps, &stopped, 0x600, 0x123000, &rule));
    assert_string_equal(rule, "DS area: none, one of ours or not canonical, counters stopped, known class");
    assert_true(row_allows(&caps, &stopped, 0x600, 1ull << 63, &rule));  /* a #GP */
    assert_false(row_allows(&caps, &stopped, 0x600, 1ull << 47, &rule)); /* canonical with five levels of paging */
    running.area_offered = false;
    assert_false(row_allows(&caps, &running, 0x600, 1ull << 63, &rule));
}

static struct pmu_caps prescott(void)
{
    struct caps_dump dump = {.leaf0 = {5, 0x756e6547, 0x6c65746e, 0x49656e69},
                             .leaf1 = {0xf43, 0, 0x649d, 0xbfebfbff},
                             .misc_enable = 0x850089};
    struct pmu_caps caps;
    caps_decode(&dump, &caps);
    return caps;
}

static const struct {
    u32 msr;
    u64 value;
    bool stopped, allowed;
} netburst_writes[] = {
    {0x310, 0xffffffffff, true, true},
    {0x311, 1, true, true},
    {0x310, 1ull << 40, true, false},
    {0x30f, 0, true, true},
    {0x312, 0, true, false},
    {0x370, 0x3b000, true, true},
    {0x371, 0x0803f000, true, true},
    {0x370, 1, true, false},
    {0x36f, 0, true, true},
    {0x3cc, 0x10000200, true, true},
    {0x3cd, 1ull << 31, true, false},
    {0x3bc, 0x04000400, true, true},
    {0x3bb, 0, true, false},
    {0x3f1, 0x3000001, true, true},
    {0x3f1, 0x3000001, false, false},
    {0x3f1, 0, false, true},
    {0x3f1, 1ull << 26, true, false},
    {0x3f2, 0x1fff, true, true},
    {0x3f2, 0x2000, true, false},
    {0x600, 0, true, true},
    {0x600, 0x123000, true, false},
    {0x309, 0, true, true},
    {0x186, 0, true, false},
    {0x38f, 0, true, false},
    {0x1d9, 0, true, false},
    {0x35f, 0, true, false},
    {0x372, 0, true, false},
};

CASE(netburst)
{
    struct pmu_caps caps = prescott();
    const char *rule;
    for_each_row (netburst_writes, row) {
        struct gate_context context = {.counters_stopped = row->stopped};
        if (row_allows(&caps, &context, row->msr, row->value, &rule) != row->allowed)
            fail_msg("%#x := %#llx is %s", row->msr, (unsigned long long)row->value,
                     row->allowed ? "refused" : "allowed");
    }
    struct gate_context sampling = {.sampling = true}, offered = {.counters_stopped = true, .area_offered = true};
    assert_false(row_allows(&caps, &sampling, 0x370, 0x3b000, &rule));
    sampling.own_area = true;
    assert_true(row_allows(&caps, &sampling, 0x370, 0x3b000, &rule));
    assert_true(row_allows(&caps, &offered, 0x600, 0x123000, &rule));
    caps.pebs_unavailable = true;
    assert_false(row_allows(&caps, &offered, 0x310, 0, &rule));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_of_our_own),
        cmocka_unit_test(netburst),
    };
    return cmocka_run_group_tests_name("gate_ds", tests, NULL, NULL);
}
