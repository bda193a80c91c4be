/* SPDX-License-Identifier: BSD-2-Clause */
/* What IA32_PERF_GLOBAL_INUSE shows, by the controls; numbers typed from the manual's figures. */
#include "harness/whole.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

static struct controls {
    u64 select[8], fixed, sampling;
    u32 silent; /* this register faults */
} controls;

static fault_t reads(u32 msr, u64 *value)
{
    if (msr == controls.silent)
        return FAULT_GP;
    if (msr >= 0x186 && msr < 0x18e)
        *value = controls.select[msr - 0x186];
    else
        *value = msr == 0x38d ? controls.fixed : msr == 0x3f1 ? controls.sampling : 0;
    return NO_FAULT;
}

static u64 shown(struct controls now)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct whole whole;
    controls = now;
    assert_true(whole_register(&caps, 0x392, reads, &whole));
    assert_int_equal(whole.mask, 0x8000000700000000 | MASK(caps.gp_count - 1, 0));
    return whole.want;
}

CASE(each_control)
{
    assert_int_equal(shown((struct controls){.select = {0}}), 0);
    assert_int_equal(shown((struct controls){.select = {0xc0}}), 1);
    assert_int_equal(shown((struct controls){.select = {0, 0x01000080}}), 2);
    assert_int_equal(shown((struct controls){.select = {0x430100}}), 0); /* an event select with event 0 */
    assert_int_equal(shown((struct controls){.select = {0, 0, 0x100000}}), 1ull << 63);
    assert_int_equal(shown((struct controls){.fixed = 0x010}), 1ull << 33);
    assert_int_equal(shown((struct controls){.fixed = 0x200}), 1ull << 34);
    assert_int_equal(shown((struct controls){.fixed = 0x008}), 1ull << 63);
    assert_int_equal(shown((struct controls){.fixed = 0x004}), 0); /* AnyThread alone */
    assert_int_equal(shown((struct controls){.sampling = 2}), 1ull << 63);
    assert_int_equal(shown((struct controls){.select = {0xc4, 0, 0, 0x1000c5}, .fixed = 0x00b, .sampling = 1}),
                     0x8000000100000009);
}

CASE(what_cannot_be_told)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct whole whole;
    assert_false(whole_register(&caps, 0x38f, reads, &whole));
    controls = (struct controls){.silent = 0x38d};
    assert_false(whole_register(&caps, 0x392, reads, &whole));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_control),
        cmocka_unit_test(what_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
