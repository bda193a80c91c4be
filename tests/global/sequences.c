/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whatever the PMU was used for before, its counters count, wrap, set their bits, raise PMIs and freeze as their
 * controls say now, and a write changes what it is for and nothing else. A sequence of steps is drawn: a control, two
 * fields of IA32_FIXED_CTR_CTRL in one write, the value of a counter, a value that is written again, bits of
 * IA32_PERF_GLOBAL_STATUS, freezing on or off; and every other step runs code at CPL 0 or 3, with some counters on, of
 * which some are about to overflow. After each step values, overflow bits and claims are compared.
 *
 * In a PMI's handler some runs stop all counters, and others go on. Before a bit of IA32_PERF_GLOBAL_STATUS stands
 * beside an open LVTPC, or a counter gets its PMI bit, the bit of that counter is cleared: what else would come of it
 * no manual says.
 */
#include "harness/core/budget.h"
#include "harness/core/random.h"
#include "harness/running.h"
#include "harness/shadow.h"

#define STEPS 20
#define SEQUENCES 8
#define NEAREST 70 /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */
#define FARTHER 50
#define SYSTEM_K 24 /* 288 instructions: past each overflow, and more than 64 after it (BJ58) */
#define USER_K 140  /* more, as a change of ring may hide some */

struct sequence {
    u64 seed, random;
    u32 step;
    struct shadow shadow;
};

static bool one_of(struct sequence *q, u32 n)
{
    return !random_below(&q->random, n);
}

static struct counter any_counter(const struct test *t, struct sequence *q)
{
    struct counter list[COUNTERS_MAX];
    return list[random_below(&q->random, counters(t->caps, list))];
}

/* ---- Steps that write */

static void clear_bit(struct sequence *q, struct counter c)
{
    if (q->shadow.status & BIT(c.bit))
        shadow_status_clear(&q->shadow, BIT(c.bit));
}

static void select_drawn(struct test *t, struct sequence *q, struct counter c)
{
    u64 rings = (one_of(q, 3) ? 0 : EVTSEL_OS) | (one_of(q, 3) ? 0 : EVTSEL_USR);
    clear_bit(q, c);
    shadow_select(t, &q->shadow, c.index,
                  EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | rings | (one_of(q, 2) ? EVTSEL_INT : 0) |
                      (one_of(q, 8) ? 0 : EVTSEL_EN));
}

/* No PMI of a counter whose overflow bit may be set a second time. */
static u64 field_drawn(struct sequence *q, struct counter c)
{
    clear_bit(q, c);
    return (one_of(q, 3) ? 0 : FIXED_OS(c.index)) | (one_of(q, 3) ? 0 : FIXED_USR(c.index)) |
           (!overflows_again(c) && one_of(q, 2) ? FIXED_PMI(c.index) : 0);
}

/* Some fields in one write, the given one among them. */
static void fields_drawn(struct test *t, struct sequence *q, u32 which)
{
    u64 fields = q->shadow.fields;
    for_each_fixed_counter (t, i)
        if (i == which || one_of(q, 2))
            fields = (fields & ~FIXED_FIELD(i)) | field_drawn(q, fixed_counter(t->caps, i));
    shadow_fields(t, &q->shadow, fields);
}

static void draw_control(struct test *t, struct sequence *q)
{
    struct counter c = any_counter(t, q);
    if (c.fixed)
        fields_drawn(t, q, c.index);
    else
        select_drawn(t, q, c);
}

/* Clocks stay far from their end: how soon they would be there nobody promises. */
static void draw_value(struct test *t, struct sequence *q, struct counter c)
{
    bool near = counter_can_count(c, ARCH_EVENT_INSTRUCTIONS) && !one_of(q, 3);
    u64 far = random_next(&q->random) >> 34, ahead = NEAREST + random_below(&q->random, FARTHER);
    shadow_value(t, &q->shadow, c, near ? counter_preset(c, ahead) : far);
}

static void draw_any_value(struct test *t, struct sequence *q)
{
    draw_value(t, q, any_counter(t, q));
}

static void write_again(struct test *t, struct sequence *q)
{
    struct counter c = any_counter(t, q);
    if (c.fixed)
        shadow_fields(t, &q->shadow, q->shadow.fields);
    else
        shadow_select(t, &q->shadow, c.index, q->shadow.select[c.index]);
    shadow_value(t, &q->shadow, c, q->shadow.value[c.bit]);
}

/* CTR_FRZ is cleared with LVTPC open (pmi_unmask_first()), after all bits that could raise another PMI. */
static void thaw(struct test *t, struct sequence *q)
{
    shadow_status_clear(&q->shadow, q->shadow.status & shadow_interrupting(t, &q->shadow));
    pmi_unmask_first(t->caps);
    shadow_status_clear(&q->shadow, STATUS_CTR_FRZ);
}

static void clear_some(struct test *t, struct sequence *q)
{
    u64 standing = q->shadow.status & caps_counter_bits(t->caps), some = standing & random_next(&q->random);
    shadow_status_clear(&q->shadow, some ? some : standing);
}

static void change_freeze(struct test *t, struct sequence *q)
{
    if (t->caps->version < 4)
        return;
    if (one_of(q, 2) && freeze_possible(t->caps)) {
        shadow_freezing(t, &q->shadow, !q->shadow.freezing);
    } else if (q->shadow.status & STATUS_CTR_FRZ) {
        pmi_listen(PMI_FIXED, 0);
        thaw(t, q);
        pmi_close();
    } else {
        shadow_status_set(t, &q->shadow, STATUS_CTR_FRZ);
    }
}

static void set_some(struct test *t, struct sequence *q)
{
    u64 quiet = caps_counter_bits(t->caps) & ~shadow_interrupting(t, &q->shadow) & random_next(&q->random);
    if (t->caps->version >= 4 && quiet)
        shadow_status_set(t, &q->shadow, quiet);
}

/* ---- Runs */

/* A counter too near to its end, or one that could reach it at the end of the run, is set back first. */
static void keep_off_ends(struct test *t, struct sequence *q, bool user)
{
    for_each_counter (t, c) {
        u64 distance = shadow_distance(&q->shadow, *c);
        bool partly = user && shadow_rings(&q->shadow, *c) == COUNT_OS;
        if (distance < NEAREST || (partly && distance < ON_THE_WAY))
            shadow_value(t, &q->shadow, *c, 0);
    }
}

static void run(struct test *t, struct sequence *q)
{
    struct shadow_run run = {.user = one_of(q, 2), .stops = one_of(q, 2)};
    u64 k = run.user ? USER_K : SYSTEM_K;
    run.mask = caps_counter_bits(t->caps) & (random_next(&q->random) | random_next(&q->random));
    run.least = workload_instructions(&workloads[0], k);
    keep_off_ends(t, q, run.user);
    t->cell.user = run.user;
    pmi_listen(one_of(q, 2) ? PMI_NMI : PMI_FIXED, run.stops ? PMI_STOP : 0);
    run_block(t, run.mask, k);
    run.pmis = pmi_settled();
    shadow_compare_run(t, &q->shadow, &run);
    if (q->shadow.status & STATUS_CTR_FRZ && !one_of(q, 3))
        thaw(t, q);
    else
        shadow_status_clear(&q->shadow, q->shadow.status & shadow_interrupting(t, &q->shadow));
    pmi_close();
    t->cell.user = false;
}

/* ---- A sequence */

static void begin(struct test *t, struct sequence *q)
{
    q->random = random_begin(q->seed);
    shadow_begin(t, &q->shadow);
    for_each_gp_counter (t, n)
        select_drawn(t, q, gp_counter(t->caps, n));
    if (t->caps->fixed_bitmap)
        fields_drawn(t, q, 0);
    for_each_counter (t, c)
        draw_value(t, q, *c);
}

static void end(struct test *t, struct sequence *q)
{
    if (q->shadow.freezing)
        shadow_freezing(t, &q->shadow, false);
    for_each_counter (t, c)
        counter_clear(*c);
    pmu_status_clear(caps_counter_bits(t->caps) | (t->caps->version >= 4 ? STATUS_CTR_FRZ : 0));
}

static bool one_sequence(struct test *t, void *argument)
{
    static void (*const writes[])(struct test *, struct sequence *) = {
        draw_control, draw_any_value, write_again, clear_some, change_freeze, set_some, draw_control};
    struct sequence *q = argument;
    begin(t, q);
    for (q->step = 0; q->step < STEPS && !q->shadow.discord.label; q->step++) {
        shadow_compare(t, &q->shadow);
        if (q->step % 2)
            run(t, q);
        else
            writes[random_below(&q->random, ARRAY_SIZE(writes))](t, q);
    }
    end(t, q);
    return false;
}

static void sequences(struct test *t)
{
    for_each_own_turn (t, turn, SEQUENCES * (budget().repeats > 20 ? 8 : 1)) {
        struct sequence q = {.seed = turn + 1};
        repeat_clean(t, one_sequence, &q);
        check_no_discord(t, &q.shadow.discord, "status-after-run");
    }
}

TEST("global.sequences", .title = "After any sequence of writes and runs all registers are as the controls say",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .run = sequences);
