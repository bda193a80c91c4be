/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each bit of IA32_PERF_GLOBAL_CTRL is ANDed with the enable bits of its own counter, and of no other. All counters are
 * tested at once: each has one of the four combinations of the two, and the combinations rotate, so that each counter
 * has neighbours with each of the four. A counter counts only if both its enables are set, whatever theirs are, at CPL
 * 0 as at CPL 3.
 */
#include "harness/test.h"

#define K 4
#define USER_K 100 /* USR alone may miss some after the change of ring (SKL117) */

static const char *const labels[ORDER_STATES] = {"neither", "enable-alone", "global-alone", "both"};

static void set_enable(struct test *t, struct counter c, bool enabled)
{
    unsigned here = t->cell.user ? COUNT_USR : COUNT_OS;
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, enabled || !c.fixed ? here : 0, 0);
    if (!c.fixed && !enabled)
        write_msr(t, MSR_PERFEVTSEL(c.index), read_msr(t, MSR_PERFEVTSEL(c.index)) & ~EVTSEL_EN);
}

struct counted {
    u32 place; /* of the first counter */
    bool user;
    u64 value[COUNTERS_MAX];
};

static bool mixed(struct test *t, void *argument)
{
    struct counted *counted = argument;
    u32 place = counted->place, n = 0;
    u64 mask = 0;
    t->cell.user = counted->user;
    for_each_counter (t, c) {
        u8 which = order_step(place++).state;
        set_enable(t, *c, which & 1);
        mask |= which & 2 ? BIT(c->bit) : 0;
    }
    run_block(t, mask, counted->user ? USER_K : K);
    for_each_counter (t, c)
        counted->value[n++] = counter_read(*c);
    return false;
}

static void judge(struct test *t, const struct counted *counted)
{
    u32 n = 0;
    for_each_counter (t, c) {
        u8 which = order_step(counted->place + n).state;
        u64 value = counted->value[n++];
        if (which != 3 || counts_exactly(*c))
            check_true(about(t, t->cell.user ? ASPECT_USR_ALONE : 0), labels[which], (value != 0) == (which == 3),
                       value, which == 3 ? "a count" : "no count", c->msr);
    }
}

static void enables(struct test *t)
{
    struct counted counted;
    for_each_own_turn (t, turn, 2 * ORDER_STEPS) {
        counted = (struct counted){.place = turn / 2, .user = turn % 2};
        repeat_clean(t, mixed, &counted);
        judge(t, &counted);
    }
    t->cell.user = false;
}

TEST("global.enables", .title = "Each GLOBAL_CTRL bit is ANDed with its own counter's enable",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-059,A-087",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = enables);
