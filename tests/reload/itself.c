/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter whose own bit is set in its CFG_B is reloaded each time it overflows, and continues from there. Software
 * need not hear of that: its bit in IA32_PERF_GLOBAL_STATUS stays clear.
 */
#include "harness/chapter/reload.h"

static void prepare(struct test *t)
{
    need_reload(t, t->caps->reloads & t->caps->reload_causes, 1);
}

static bool itself(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = exact_counters(t, t->caps->reloads & t->caps->reload_causes, list);
    struct counter c = list[t->turn / 2 % n], plain = gp_counter(t->caps, c.index ? 0 : 1);
    counter_setup(plain, ARCH_EVENT_INSTRUCTIONS, ring_flags(t), 0);
    reload_setup(t, c, RELOAD_PERIOD, BIT(c.bit));
    run_block(t, BIT(c.bit) | BIT(plain.bit), RELOAD_K);
    check_reloaded(t, c, counter_read(plain) - RELOAD_PERIOD);
    check_bit(t, "status-set", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), false);
    pmu_status_clear(BIT(c.bit));
    reload_clear(t, c);
    counter_clear(plain);
    return more_samples_of(t, 2 * n);
}

TEST("reload.itself", .title = "A counter that reloads itself continues and sets no overflow bit",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136", .needs = {.version = 5, .event = 2}, .scope = EACH_CPU,
     .prepare = prepare, .repeat = itself, .cells = CELL_RINGS, .measures = true);
