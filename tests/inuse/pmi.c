/*
 * Bit 63 of IA32_PERF_GLOBAL_INUSE says that somebody uses the performance monitoring interrupt: it is set while any
 * IA32_PERFEVTSELn has its interrupt bit set, or any field of IA32_FIXED_CTR_CTRL its own, whether or not the counter
 * is enabled, or a counter is chosen for sampling in IA32_PEBS_ENABLE. (One sentence of the manual calls it bit 32; its
 * figure, and all CPUs known, have it at 63. Bit 32 is fixed counter 0, which is off here.)
 */
#include "harness/test.h"
#include "pmu/sampling/pebs.h"

#define PMI_BIT 63

static void check_pmi(struct test *t, const char *label, bool in_use)
{
    check_bit(t, label, MSR_PERF_GLOBAL_INUSE, PMI_BIT, in_use);
    check_bit(t, "fixed-0-in-use", MSR_PERF_GLOBAL_INUSE, 32, false);
}

/* No record can be written: counters stand still, nothing is programmed. Asked are bits that choose a counter. */
static void by_sampling(struct test *t)
{
    u64 bits = pebs_counter_bits(t->caps) & (pebs_adaptive(t->caps) ? ~0ull : caps_gp_bits(t->caps));
    for (; bits; bits &= bits - 1) {
        write_msr(t, MSR_PEBS_ENABLE, bits & -bits);
        check_pmi(t, "by-pebs-enable", true);
        write_msr(t, MSR_PEBS_ENABLE, 0);
        check_pmi(t, "still-in-use", false);
    }
}

static void pmi(struct test *t)
{
    check_pmi(t, "unused", false);
    for_each_gp_counter (t, n) {
        write_msr(t, MSR_PERFEVTSEL(n), EVTSEL_INT);
        check_pmi(t, "by-event-select", true);
        write_msr(t, MSR_PERFEVTSEL(n), 0);
        check_pmi(t, "still-in-use", false);
    }
    for_each_fixed_counter (t, i) {
        write_msr(t, MSR_FIXED_CTR_CTRL, FIXED_PMI(i));
        check_pmi(t, "by-fixed-control", true);
        write_msr(t, MSR_FIXED_CTR_CTRL, 0);
        check_pmi(t, "still-in-use", false);
    }
    by_sampling(t);
}

TEST("inuse.pmi", .title = "INUSE bit 63 follows the interrupt bits of all counters",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-017", .needs = NEEDS_VERSION(4),
     .scope = EACH_CPU, .run = pmi);
