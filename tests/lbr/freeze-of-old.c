/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[11] set, a PMI freezes the branch records of CPUs below version 4 by clearing IA32_DEBUGCTL[0]:
 * the handler finds the records of the interrupted code, and has to set the bit again. From version 4 on LBR_FRZ
 * freezes them, which the chapter freeze tests.
 */
#include "harness/chapter/branches.h"

#define ON (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI)

static void prepare(struct test *t)
{
    if (t->caps->version >= VERSION_STREAMLINED)
        skip(t, "CPUID.0AH:EAX[7:0]=%u: LBR_FRZ freezes branch records", t->caps->version);
    need_record_top(t);
    need_freeze(t);
}

static bool freeze(struct test *t)
{
    struct recording r = recording_begin(t);
    struct counter c = gp_counter(t->caps, 0);
    u64 started = setup_all(t, &c);
    pmi_open(PMI_FIXED, 0);
    interrupts_on();
    write_msr(t, MSR_DEBUGCTL, (r.debugctl & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI) | ON);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, started);
    if (check_delivered(t, c.msr)) {
        check_bit(t, "records-on", MSR_DEBUGCTL, DEBUGCTL_LBR, false);
        check_bit(t, "freeze-bit-lost", MSR_DEBUGCTL, DEBUGCTL_FREEZE_LBRS_ON_PMI, true);
        r.before = read_msr(t, MSR_LBR_TOS);
        spin(SPIN_A_LITTLE);
        check_equal(t, "recorded-while-frozen", recorded(t, &r), 0, MSR_LBR_TOS);
    }
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmu_status_clear(caps_counter_bits(t->caps));
    pmi_close();
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.freeze-of-old", .title = "Below version 4 a PMI stops branch records by DEBUGCTL[0]",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-094",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CORE, .prepare = prepare, .repeat = freeze);
