/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared features other than counters: sampling, load latency, the filters of off-core events and of branch records.
 * Each is in use while its register is not 0, which no counter's control shows. An agent that looks only at the
 * counters would take a filter away from another agent, whose counters then count something else.
 *
 * In each register a bit is set that is known to have no effect by itself, while nothing counts or records, and the
 * library is asked with the bit set and after it is cleared. Threads of a core share some of these registers, and the
 * two cores of a module share off-core filters: the CPUs take turns.
 */
#include "harness/chapter/sharing.h"

static unsigned features_now(const struct test *t)
{
    struct pmu_state state;
    agent_poll(t->caps, &state);
    return agent_features(&state);
}

/* A value that somebody has left in the register stays, and must be seen, too. Returns whether the CPU has it. */
static bool claim(struct test *t, const char *label, u32 msr, u64 value, unsigned feature)
{
    u64 found;
    if (!value || rdmsr_try(msr, &found) != NO_FAULT || (!found && wrmsr_try(msr, value) != NO_FAULT))
        return false;
    unsigned features = features_now(t);
    check_true(t, label, features & feature, features, "this feature in use", msr);
    if (found)
        return true;
    write_msr(t, msr, 0);
    features = features_now(t);
    check_true(t, "still-in-use", !(features & feature), features, "this feature free again", msr);
    return true;
}

static u64 lowest(u64 bits)
{
    return bits & -bits;
}

static void features_in_use(struct test *t)
{
    bool any = claim(t, "sampling-unseen", MSR_PEBS_ENABLE, lowest(pebs_counter_bits(t->caps)), FEATURE_SAMPLING);
    any |= claim(t, "latency-unseen", MSR_PEBS_ENABLE, lowest(pebs_latency_bits(t->caps)), FEATURE_LOAD_LATENCY);
    if (offcore_rsps(t->caps) > 0)
        any |= claim(t, "offcore-unseen", MSR_OFFCORE_RSP(0), OFFCORE_RSP_DATA_READ, FEATURE_OFFCORE_0);
    if (offcore_rsps(t->caps) > 1)
        any |= claim(t, "offcore-unseen", MSR_OFFCORE_RSP(1), OFFCORE_RSP_DATA_READ, FEATURE_OFFCORE_1);
    if (t->caps->lbr_depths)
        any |=
            claim(t, "lbr-filter-unseen", MSR_ARCH_LBR_CTL, t->caps->lbr_levels ? LBR_CTL_OS : 0, FEATURE_LBR_FILTER);
    else if (has_lbr_select(t->caps))
        any |= claim(t, "lbr-filter-unseen", MSR_LBR_SELECT, LBR_SELECT_CPL_0, FEATURE_LBR_FILTER);
    if (!any)
        skip(t, "signature %08x: none of the shared features is known", t->caps->signature);
}

TEST("share.features-in-use", .title = "Sampling, load latency and filters are in use while their register is not 0",
     .spec = "PMU Sharing Guide, General PerfMon programming guidelines", .covers = "S-001,S-002,S-003",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU_IN_TURN, .run = features_in_use);
