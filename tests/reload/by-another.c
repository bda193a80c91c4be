/*
 * When a counter overflows, the counters that have its bit in their CFG_B are reloaded, whatever their values. The
 * overflowed counter is not: it continues past its end, and only its bit in IA32_PERF_GLOBAL_STATUS is set.
 */
#include "harness/chapter/reload.h"
#include "harness/provoke.h"
#include "harness/samples.h"

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

static void run_pair(struct test *t, struct counter reloaded, struct counter cause)
{
    counter_setup(cause, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(cause, RELOAD_PERIOD));
    reload_setup(t, reloaded, counter_mask(reloaded.width), BIT(cause.bit)); /* it starts at 1: far from its own end */
    run_block(t, BIT(reloaded.bit) | BIT(cause.bit), RELOAD_K);
}

static bool by_another(struct test *t)
{
    struct counter reloaded = {0}, cause = {0};
    unsigned pairs = pair(t, &reloaded, &cause);
    run_pair(t, reloaded, cause);
    u64 since = counter_read(cause), least = RELOAD_K * workloads[0].instructions_per_k - RELOAD_PERIOD;
    if (check_range(t, "cause-changed", since, least, 2 * least, cause.msr))
        check_reloaded(t, reloaded, since);
    check_bits(t, "status", MSR_PERF_GLOBAL_STATUS, caps_counter_bits(t->caps), BIT(cause.bit));
    pmu_status_clear(BIT(reloaded.bit) | BIT(cause.bit));
    reload_clear(t, reloaded);
    counter_clear(cause);
    return more_samples_of(t, pairs);
}

TEST("reload.by-another", .title = "An overflow reloads the counters that request it, and not the one that overflowed",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136", .needs = {.version = 5, .event = 2}, .scope = EACH_CPU,
     .prepare = prepare, .repeat = by_another, .measures = true);
