/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When a counter overflows, the counters that have its bit in their CFG_B are reloaded, whatever their values. The
 * overflowed counter is not: it continues past its end, and only its bit in IA32_PERF_GLOBAL_STATUS is set. A counter
 * that is at its own end at that moment is reloaded like any other; whether it sets its bit, too, is left open.
 */
#include "harness/chapter/reload.h"

#define APART 16 /* instructions between the starts of two counters, far fewer than RELOAD_PERIOD */

static void prepare(struct test *t)
{
    need_reload(t, t->caps->reloads, 1);
    need_reload(t, t->caps->reload_causes, 2);
}

/* The counters of this turn; returns the number of pairs. A few turns suffice to put each counter on either side. */
static unsigned pair(const struct test *t, struct counter *reloaded, struct counter *cause)
{
    struct counter list[COUNTERS_MAX], causes[COUNTERS_MAX];
    unsigned n = exact_counters(t, t->caps->reloads, list), m = exact_counters(t, t->caps->reload_causes, causes);
    *reloaded = list[t->turn % n];
    unsigned next = (t->turn % n + t->turn / n) % (m - 1);
    for (unsigned i = 0; i < m; i++)
        if (causes[i].bit != reloaded->bit && !next--)
            *cause = causes[i];
    return n * (m - 1);
}

/* The reloaded counter reaches its own end after `events`. */
static void run_pair(struct test *t, struct counter reloaded, u64 events, struct counter cause)
{
    counter_setup(cause, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(cause, RELOAD_PERIOD));
    reload_setup(t, reloaded, events, BIT(cause.bit));
    run_block(t, BIT(reloaded.bit) | BIT(cause.bit), RELOAD_K);
}

static void clear_pair(struct test *t, struct counter reloaded, struct counter cause)
{
    pmu_status_clear(BIT(reloaded.bit) | BIT(cause.bit));
    reload_clear(t, reloaded);
    counter_clear(cause);
}

/* The reloaded counter would wrap together with its cause, or next to it. */
static void at_its_own_end(struct test *t, struct counter reloaded, struct counter cause)
{
    run_pair(t, reloaded, RELOAD_PERIOD, cause);
    u64 since = counter_read(cause);
    check_range(t, "not-reloaded-at-end", counted_since_reload(reloaded), since / 2, since + APART, reloaded.msr);
    clear_pair(t, reloaded, cause);
}

static bool by_another(struct test *t)
{
    struct counter reloaded = {0}, cause = {0};
    unsigned pairs = pair(t, &reloaded, &cause);
    run_pair(t, reloaded, counter_mask(reloaded.width), cause); /* it starts at 1: far from its own end */
    u64 since = counter_read(cause), least = RELOAD_K * workloads[0].instructions_per_k - RELOAD_PERIOD;
    if (check_range(t, "cause-changed", since, least, 2 * least, cause.msr))
        check_reloaded(t, reloaded, since);
    check_bits(t, "status", MSR_PERF_GLOBAL_STATUS, caps_counter_bits(t->caps), BIT(cause.bit));
    clear_pair(t, reloaded, cause);
    at_its_own_end(t, reloaded, cause);
    return more_samples_of(t, pairs);
}

TEST("reload.by-another", .title = "An overflow reloads the counters that request it, and not the one that overflowed",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136", .needs = {.version = 5, .event = 2}, .scope = EACH_CPU,
     .prepare = prepare, .repeat = by_another, .measures = true);
