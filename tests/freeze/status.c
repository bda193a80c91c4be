/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CTR_FRZ stops the counters, and nothing else: while it is set the other bits of IA32_PERF_GLOBAL_STATUS can be
 * written as usual. Bits written to IA32_PERF_GLOBAL_STATUS_SET are set, bits written to IA32_PERF_GLOBAL_STATUS_RESET
 * are cleared, and CTR_FRZ, which is not written, stays set. Here software has set it, so that no interrupt is needed.
 *
 * Handlers that acknowledge one counter after the other before they end the freeze rely on this, and so do hypervisors
 * that restore the overflow bits of a frozen guest.
 */
#include "harness/test.h"

static void acknowledge(struct test *t, u64 all, unsigned bit)
{
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, all);
    check_bits(t, "not-set", MSR_PERF_GLOBAL_STATUS, all, all);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, BIT(bit));
    check_bits(t, "not-exactly-cleared", MSR_PERF_GLOBAL_STATUS, all, all & ~BIT(bit));
    check_bit(about(t, ASPECT_FREEZE), "thawed", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true);
}

static bool while_frozen(struct test *t)
{
    u64 all = caps_counter_bits(t->caps);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    for_each_counter (t, c)
        acknowledge(t, all, c->bit);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, all | STATUS_CTR_FRZ);
    return more_samples(t);
}

TEST("freeze.status", .title = "STATUS_SET and STATUS_RESET of overflow bits work while CTR_FRZ is set",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-025,B-036",
     .needs = NEEDS_VERSION(4), .scope = EACH_CPU, .repeat = while_frozen);
