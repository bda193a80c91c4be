/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_INUSE shows a claim, and its end, in the very next read: each counter is claimed and released, the
 * register read back after each write, over and over, with no other counter claimed. Otherwise an agent that polls it
 * and then claims would take a counter that somebody else has just taken.
 *
 * Each repeat is bracketed, since firmware may write an event select, too.
 */
#include "harness/test.h"

static bool claim_and_release(struct test *t)
{
    u64 named = caps_gp_bits(t->caps);
    under_test(t, named, named);
    for_each_gp_counter (t, n) {
        write_msr(t, MSR_PERFEVTSEL(n), EVTSEL_EVENT(0xc0));
        check_bits(t, "stale-free", MSR_PERF_GLOBAL_INUSE, named, INUSE_GP(n));
        write_msr(t, MSR_PERFEVTSEL(n), 0);
        check_bits(t, "stale-claim", MSR_PERF_GLOBAL_INUSE, named, 0);
    }
    return true;
}

TEST("inuse.immediate", .title = "INUSE shows claims and releases in the next read",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-020", .needs = NEEDS_VERSION(4),
     .scope = EACH_CPU, .repeat = claim_and_release,
     .aside = ASIDE(AROUND_RECORDING) | ASIDE_COUNTERS | ASIDE_ACTIVITY);
