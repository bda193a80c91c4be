/*
 * With IA32_DEBUGCTL[11] set, a PMI freezes the last-branch records (version 4, "streamlined"):
 * IA32_PERF_GLOBAL_STATUS.LBR_FRZ is set and the enable bit IA32_DEBUGCTL[0] keeps its value, where older versions
 * clear it. Clearing LBR_FRZ through IA32_PERF_GLOBAL_STATUS_RESET ends it.
 */
#include "harness/running.h"
#include "harness/samples.h"
#include "kernel/interrupt.h"

static void need_lbr_freeze(struct test *t)
{
    if (!freeze_lbrs_possible(t->caps))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: no LBRs that IA32_DEBUGCTL[11] freezes", t->caps->perf_capabilities);
}

static bool freeze(struct test *t, void *taken)
{
    u64 bits = DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI, found = freeze_begin(bits);
    pmi_open(PMI_FIXED, PMI_STOP);
    interrupts_on();
    provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
    bool came = pmi_wait(1);
    interrupts_off();
    if (check_true(t, "not-delivered", came, pmi_log()->count, MSR_PMC(0))) {
        check_bit(t, "no-lbr-frz", MSR_PERF_GLOBAL_STATUS, 58, true);
        check_bits(t, "debugctl-changed", MSR_DEBUGCTL, bits, bits);
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_LBR_FRZ);
        check_bit(t, "lbr-frz-not-cleared", MSR_PERF_GLOBAL_STATUS, 58, false);
    }
    pmu_status_clear(caps_counter_bits(t->caps));
    pmi_close();
    freeze_end(found);
    return more_samples(taken);
}

static void lbrs(struct test *t)
{
    u32 taken = 0;
    need_lbr_freeze(t);
    repeat_clean(t, freeze, &taken);
}

TEST("freeze.lbrs", .title = "A PMI freezes the LBRs until LBR_FRZ is cleared",
     .spec = "SDM 3B, Freezing LBRs and Performance Counters on PMI", .covers = "B-039",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .run = lbrs);
