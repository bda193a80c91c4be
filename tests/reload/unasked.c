/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only counters that request it are reloaded: an overflow does not change counters whose CFG_B is 0 or has only other
 * counters' bits, even with a value in CFG_C. Nor does an overflow of the counter itself, if only others may reload it.
 */
#include "harness/chapter/reload.h"

static void prepare(struct test *t)
{
    need_reload(t, t->caps->reloads & MASK(31, 0), 2);
}

/* A counter that can cause reloads and stands still meanwhile; 0 if there is none. */
static u64 one_that_rests(const struct test *t, struct counter c, struct counter other)
{
    u64 rest = t->caps->reload_causes & ~BIT(c.bit) & ~BIT(other.bit);
    return rest & -rest;
}

static void check_undisturbed(struct test *t, struct counter c, struct counter plain, u64 events, u64 causes)
{
    counter_setup(plain, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(plain, RELOAD_PERIOD));
    reload_setup(t, c, events, causes);
    run_block(t, BIT(c.bit) | BIT(plain.bit), RELOAD_K);
    u64 counted = counter_read(c) + events - counter_read(plain) - RELOAD_PERIOD;
    check_equal(t, "reloaded", counted & counter_mask(c.width), 0, c.msr);
    pmu_status_clear(BIT(c.bit) | BIT(plain.bit));
    reload_clear(t, c);
    counter_clear(plain);
}

static bool unasked(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = exact_counters(t, t->caps->reloads & MASK(31, 0), list);
    struct counter c = list[t->turn % n], other = list[(t->turn + 1) % n];
    u64 rests = one_that_rests(t, c, other);
    check_undisturbed(t, c, other, counter_mask(c.width), 0);
    check_undisturbed(t, c, other, counter_mask(c.width), rests);
    check_undisturbed(t, c, other, RELOAD_PERIOD, rests);
    return more_samples_of(t, n);
}

TEST("reload.unasked", .title = "No overflow reloads a counter that did not request it",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136", .needs = {.version = 5, .event = 2}, .scope = EACH_CPU,
     .prepare = prepare, .repeat = unasked);
