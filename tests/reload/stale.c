/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CFG_B belongs to the counter, not to what it counts: it stays when the counter is stopped, cleared and set up for
 * something else, and still causes reloads. A driver forgot to clear it, and the next user's counters jumped. Once
 * CFG_B is cleared, nothing is reloaded.
 */
#include "harness/chapter/alias.h"
#include "harness/chapter/reload.h"

static u64 both(const struct test *t)
{
    return t->caps->reloads & t->caps->reload_causes & MASK(31, 0);
}

static void prepare(struct test *t)
{
    need_reload(t, both(t), 2);
}

/* The next user of both: `c` counts from 1 on. Returns what the other one has counted since its end. */
static u64 next_user(struct test *t, struct counter c, struct counter cause)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_mask(c.width));
    counter_setup(cause, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(cause, RELOAD_PERIOD));
    run_block(t, BIT(c.bit) | BIT(cause.bit), RELOAD_K);
    u64 since = counter_read(cause);
    pmu_status_clear(BIT(c.bit) | BIT(cause.bit));
    counter_clear(cause);
    return since;
}

static bool stale(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = exact_counters(t, both(t), list);
    struct counter c = list[t->turn % n], cause = list[(t->turn + 1) % n];
    reload_setup(t, c, RELOAD_PERIOD, BIT(cause.bit));
    counter_clear(c);
    check_bits(t, "cause-gone", msr_cfg_b(c), ~0ull, BIT(cause.bit));
    check_reloaded(t, c, next_user(t, c, cause));
    write_msr(t, msr_cfg_b(c), 0);
    next_user(t, c, cause);
    /* The whole block and the cost of starting and stopping, not much more. */
    check_range(t, "reloaded-after-clear", counter_read(c), 1, 2 * RELOAD_K * workloads[0].instructions_per_k, c.msr);
    reload_clear(t, c);
    return more_samples_of(t, n);
}

TEST("reload.stale", .title = "CFG_B holds for whoever uses the counter next, until it is cleared",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136,B-076", .needs = {.version = 5, .event = 2},
     .scope = EACH_CPU, .prepare = prepare, .repeat = stale, .measures = true);
