/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that run without a block around them, and what freezing does to them. */
#include "harness/test.h"
#include "kernel/core/time.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"

#define WITH_CMASK 5       /* one of so many counters counts the cycles with its event */
#define OVERFLOW_AFTER 100 /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */
#define START_TURNS 400    /* 4,800 instructions at CPL 3 */
#define START_US 20000
#define START_LOOKS 8  /* enough for the slowest counter, where so many turns take longer than START_US */
#define MOVE_LOOKS 200 /* 12,000 instructions: thousands of cycles, and a tick of each clock */

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

u32 cell_mix(const struct test *t, struct counter counter)
{
    return counter.bit + t->cell.nmi + 2u * t->cell.alone;
}

static u16 event_or_instructions(const struct test *t, u16 event)
{
    bool there = event == ARCH_EVENT_BRANCHES ? caps_event_available(t->caps, 5) : caps_event_available(t->caps, 0);
    return there ? event : ARCH_EVENT_INSTRUCTIONS;
}

static unsigned mixed_rings(const struct test *t, u32 which, bool chosen)
{
    unsigned here = t->cell.user ? COUNT_USR : COUNT_OS, all = COUNT_OS | COUNT_USR;
    const unsigned rings[] = {here, all, all & ~here};
    return rings[which % (chosen ? 2 : ARRAY_SIZE(rings))];
}

u64 setup_mixed(const struct test *t, const struct counter *overflows, u32 mix)
{
    static const u16 mixed[] = {ARCH_EVENT_INSTRUCTIONS, ARCH_EVENT_BRANCHES, ARCH_EVENT_CORE_CYCLES};
    u64 mask = 0, events = OVERFLOW_AFTER + (t->cell.user ? ON_THE_WAY : 0);
    u32 place = 0;
    for_each_counter (t, c) {
        bool chosen = overflows && overflows->bit == c->bit;
        u16 event = mixed[(place + mix) % ARRAY_SIZE(mixed)];
        unsigned rings = mixed_rings(t, place++ + mix / 2, chosen);
        if (!takes_part(t, *c))
            continue;
        counter_setup(*c, event_or_instructions(t, event), rings | (chosen ? COUNT_INT : 0),
                      chosen ? counter_preset(*c, events) : 0);
        if (!c->fixed && !chosen && (place + mix) % WITH_CMASK == 0 && control_reads_back(t, *c))
            wrmsr(MSR_PERFEVTSEL(c->index), rdmsr(MSR_PERFEVTSEL(c->index)) | EVTSEL_CMASK(1));
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

u64 counters_of_ring(struct test *t)
{
    u64 mask = 0, fixed = t->caps->fixed_bitmap ? read_msr(t, MSR_FIXED_CTR_CTRL) : 0;
    for_each_gp_counter (t, n)
        if (read_msr(t, MSR_PERFEVTSEL(n)) & (t->cell.user ? EVTSEL_USR : EVTSEL_OS))
            mask |= GLOBAL_GP(n);
    for_each_fixed_counter (t, i)
        if (fixed & (t->cell.user ? FIXED_USR(i) : FIXED_OS(i)))
            mask |= GLOBAL_FIXED(i);
    return mask;
}

/* The thermal monitor may stop the reference clock. */
static u64 must_move(struct test *t)
{
    u64 mask = counters_of_ring(t);
    for_each_counter (t, c)
        if (!takes_part(t, *c) || !counts_anything(*c) || (overflows_again(*c) && throttled(t)))
            mask &= ~BIT(c->bit);
    return mask;
}

void check_moving(struct test *t, const char *label)
{
    struct counter_values before, after;
    u64 must = must_move(t), left = must;
    read_counters(t, &before);
    for (unsigned looks = 0; left && looks < MOVE_LOOKS; looks++) {
        spin_in_ring(t, SPIN_A_LITTLE);
        read_counters(t, &after);
        for_each_counter (t, c)
            left &= after.value[c->bit] == before.value[c->bit] ? ~0ull : ~BIT(c->bit);
    }
    for_each_counter (t, c)
        if (must >> c->bit & 1)
            check_true(about(t, ASPECT_FREEZE), label, !(left >> c->bit & 1), after.value[c->bit], "a count that moves",
                       c->msr);
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
