/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter whose overflow reloads others raises its PMI like any other, with its bit set in IA32_PERF_GLOBAL_STATUS,
 * and the other counter has been reloaded by then or soon after.
 */
#include "harness/chapter/reload.h"

static void prepare(struct test *t)
{
    need_reload(t, t->caps->reloads & t->caps->reload_causes & MASK(31, 0), 2);
}

static bool pmi(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = exact_counters(t, t->caps->reloads & t->caps->reload_causes & MASK(31, 0), list);
    struct counter c = list[t->turn / 4 % n], cause = list[(t->turn / 4 + 1) % n];
    pmi_listen(cell_delivery(t), PMI_ACK);
    counter_setup(cause, ARCH_EVENT_INSTRUCTIONS, ring_flags(t) | COUNT_INT, counter_preset(cause, RELOAD_PERIOD));
    reload_setup(t, c, counter_mask(c.width), BIT(cause.bit));
    run_block(t, BIT(c.bit) | BIT(cause.bit), RELOAD_K);
    if (check_delivered(t, cause.msr))
        check_equal(t, "status", pmi_log()->record[0].status & caps_counter_bits(t->caps), BIT(cause.bit), cause.msr);
    pmi_close();
    /* The interrupt itself may count as an instruction or two; a counter that was not reloaded is far above. */
    check_range(t, "not-reloaded", counted_since_reload(c), 0, counter_read(cause) + RELOAD_PERIOD / 2, c.msr);
    /* If an interrupt made the run longer, the reloaded counter may have overflowed, too: both bits are cleared. */
    pmu_status_clear(BIT(c.bit) | BIT(cause.bit));
    reload_clear(t, c);
    counter_clear(cause);
    return more_samples_of(t, 4 * n);
}

TEST("reload.pmi", .title = "A counter that reloads another raises its PMI", .spec = "SDM 3B, Auto Counter Reload",
     .covers = "A-136", .needs = {.version = 5, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = prepare,
     .repeat = pmi, .cells = CELL_RINGS | CELL_DELIVERIES);
