/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each counter that CPUID.23H.2 enumerates as reloadable is reloaded by each that can cause it, whatever the two count:
 * one after another overflows, by its own event, and the reloaded one continues from so far below zero that nothing
 * else could have set it there.
 */
#include "harness/chapter/alias.h"
#include "harness/chapter/reload.h"

#define EVENTS 64 /* instructions or cycles until the cause overflows */
#define K 500     /* so many that a counter of cycles overflows, too */
#define FAR_BELOW 0x80000000

static unsigned of_bits(const struct test *t, u64 bits, struct counter list[COUNTERS_MAX])
{
    unsigned n = 0;
    for_each_counter (t, c)
        if (bits >> c->bit & 1 && counts_anything(*c))
            list[n++] = *c;
    return n;
}

static void prepare(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    if (!of_bits(t, t->caps->reloads, list) || !of_bits(t, t->caps->reload_causes, list))
        skip(t, "CPUID.23H.2 enumerates no counter that can be reloaded (highest leaf 0x%x)", t->caps->max_leaf);
}

static void setup(struct test *t, struct counter reloaded, struct counter cause)
{
    counter_setup(cause, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(cause, EVENTS));
    if (reloaded.bit != cause.bit)
        counter_setup(reloaded, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 1);
    write_msr(t, msr_cfg_c(reloaded), FAR_BELOW);
    write_msr(t, msr_cfg_b(reloaded), BIT(cause.bit));
}

static void one_pair(struct test *t, struct counter reloaded, struct counter cause)
{
    setup(t, reloaded, cause);
    run_block(t, BIT(reloaded.bit) | BIT(cause.bit), K);
    u64 lowest = (0 - 2 * (u64)FAR_BELOW) & counter_mask(reloaded.width);
    check_range(t, "not-reloaded", counter_read(reloaded), lowest, counter_mask(reloaded.width), reloaded.msr);
    pmu_status_clear(BIT(reloaded.bit) | BIT(cause.bit));
    reload_clear(t, reloaded);
    if (reloaded.bit != cause.bit)
        counter_clear(cause);
}

/* One pair per turn: an NMI from elsewhere spoils only that pair. A few turns put each counter on either side. */
static bool pairs(struct test *t)
{
    struct counter list[COUNTERS_MAX], causes[COUNTERS_MAX];
    unsigned n = of_bits(t, t->caps->reloads, list), m = of_bits(t, t->caps->reload_causes, causes);
    one_pair(t, list[t->turn % n], causes[(t->turn % n + t->turn / n) % m]);
    return more_samples_of(t, n * m);
}

TEST("reload.pairs", .title = "Each counter that can be reloaded is reloaded by each that can cause a reload",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-014,A-136,B-076", .needs = {.version = 5, .event = 2},
     .scope = EACH_CPU, .prepare = prepare, .repeat = pairs);
