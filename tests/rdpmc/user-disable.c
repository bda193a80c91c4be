/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * If CPUID.23H.0:EBX[2] is set, the control of each counter has a bit that hides it from programs: RDPMC at CPL 3 then
 * reads 0 and does not fault; at CPL 0 it reads the counter as usual. Other counters are not hidden by it, and with the
 * bit clear again the counter is visible.
 */
#include "harness/test.h"

#define PRESET 0x12345678

static void need_user_disable(struct test *t)
{
    if (!(t->caps->leaf23_features & LEAF23_RDPMC_USER_DISABLE))
        skip(t, "CPUID.23H.0:EBX=0x%x: bit 2 is clear or does not exist, no counter can be hidden",
             t->caps->leaf23_features);
}

static void hide(struct test *t, struct counter c, bool hidden)
{
    u64 bit = c.fixed ? FIXED_RDPMC_USER_DISABLE(c.index) : EVTSEL_RDPMC_USER_DISABLE;
    write_msr(t, counter_control(c), hidden ? bit : 0);
}

static void check_user(struct test *t, const char *label, struct counter c, u64 want)
{
    u64 value = 0;
    if (check_fault(t, "faults", rdpmc_value_user(c.rdpmc, &value), NO_FAULT, c.msr))
        check_equal(t, label, value, want, c.msr);
}

static u64 value_of(struct counter c)
{
    return counter_preset(c, PRESET + c.bit);
}

static void check_hidden(struct test *t, struct counter hidden)
{
    hide(t, hidden, true);
    for_each_counter (t, c) {
        if (c->bit == hidden.bit)
            check_user(t, "shown", *c, 0);
        else
            check_user(t, "other-hidden", *c, value_of(*c));
        check_rdpmc(t, c->rdpmc, c->msr);
    }
    hide(t, hidden, false);
    check_user(t, "stays-hidden", hidden, value_of(hidden));
}

/* Nothing in here ends the test early, so CR4.PCE cannot stay set. */
static void user_disable(struct test *t)
{
    need_user_disable(t);
    for_each_counter (t, c)
        counter_write(*c, value_of(*c));
    bool before = set_pce(true);
    for_each_counter (t, c)
        check_hidden(t, *c);
    set_pce(before);
}

TEST("rdpmc.user-disable", .title = "A counter that its control hides from programs reads 0 at CPL 3",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .covers = "A-013,A-065", .needs = NEEDS_VERSION(5),
     .scope = EACH_CPU, .run = user_disable);
