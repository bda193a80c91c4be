/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A control takes effect when it is written, on its own counter alone, whatever else counts. While all counters count
 * whatever event and rings they have, one enable of one counter is taken away and given back: its bit of
 * IA32_PERF_GLOBAL_CTRL, EN or the rings of its event select, the enable bits of its field. In between the counter
 * stands still and all others go on; afterwards it counts again. A value that is written again changes nothing. No
 * write sets any counter back. All have their PMI bit set, far from an overflow.
 *
 * From version 4 on both writes are also done with CTR_FRZ set. Neither lets any counter move then; after the freeze
 * all count.
 *
 * Agents that share the PMU start and stop their counters while those of others count.
 */
#include "harness/test.h"

struct scene {
    struct counter counter;
    u32 msr;
    u64 enable; /* its bits that are taken away; 0: its value is written again */
    u32 mix;
    bool frozen;
    bool still_frozen;        /* after all counters were written */
    u64 here, without, again; /* the counters that count in this ring; that moved without it, and with it again */
    u64 back;                 /* those that a write set back */
};

#define WAYS 3
#define TURNS 8         /* 24 instructions and 8 branches */
#define SLOW_TURNS 1500 /* enough for a tick of any clock */

/* Of event selects every other one loses EN, or with CTR_FRZ its rings. */
static void choose(struct scene *s, struct counter c, unsigned way)
{
    bool global = way == 1;
    u64 select = (c.bit + s->frozen) % 2 ? EVTSEL_EN : EVTSEL_OS | EVTSEL_USR;
    s->counter = c;
    s->msr = global ? MSR_PERF_GLOBAL_CTRL : counter_control(c);
    s->enable = global ? BIT(c.bit) : c.fixed ? FIXED_OS(c.index) | FIXED_USR(c.index) : select;
    if (way == 2)
        s->enable = 0;
}

/* Those that move from the values that were read last; reads them anew. */
static u64 moved(const struct test *t, struct counter_values *last, unsigned turns)
{
    struct counter_values before = *last;
    u64 mask = 0;
    spin(turns);
    read_counters(t, last);
    for_each_counter (t, c)
        mask |= last->value[c->bit] != before.value[c->bit] ? BIT(c->bit) : 0;
    return mask;
}

/* A write of the control, which sets no counter back: all are far from their ends. */
static void write_control(struct test *t, struct scene *s, u64 value)
{
    struct counter_values before, after;
    read_counters(t, &before);
    write_msr(t, s->msr, value);
    read_counters(t, &after);
    for_each_counter (t, c)
        s->back |= after.value[c->bit] < before.value[c->bit] ? BIT(c->bit) : 0;
}

/* Takes the enable away and gives it back. */
static void count_without(struct test *t, struct scene *s, struct counter_values *last)
{
    bool slow = overflows_again(s->counter);
    u64 held = read_msr(t, s->msr);
    write_control(t, s, held & ~s->enable);
    if (s->frozen || slow)
        settle(); /* a counter with a slower clock takes over late what it counted before */
    read_counters(t, last);
    s->without = moved(t, last, slow ? SLOW_TURNS : TURNS);
    write_control(t, s, held);
}

/* The counter of the scene counts here in any case. */
static void count_everywhere(struct test *t, struct counter c)
{
    u32 msr = counter_control(c);
    u64 rings = c.fixed ? FIXED_OS(c.index) | FIXED_USR(c.index) : EVTSEL_OS | EVTSEL_USR;
    write_msr(t, msr, read_msr(t, msr) | rings);
}

static void with_interrupts(struct test *t)
{
    for_each_counter (t, c)
        if (control_reads_back(t, *c))
            write_msr(t, counter_control(*c), read_msr(t, counter_control(*c)) | counter_pmi(*c));
}

/* No write but that of IA32_PERF_GLOBAL_STATUS_RESET ends a freeze. */
static void write_values(struct test *t)
{
    for_each_counter (t, c)
        counter_write(*c, counter_read(*c));
}

static bool run(struct test *t, void *argument)
{
    struct scene *s = argument;
    struct counter_values last;
    u64 mask = setup_mixed(t, NULL, s->mix);
    count_everywhere(t, s->counter);
    if (!s->frozen)
        with_interrupts(t);
    s->here = counters_of_ring(t);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    if (s->frozen)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    count_without(t, s, &last);
    if (s->frozen) {
        s->without |= moved(t, &last, TURNS);
        write_values(t);
        s->still_frozen = read_msr(t, MSR_PERF_GLOBAL_STATUS) & STATUS_CTR_FRZ;
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    }
    s->again = moved(t, &last, TURNS);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    return false;
}

static void judge_frozen(struct test *t, const struct scene *s, struct counter c)
{
    check_true(about(t, ASPECT_STAYS_FROZEN), "moved-while-frozen", !(s->without & BIT(c.bit)), s->without, "no count",
               c.msr);
}

static void judge_running(struct test *t, const struct scene *s, struct counter c, bool must_move)
{
    if (!control_reads_back(t, c))
        return; /* in which rings it counts is not known */
    bool own = s->enable && c.bit == s->counter.bit, moved = s->without & BIT(c.bit);
    if (own || !(s->here & BIT(c.bit)))
        check_true(t, own ? "not-stopped" : "started-by-another", !moved, s->without, "no count", c.msr);
    else if (must_move)
        check_true(about(t, ASPECT_FREEZE), "stopped-by-another", moved, s->without, "a count", c.msr);
}

/* The reference clock may not have ticked. */
static void judge(struct test *t, const struct scene *s)
{
    if (s->frozen)
        check_true(about(t, ASPECT_FREEZE), "thawed-by-a-write", s->still_frozen, 0, "CTR_FRZ set",
                   MSR_PERF_GLOBAL_STATUS);
    for_each_counter (t, c) {
        check_true(t, "set-back", !(s->back >> c->bit & 1), s->back, "no counter's bit", c->msr);
        bool must_move = s->here >> c->bit & 1 && counts_anything(*c) && !overflows_again(*c);
        if (s->frozen)
            judge_frozen(t, s, *c);
        else
            judge_running(t, s, *c, must_move);
        if (must_move)
            check_true(about(t, ASPECT_FREEZE), c->bit == s->counter.bit ? "not-started" : "not-going-on",
                       s->again >> c->bit & 1, s->again, "a count", c->msr);
    }
}

static void while_running(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters(t->caps, list), forms = t->caps->version >= 4 ? 2 : 1;
    for_each_own_turn (t, turn, n * WAYS * forms) {
        if (turn / n % WAYS == 2 && turn / (n * WAYS))
            continue; /* a value that is written again while all is frozen: global.same-value */
        if (!control_reads_back(t, list[turn % n]))
            continue;
        struct scene s = {.frozen = turn / (n * WAYS) % forms, .mix = turn % n + turn / n};
        choose(&s, list[turn % n], turn / n % WAYS);
        repeat_clean(t, run, &s);
        judge(t, &s);
    }
}

TEST("global.while-running", .title = "A control written while others count starts and stops its own counter alone",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .needs = {.version = 2, .event = 2},
     .scope = EACH_CPU, .run = while_running);
