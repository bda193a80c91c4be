/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that have each other's bits in their CFG_B are a group: the overflow of one reloads them all, including
 * itself, so they start again together. Drivers use reloading in this form. No manual says that the members then count
 * the same event equally; how far apart they are is measured.
 */
#include "harness/chapter/reload.h"

static u64 able(const struct test *t)
{
    return t->caps->reloads & t->caps->reload_causes;
}

static void prepare(struct test *t)
{
    need_reload(t, able(t), 2);
}

static u64 bits_of(const struct counter *list, unsigned n)
{
    u64 bits = 0;
    for (unsigned i = 0; i < n; i++)
        bits |= BIT(list[i].bit);
    return bits;
}

/* Only the leader reaches its end, once: the others count from 1 on. */
static void run_group(struct test *t, const struct counter *list, unsigned n, unsigned leader)
{
    u64 all = bits_of(list, n);
    for (unsigned i = 0; i < n; i++)
        reload_setup(t, list[i], i == leader ? RELOAD_PERIOD : counter_mask(list[i].width), all);
    run_block(t, all, RELOAD_K);
}

static bool group(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = exact_counters(t, able(t), list), leader = t->turn % n;
    u64 most = RELOAD_K * workloads[0].instructions_per_k + RELOAD_PERIOD / 4 - RELOAD_PERIOD;
    run_group(t, list, n, leader);
    u64 since = counted_since_reload(list[leader]);
    check_range(t, "leader-not-reloaded", since, 1, most, list[leader].msr);
    for (unsigned i = 0; i < n; i++) {
        u64 counted = counted_since_reload(list[i]);
        if (i != leader && check_range(t, "not-reloaded", counted, 1, most, list[i].msr))
            measure(t, "apart", "instructions", counted > since ? counted - since : since - counted);
    }
    check_bits(t, "status-set", MSR_PERF_GLOBAL_STATUS, bits_of(list, n), 0);
    pmu_status_clear(bits_of(list, n));
    for (unsigned i = 0; i < n; i++)
        reload_clear(t, list[i]);
    return more_samples_of(t, n);
}

TEST("reload.group", .title = "An overflow in a group of counters reloads all of them",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136,B-076", .needs = {.version = 5, .event = 2},
     .scope = EACH_CPU, .prepare = prepare, .repeat = group, .measures = true);
