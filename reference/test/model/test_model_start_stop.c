/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU's counting of the WRMSRs that start and stop it. */
#include "reference/test/model/model_rig.h"

/* The WRMSRs around a block of 10 instructions, as each setting counts them. */
CASE(start_and_stop)
{
    static const struct {
        const char *variation;
        u64 count;
    } rows[] = {{NULL, 11}, {"start-stop-none", 10}, {"start-stop-both", 12}, {"start-stop-stop", 11}};
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, row->variation, 1, 0);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
        wr(&r, MSR_FIXED_CTR_CTRL, 3);
        for (unsigned round = 1; round <= 3; round++) {
            wrmsr_retired(&r, MSR_PERF_GLOBAL_CTRL, 0x100000001);
            plain(&r, 10);
            wrmsr_retired(&r, MSR_PERF_GLOBAL_CTRL, 0);
            wrmsr_retired(&r, MSR_PERF_GLOBAL_CTRL, 0); /* stops no counter now */
            assert_int_equal(rd(&r, MSR_PMC(0)), round * row->count);
            assert_int_equal(rd(&r, MSR_FIXED_CTR(0)), round * row->count);
        }
        rig_close(&r);
    }
}

/* Simulated clocks do not tick in the WRMSR that has stopped the last of their counters. */
CASE(clocks_at_the_stop)
{
    struct rig r;
    rig_open(&r, "start-stop-both", 1, 0);
    wr(&r, MSR_FIXED_CTR_CTRL, 0x330);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0x700000000);
    plain(&r, 42);
    wrmsr_retired(&r, MSR_PERF_GLOBAL_CTRL, 0);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(1)), 43);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(2)), 40);
    rig_close(&r);
}

/* A WRMSR in the middle is an ordinary instruction. */
CASE(wrmsr_while_counting)
{
    static const char *const settings[] = {NULL, "start-stop-none", "start-stop-both"};
    for_each_row (settings, setting) {
        struct rig r;
        rig_open(&r, *setting, 1, 0);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
        plain(&r, 1);
        wrmsr_retired(&r, MSR_PMC(1), 5);
        wrmsr_retired(&r, MSR_PERFEVTSEL(1), EVTSEL_BOTH | ARCH_EVENT_BRANCHES);
        assert_int_equal(rd(&r, MSR_PMC(0)), 3);
        rig_close(&r);
    }
}

/* If the stopping WRMSR is counted, it can overflow the counter. */
CASE(overflow_by_the_stopping_write)
{
    struct rig r;
    rig_open(&r, "start-stop-stop", 1, 0);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
    wr(&r, MSR_A_PMC(0), 0xffffffffffff);
    wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    wrmsr_retired(&r, MSR_PERF_GLOBAL_CTRL, 1);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0);
    wrmsr_retired(&r, MSR_PERF_GLOBAL_CTRL, 0);
    assert_int_equal(rd(&r, MSR_PMC(0)), 0);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 1);
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
