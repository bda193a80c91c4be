/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways to make counters count and overflow, and PMIs that must come. */
#include "harness/core/budget.h"
#include "harness/core/results.h"
#include "harness/test.h"
#include "kernel/core/time.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"

#define EXACT_K 10       /* 126 instructions; the overflow comes after 16 */
#define SLOW_K 500       /* 6,006 instructions: at least 200 cycles of the slowest clock that is counted */
#define ON_THE_WAY_K 500 /* 6,000 instructions */
#define REQUEST_US 20000
#define SLOW_EVENTS 100 /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */

unsigned counters_for(const struct test *t, u16 event, struct counter list[COUNTERS_MAX])
{
    unsigned n = 0;
    for_each_counter (t, c)
        if (counter_can_count(*c, event))
            list[n++] = *c;
    return n;
}

unsigned gp_counters(const struct test *t, struct counter list[COUNTERS_MAX])
{
    unsigned count = 0;
    for_each_gp_counter (t, n)
        list[count++] = gp_counter(t->caps, n);
    return count;
}

struct counter gp_in_turn(const struct test *t, u32 turn)
{
    return gp_counter(t->caps, caps_gp_index(t->caps, turn % t->caps->gp_count));
}

void setup_counters(const struct counter *list, unsigned n, u16 event, unsigned flags)
{
    for (unsigned i = 0; i < n; i++)
        counter_setup(list[i], event, flags, 0);
}

unsigned ring_flags(const struct test *t)
{
    return t->cell.user ? COUNT_OS | COUNT_USR : COUNT_OS;
}

void run_block(const struct test *t, u64 mask, u64 k)
{
    struct switch_write start_stop = counters_switch(t->caps, mask);
    t->results->started = start_stop.msr == MSR_PERF_GLOBAL_CTRL ? start_stop.on : mask;
    if (t->cell.user)
        workloads[0].run_user(&start_stop, k);
    else
        workloads[0].run(&start_stop, k);
}

void run_block_exactly(const struct test *t, u64 mask, u64 k)
{
    u64 gp = mask & caps_gp_bits(t->caps), fixed = mask & ~gp;
    if (gp)
        run_block(t, gp, k);
    if (!fixed)
        return;
    struct switch_write start_stop = fixed_switch(fixed);
    workloads[0].run(&start_stop, k);
    fixed_switch_end(&start_stop);
}

bool overflows_again(struct counter counter)
{
    return counter.fixed && counter.index == FIXED_REF_CYCLES;
}

/*
 * The other counters count beside it, far from their end and each with its PMI bit, except the one whose bit may be set
 * a second time. Returns their bits.
 */
static u64 setup_others(const struct test *t, struct counter counter)
{
    u64 mask = 0;
    if (!(t->declaration->cells & CELL_NEIGHBOURS) || t->cell.alone)
        return 0;
    for_each_counter (t, c) {
        if (c->bit == counter.bit || overflows_again(*c))
            continue;
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t) | COUNT_INT, 0);
        mask |= BIT(c->bit);
    }
    return mask;
}

void provoke_overflow(const struct test *t, struct counter counter, unsigned flags)
{
    bool exact = counts_exactly(counter);
    u64 events = exact ? PROVOKE_EVENTS : SLOW_EVENTS, k = exact ? EXACT_K : SLOW_K;
    events += t->cell.user ? ON_THE_WAY : 0;
    k += t->cell.user ? ON_THE_WAY_K : 0;
    counter_setup(counter, ARCH_EVENT_INSTRUCTIONS, flags, counter_preset(counter, events * budget().stretch));
    run_block(t, BIT(counter.bit) | setup_others(t, counter), k * budget().stretch);
}

u64 provoke_all(const struct test *t, unsigned flags)
{
    u64 mask = 0;
    for_each_counter (t, c)
        if (counts_exactly(*c)) {
            counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, flags, counter_preset(*c, PROVOKE_EVENTS * budget().stretch));
            mask |= BIT(c->bit);
        }
    run_block(t, mask, EXACT_K * budget().stretch);
    return mask;
}

enum pmi_delivery cell_delivery(const struct test *t)
{
    return t->cell.nmi ? PMI_NMI : PMI_FIXED;
}

void pmi_listen(enum pmi_delivery delivery, unsigned action)
{
    pmi_open(delivery, action);
    if (delivery == PMI_FIXED)
        interrupts_on();
}

bool pmi_came(void)
{
    bool came = pmi_wait(1);
    interrupts_off();
    return came;
}

bool check_delivered(struct test *t, u32 msr)
{
    bool came = pmi_came();
    return check_true(t, "not-delivered", came, pmi_log()->count, "1 PMI or more", msr);
}

u32 pmi_settled(void)
{
    settle();
    interrupts_off();
    return pmi_log()->count;
}

void check_only_here(struct test *t, bool mine)
{
    interrupts_off();
    if (mine)
        check_true(t, "not-delivered", pmi_log()->count, 0, "1 PMI or more", 0);
    else
        check_equal(t, "delivered-elsewhere", pmi_log()->count, 0, 0);
    pmi_close();
}

void check_overflow_arrives(struct test *t, enum pmi_delivery delivery)
{
    struct counter c = next_counter(t);
    under_test(t, BIT(c.bit), BIT(c.bit));
    pmi_listen(delivery, PMI_ACK);
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    if (check_delivered(t, c.msr))
        check_true(t, "no-status-bit", pmi_log()->record[0].status >> c.bit & 1, pmi_log()->record[0].status,
                   "this counter's bit set in IA32_PERF_GLOBAL_STATUS", c.msr);
    pmi_close();
    counter_clear(c);
}

bool wait_requested(void)
{
    struct patience patience = patience_us(REQUEST_US);
    while (!apic_requested(VECTOR_PMI))
        if (patience_over(&patience))
            return false;
    return true;
}
