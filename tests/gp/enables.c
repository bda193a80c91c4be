/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A general-purpose counter counts only while both its enable bits are set: IA32_PERFEVTSELn.EN and bit n of
 * IA32_PERF_GLOBAL_CTRL. With only one of them it must count nothing at all, not even the instructions that start and
 * stop the block.
 *
 * Agents that share the PMU rely on this: one keeps a counter programmed while another starts and stops its own.
 */
#include "harness/test.h"

#define K 4

static const struct {
    const char *label;
    u64 enable;
    bool global, counts;
} cases[] = {
    {"enable-alone", EVTSEL_EN, false, false},
    {"global-alone", 0, true, false},
    {"both", EVTSEL_EN, true, true},
};

static bool each_case(struct test *t)
{
    under_test(t, caps_gp_bits(t->caps), 0);
    for_each_row (cases, c) {
        u64 before[GP_COUNTERS_MAX];
        for_each_gp_counter (t, n) {
            write_msr(t, MSR_PERFEVTSEL(n), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | c->enable);
            before[n] = read_msr(t, MSR_PMC(n));
        }
        run_block(t, c->global ? caps_gp_bits(t->caps) : 0, K);
        for_each_gp_counter (t, n) {
            u64 counted = read_msr(t, MSR_PMC(n)) - before[n];
            check_true(t, c->label, (counted != 0) == c->counts, counted, c->counts ? "a count" : "no count",
                       MSR_PMC(n));
        }
    }
    return true;
}

TEST("gp.enables", .title = "A GP counter counts only with both its enable bits set",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .needs = {.version = 2, .event = 2},
     .scope = EACH_CPU, .repeat = each_case, .aside = ASIDE_COUNTERS | ASIDE_FIELDS | ASIDE(AROUND_SAMPLED));
