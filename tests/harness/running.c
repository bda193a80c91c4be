/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/running.h"
#include "kernel/core/time.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/interrupt/ring3.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"

#define OVERFLOW_AFTER 100 /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */
#define START_TURNS 400    /* 4,800 instructions at CPL 3 */
#define START_US 20000
#define START_LOOKS 8 /* enough for the slowest counter, where so many turns take longer than START_US */

void need_freeze(struct test *t)
{
    if (!freeze_possible(t->caps))
        skip(t, "CPUID.1:ECX[15]=%d: IA32_DEBUGCTL[12] does not exist", t->caps->pdcm);
}

void spin(unsigned turns)
{
    for (volatile unsigned i = 0; i < turns; i++)
        ;
}

void spin_in_ring(const struct test *t, unsigned turns)
{
    if (!t->cell.user) {
        spin(turns);
        return;
    }
    u64 flags = interrupts_off();
    interrupts_restore(flags); /* interrupts must come at CPL 3 */
    ring3_run(workloads[0].user, turns);
    interrupts_restore(flags);
}

void read_counters(const struct test *t, struct counter_values *values)
{
    for_each_counter (t, c)
        values->value[c->bit] = counter_read(*c);
}

static bool takes_part(const struct test *t, struct counter c)
{
    return !t->cell.alone || c.bit == t->cell.counter.bit;
}

u64 setup_all(const struct test *t, const struct counter *overflows)
{
    u64 mask = 0, events = OVERFLOW_AFTER + (t->cell.user ? ON_THE_WAY : 0);
    for_each_counter (t, c) {
        bool chosen = overflows && overflows->bit == c->bit;
        if (!takes_part(t, *c))
            continue;
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t) | (chosen ? COUNT_INT : 0),
                      chosen ? counter_preset(*c, events) : 0);
        mask |= BIT(c->bit);
    }
    return mask;
}

u64 setup_together(const struct test *t)
{
    u64 mask = 0, events = OVERFLOW_AFTER + (t->cell.user ? ON_THE_WAY : 0);
    for_each_counter (t, c) {
        if (!counts_exactly(*c))
            continue;
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t) | COUNT_INT, counter_preset(*c, events));
        mask |= BIT(c->bit);
    }
    return mask;
}

void start_in_ring(struct test *t, u64 mask)
{
    struct patience patience = patience_looks(START_US, START_LOOKS);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    while (t->cell.user && !pmi_log()->count && !patience_over(&patience))
        spin_in_ring(t, START_TURNS);
}

void check_moving(struct test *t, const char *label)
{
    struct counter_values before, after;
    read_counters(t, &before);
    spin_in_ring(t, SPIN_A_LITTLE);
    read_counters(t, &after);
    for_each_counter (t, c)
        if (counts_exactly(*c) && takes_part(t, *c))
            check_true(about(t, ASPECT_FREEZE), label, after.value[c->bit] != before.value[c->bit], after.value[c->bit],
                       "a count that moves", c->msr);
}

void check_stopped(struct test *t, const char *label)
{
    struct counter_values before, after;
    settle(); /* a counter with a slower clock takes over late what it counted before the stop */
    read_counters(t, &before);
    spin_in_ring(t, SPIN_A_LITTLE);
    read_counters(t, &after);
    for_each_counter (t, c)
        check_equal(about(t, ASPECT_STAYS_FROZEN), label, after.value[c->bit], before.value[c->bit], c->msr);
}
