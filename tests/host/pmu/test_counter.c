/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/count/counter.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

CASE(lists_all_gp_first)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct counter list[COUNTERS_MAX];
    assert_int_equal(counters(&caps, list), 7);
    assert_false(list[3].fixed);
    assert_int_equal(list[3].msr, 0x4c4);
    assert_int_equal(list[3].bit, 3);
    assert_true(list[4].fixed);
    assert_int_equal(list[4].msr, 0x309);
    assert_int_equal(list[4].bit, 32);
    assert_int_equal(list[6].rdpmc, 0x40000002);
    caps = cpu_caps("yonah");
    assert_int_equal(counters(&caps, list), 2);
    assert_int_equal(list[1].msr, 0xc2);
}

CASE(a_hole_among_fixed_counters)
{
    struct caps_dump dump = cpu_dump("lunar-lake");
    struct pmu_caps caps;
    struct counter list[COUNTERS_MAX];
    dump.leaf0a.ecx = 0x77;
    caps_decode(&dump, &caps);
    assert_int_equal(counters(&caps, list), 14);
    assert_int_equal(list[10].index, 2);
    assert_int_equal(list[11].index, 4);
    assert_int_equal(list[11].bit, 36);
}

CASE(presets)
{
    struct pmu_caps caps = cpu_caps("conroe-g0");
    assert_int_equal(counter_preset(gp_counter(&caps, 0), 1), 0xffffffffffull);
    assert_int_equal(counter_preset(gp_counter(&caps, 0), 0), 0);
    caps = cpu_caps("skylake");
    assert_int_equal(counter_preset(fixed_counter(&caps, 1), 256), 0xffffffffff00ull);
}

CASE(what_a_legacy_write_can_hold)
{
    assert_true(legacy_write_holds(48, 0));
    assert_true(legacy_write_holds(48, 0x7fffffff));
    assert_false(legacy_write_holds(48, 0x80000000));
    assert_true(legacy_write_holds(48, 0xffff80000000));
    assert_true(legacy_write_holds(48, 0xffffffffffff));
    assert_false(legacy_write_holds(48, 0xffff7fffffff));
    assert_false(legacy_write_holds(40, 0xffff80000000));
    assert_true(legacy_write_holds(40, 0xff80000000));
}

CASE(fixed_counters_count_their_own_event)
{
    struct pmu_caps caps = cpu_caps("ice-lake");
    assert_true(counter_can_count(gp_counter(&caps, 7), ARCH_EVENT_BRANCHES));
    assert_true(counter_can_count(fixed_counter(&caps, 0), ARCH_EVENT_INSTRUCTIONS));
    assert_false(counter_can_count(fixed_counter(&caps, 0), ARCH_EVENT_BRANCHES));
    assert_true(counter_can_count(fixed_counter(&caps, 1), ARCH_EVENT_CORE_CYCLES));
    assert_false(counter_can_count(fixed_counter(&caps, 2), ARCH_EVENT_REF_CYCLES));
    assert_false(counter_can_count(fixed_counter(&caps, 2), 0));
}

int main(void)
{
    return run_cases();
}
