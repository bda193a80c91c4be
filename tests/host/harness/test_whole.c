/* SPDX-License-Identifier: BSD-2-Clause */
/* What IA32_PERF_GLOBAL_INUSE and _STATUS show, by what was written; numbers typed from the manual's figures. */
#include "harness/whole.h"
#include "pmu/gate/gate.h"
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

static const struct status_causes none;

static u64 shown(struct controls now)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct whole whole;
    controls = now;
    assert_true(whole_register(&caps, 0x392, &none, reads, &whole));
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

CASE(status_without_a_cause)
{
    struct pmu_caps skylake = cpu_caps("skylake"), nehalem = cpu_caps("bloomfield");
    struct whole whole;
    assert_true(whole_register(&skylake, 0x38e, &none, reads, &whole));
    assert_int_equal(whole.want, 0);
    assert_int_equal(whole.mask, 0x5c80000700000000 | MASK(skylake.gp_count - 1, 0));
    assert_true(whole_register(&skylake, 0x38e, &(struct status_causes){.caused = 0x4000000100000001}, reads, &whole));
    assert_int_equal(whole.mask, 0x1c80000600000000 | (MASK(skylake.gp_count - 1, 0) & ~1ull));
    assert_true(whole_register(&nehalem, 0x38e, &none, reads, &whole));
    assert_int_equal(whole.mask, 0x400000070000000f);
}

CASE(causes)
{
    assert_int_equal(caused_by(0x38f, 0x70000000f), 0x70000000f);
    assert_int_equal(caused_by(0x391, 1ull << 60), 1ull << 60);
    assert_int_equal(caused_by(0xc2, 0), 2);
    assert_int_equal(caused_by(0x4c3, 0), 4);
    assert_int_equal(caused_by(0x30a, 0), 1ull << 33);
    assert_int_equal(caused_by(0x186, 0x5300c0), 0); /* it must be enabled globally, too */
    assert_int_equal(caused_by(0x1d9, 0x1000), 1ull << 59);
    assert_int_equal(caused_by(0x1d9, 0x801), 1ull << 58);
    assert_int_equal(caused_by(0x3f1, 0), 0);
    assert_int_equal(caused_by(0x3f1, 1), 1ull << 62);
    assert_int_equal(caused_by(0x570, 0x2000), 0);
    assert_int_equal(caused_by(0x570, 0x2001), 1ull << 55);
    assert_int_equal(caused_by(0x1903, 1ull << 63), 1ull << 62 | 1ull << 54);
}

CASE(what_cannot_be_told)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct whole whole;
    assert_false(whole_register(&caps, 0x38f, &none, reads, &whole));
    controls = (struct controls){.silent = 0x38d};
    assert_false(whole_register(&caps, 0x392, &none, reads, &whole));
}

int main(void)
{
    return run_cases();
}
