/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/gate/gate.h"
#include "pmu/run/bracket.h"
#include "pmu/state/register.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

CASE(findings)
{
    struct bracket bracket = {0};
    assert_int_equal(bracket_judge(&bracket), BRACKET_CLEAN);
    bracket.closed.smi_count = 1;
    assert_int_equal(bracket_judge(&bracket), BRACKET_SMI);
    bracket.closed.counts.foreign_nmis = 1;
    bracket.foreign = 0x186;
    assert_int_equal(bracket_judge(&bracket), BRACKET_SMI | BRACKET_EVENT | BRACKET_FOREIGN_WRITE);
    bracket = (struct bracket){.closed.counts.machine_checks = 1};
    assert_int_equal(bracket_judge(&bracket), BRACKET_EVENT);
    bracket = (struct bracket){.closed.counts.unexpected = 1};
    assert_int_equal(bracket_judge(&bracket), BRACKET_STRAY);
    bracket = (struct bracket){.opened.counts.spurious = 1};
    assert_int_equal(bracket_judge(&bracket), BRACKET_STRAY);
    bracket = (struct bracket){.closed.counts.stray = 0x51}; /* had come before */
    assert_int_equal(bracket_judge(&bracket), BRACKET_CLEAN);
}

CASE(throttling)
{
    struct bracket bracket = {.opened.therm_status = 2, .closed.therm_status = 2};
    assert_int_equal(bracket_judge(&bracket), BRACKET_CLEAN); /* an old log bit says nothing */
    bracket.opened.therm_status = 0;
    assert_int_equal(bracket_judge(&bracket), BRACKET_THROTTLED);
    bracket = (struct bracket){.opened.package_therm_status = 1};
    assert_int_equal(bracket_judge(&bracket), BRACKET_THROTTLED);
}

CASE(gaps)
{
    assert_false(bracket_gap(1000000, 0));
    assert_false(bracket_gap(500, 100));
    assert_true(bracket_gap(600, 100));
    assert_true(bracket_gap(~0ull, 100));
}

static bool agrees(const char *cpu, const struct own *own, u32 msr, u64 found)
{
    struct pmu_caps caps = cpu_caps(cpu);
    for (unsigned i = 0; i < OWN_REGISTERS; i++)
        if (own_register(&caps, i) == msr)
            return own_agrees(&caps, own, i, found);
    fail_msg("%#x is not watched", msr);
    return false;
}

/* Changed by somebody else: fixed counters after the third, metrics, sampling fixed counters, branch records. */
CASE(later_bits)
{
    struct own own = {0};
    static const u32 registers[] = {0x38f, 0x3f1, 0x1c8, 0x14ce};
    for_each_row (registers, msr)
        own_record(&own, own_slot(*msr), 0);
    assert_false(agrees("ice-lake", &own, 0x38f, BIT(35)));
    assert_false(agrees("ice-lake", &own, 0x38f, BIT(48)));
    assert_true(agrees("skylake", &own, 0x38f, BIT(35) | BIT(48)));
    assert_true(agrees("skylake", &own, 0x38f, 0));
    assert_false(agrees("skylake", &own, 0x1c8, BIT(1)));
    assert_true(agrees("skylake", &own, 0x1c8, BIT(9)));
    struct pmu_caps caps = cpu_caps("alder-lake"), shared = cpu_caps("bloomfield");
    caps.lbr_depths = 8;
    assert_int_equal(own_register(&caps, own_slot(0x14ce)), 0x14ce);
    assert_int_equal(own_register(&shared, own_slot(0x1c8)), 0); /* the core's */
    assert_false(own_agrees(&caps, &own, own_slot(0x14ce), 1));
    assert_true(own_agrees(&caps, &own, own_slot(0x14ce), BIT(16)));
}

CASE(own_registers)
{
    struct own own = {0};
    assert_true(agrees("skylake", &own, 0x187, 0x1234)); /* never written: holds the firmware's value */
    own_record(&own, own_slot(0x187), 0x4300c0);
    own_record(&own, own_slot(0x1a0), 1); /* not a control: ignored */
    assert_true(agrees("skylake", &own, 0x187, 0x4300c0));
    assert_true(agrees("skylake", &own, 0x187, 0x6300c0 | BIT(19))); /* bits that may read either way */
    assert_false(agrees("skylake", &own, 0x187, 0x4300c4));
    own_record(&own, own_slot(0x187), 0);
    assert_true(agrees("skylake", &own, 0x187, 0x4300c0)); /* the write may have faulted */
    assert_true(agrees("skylake", &own, 0x187, 0));
    own_record(&own, own_slot(0x187), 0);
    assert_false(agrees("skylake", &own, 0x187, 0x4300c0));
}

CASE(what_freezing_clears_by_itself)
{
    struct own own = {0};
    own_record(&own, own_slot(0x1d9), 0x1801);
    own_record(&own, own_slot(0x38f), 0xf);
    own_record(&own, own_slot(0x38f), 0xf);
    assert_true(agrees("sandy-bridge", &own, 0x38f, 0));
    assert_false(agrees("skylake", &own, 0x38f, 0));
    assert_true(agrees("sandy-bridge", &own, 0x1d9, 0x1800));
    assert_false(agrees("skylake", &own, 0x1d9, 0x1800));
    assert_false(agrees("sandy-bridge", &own, 0x1d9, 0x801)); /* an SMI may do that (HSD52), which is foreign */
}

CASE(unwatched)
{
    struct pmu_caps ivy = cpu_caps("ivy-bridge-8"), yonah = cpu_caps("yonah"), unknown = cpu_caps("unknown");
    assert_int_equal(own_register(&ivy, own_slot(0x189)), 0x189);
    assert_int_equal(own_register(&ivy, own_slot(0x18a)), 0);
    for (unsigned i = own_slot(MSR_FIXED_CTR_CTRL); i < OWN_REGISTERS; i++) {
        assert_true(!own_register(&yonah, i) || own_register(&yonah, i) == 0x1d9);
        assert_true(own_register(&unknown, i) != 0x3f1 && own_register(&unknown, i) != 0x600);
    }
}

CASE(who_may_interrupt)
{
    struct own own = {0};
    assert_int_equal(own_interrupting(&own), 0);
    own_record(&own, own_slot(0x188), 0x5300c0);
    own_record(&own, own_slot(0x186), 0x4300c0);
    own_record(&own, own_slot(0x38d), 0x8b3);
    assert_int_equal(own_interrupting(&own), 0x600000004);
    own_record(&own, own_slot(0x188), 0);
    assert_int_equal(own_interrupting(&own), 0x600000000);
}

/* Exactly the registers whose bits the table marks as watched have a slot. */
CASE(watched_registers_have_slots)
{
    bool taken[OWN_REGISTERS] = {false};
    for_each_register (row)
        for (unsigned n = 0; n < row->family.count && !row->netburst; n++) {
            unsigned slot = row->keep == ALIAS ? OWN_REGISTERS : own_slot(register_index(row, n));
            if ((slot < OWN_REGISTERS) != (row->watched != 0))
                fail_msg("MSR %x: slot %u", register_index(row, n), slot);
            if (slot < OWN_REGISTERS && taken[slot])
                fail_msg("MSR %x: its slot is another register's", register_index(row, n));
            if (slot < OWN_REGISTERS)
                taken[slot] = true;
        }
}

int main(void)
{
    return run_cases();
}
