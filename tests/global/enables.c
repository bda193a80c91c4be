/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each bit of IA32_PERF_GLOBAL_CTRL is ANDed with the enable bits of its own counter, and of no other. All counters are
 * tested at once: each has one of the four combinations of the two, and the combinations rotate. A counter counts only
 * if both its enables are set, whatever the enables of its neighbours are.
 */
#include "harness/provoke.h"
#include "harness/samples.h"

#define K 4
#define COMBINATIONS 4

static const char *const labels[COMBINATIONS] = {"neither", "enable-alone", "global-alone", "both"};

static void set_enable(struct test *t, struct counter c, bool enabled)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, enabled || !c.fixed ? COUNT_OS : 0, 0);
    if (!c.fixed && !enabled)
        write_msr(t, MSR_PERFEVTSEL(c.index), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS);
}

static bool mixed(struct test *t)
{
    u32 first = t->turn;
    u64 mask = 0;
    for_each_counter (t, c) {
        u32 which = (first + c->index + c->fixed) % COMBINATIONS;
        set_enable(t, *c, which & 1);
        mask |= which & 2 ? BIT(c->bit) : 0;
    }
    run_block(t, mask, K);
    for_each_counter (t, c) {
        u32 which = (first + c->index + c->fixed) % COMBINATIONS;
        u64 counted = counter_read(*c);
        if (which != 3 || counts_exactly(*c))
            check_true(t, labels[which], (counted != 0) == (which == 3), counted, which == 3 ? "a count" : "no count",
                       c->msr);
    }
    return more_samples_of(t, 2 * COMBINATIONS);
}

TEST("global.enables", .title = "Each GLOBAL_CTRL bit is ANDed with its own counter's enable",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-059,A-087",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = mixed, .aside = ASIDE_FIELDS);
