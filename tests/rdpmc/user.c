/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CR4.PCE decides whether programs at CPL 3 may execute RDPMC: with it set they read the same value as RDMSR while the
 * counter is stopped, with it clear they get a general-protection fault. At CPL 0 RDPMC works either way.
 *
 * One read is of a value written to a counter, another of what it has counted since: programs measure themselves by
 * such reads, while a kernel uses RDMSR.
 */
#include "harness/test.h"

#define PRESET 0x12345678
#define K 4

/* Nothing in here ends the test early, so CR4.PCE cannot stay set. */
static void read_both(struct test *t, struct counter c, u64 want, bool allowed)
{
    u64 value = 0, at_cpl_0 = 0;
    set_pce(allowed);
    fault_t fault = rdpmc_value_user(c.rdpmc, &value);
    if (!allowed)
        check_fault(t, "allowed", fault, FAULT_GP, c.msr);
    else if (check_fault(t, "not-allowed", fault, NO_FAULT, c.msr))
        check_equal(t, "differs", value, want, c.msr);
    fault = rdpmc_try(c.rdpmc, &at_cpl_0);
    if (check_fault(t, "cpl-0", fault, NO_FAULT, c.msr))
        check_equal(t, "cpl-0-differs", at_cpl_0, want, c.msr);
    set_pce(false);
}

/* Counts the counter's own event, or instructions. */
static void read_counted(struct test *t, struct counter c)
{
    u64 value = 0;
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(c, PRESET));
    run_block(t, BIT(c.bit), K);
    set_pce(true);
    if (check_fault(t, "not-allowed", rdpmc_value_user(c.rdpmc, &value), NO_FAULT, c.msr))
        check_equal(t, "counted-differs", value, counter_read(c), c.msr);
    set_pce(false);
    counter_clear(c);
}

static void user(struct test *t)
{
    bool before = set_pce(false);
    for_each_counter (t, c) {
        counter_write(*c, counter_preset(*c, PRESET + c->bit)); /* a value with all its upper bits set */
        u64 want = counter_read(*c);
        read_both(t, *c, want, false);
        read_both(t, *c, want, true);
        read_both(t, *c, want, false);
        read_counted(t, *c);
    }
    set_pce(before);
}

TEST("rdpmc.user", .title = "CR4.PCE allows RDPMC at CPL 3, which reads the counter's value",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .covers = "B-071,A-061,A-064",
     .needs = NEEDS_VERSION(1), .scope = EACH_CPU, .run = user);
