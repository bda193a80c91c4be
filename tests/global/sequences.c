/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whatever the PMU was used for before, its counters count, wrap, set their bits, raise PMIs and freeze as their
 * controls say now, and a write changes what it is for and nothing else. A sequence of steps is drawn: a control, two
 * fields of IA32_FIXED_CTR_CTRL in one write, the value of a counter, a value that is written again, bits of
 * IA32_PERF_GLOBAL_STATUS, freezing on or off; and every fourth step runs code at CPL 0 or 3, with some counters on, of
 * which some are about to overflow. After each step values, overflow bits and claims are compared.
 *
 * In a PMI's handler some runs stop all counters, and others go on. Before a bit of IA32_PERF_GLOBAL_STATUS stands
 * beside an open LVTPC, or a counter gets its PMI bit, the bit of that counter is cleared: what else would come of it
 * no manual says. A run may begin with other counters on for a moment, so that one stops while another goes on.
 */
#include "harness/test.h"

#define STEPS 64
#define RUN_EACH 4 /* of them */
#define TRIES 3    /* with so many steps: on the reference PMU there is no time for many long ones */
#define SEQUENCES 8
#define NEAREST 70   /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */
#define DISTANCES 3  /* few, or in every other sequence one, so that counters often wrap together */
#define SYSTEM_K 100 /* 1,200 instructions: past each overflow, and more than 64 after it (BJ58) */
#define USER_K 200   /* more, as a change of ring may hide some */
#define CLOCKS_K 600 /* enough for a clock that is SLOW_EVENTS before its end */
#define SLOW_EVENTS 100
#define FAR 100000 /* more than a run can have, with what is around it */

struct sequence {
    u64 seed, random;
    u32 step, tries; /* those that something came into */
    bool ran;        /* the step before was this run, with these counters about to overflow */
    struct shadow_run last;
    u64 near;
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

/*
 * Of two one that is counted exactly; and one of these, in each sequence another most often, so that counters often
 * count alike. Indices are those of CPUID.0AH:EBX.
 */
static u16 event_drawn(const struct test *t, struct sequence *q)
{
    static const struct {
        u16 event, index;
    } others[] = {{ARCH_EVENT_BRANCHES, 5},
                  {ARCH_EVENT_BRANCH_MISSES, 6},
                  {ARCH_EVENT_CORE_CYCLES, 0},
                  {ARCH_EVENT_REF_CYCLES, 2}};
    u64 which = (one_of(q, 3) ? random_next(&q->random) >> 32 : q->seed) % ARRAY_SIZE(others);
    return one_of(q, 2) || !caps_event_available(t->caps, others[which].index) ? ARCH_EVENT_INSTRUCTIONS
                                                                               : others[which].event;
}

static void select_drawn(struct test *t, struct sequence *q, struct counter c)
{
    static const u64 fields[] = {EVTSEL_OS, EVTSEL_USR, EVTSEL_INT, EVTSEL_EN};
    u64 rings = (one_of(q, 3) ? 0 : EVTSEL_OS) | (one_of(q, 3) ? 0 : EVTSEL_USR);
    u16 event = event_drawn(t, q);
    u64 select = EVTSEL_ENCODING(event) | rings | (one_of(q, 2) ? EVTSEL_INT : 0) | (one_of(q, 8) ? 0 : EVTSEL_EN);
    clear_bit(q, c);
    if (q->shadow.select[c.index] && one_of(q, 2))
        select = q->shadow.select[c.index] ^ fields[random_below(&q->random, ARRAY_SIZE(fields))];
    shadow_select(t, &q->shadow, c.index, select);
}

/* Anew, or one bit of it. No PMI of a counter whose overflow bit may be set a second time. */
static u64 field_drawn(struct sequence *q, struct counter c)
{
    const u64 bits[] = {FIXED_OS(c.index), FIXED_USR(c.index), FIXED_PMI(c.index)};
    u64 field = (one_of(q, 3) ? 0 : bits[0]) | (one_of(q, 3) ? 0 : bits[1]) | (one_of(q, 2) ? bits[2] : 0);
    clear_bit(q, c);
    if (one_of(q, 2))
        field = (q->shadow.fields & FIXED_FIELD(c.index)) ^ bits[random_below(&q->random, ARRAY_SIZE(bits))];
    return overflows_again(c) ? field & ~bits[2] : field;
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

/*
 * About to overflow, at its start, or anywhere. Clocks are brought near their end by runs that are long; they alone are
 * set to their end itself, as drivers of Haswell tell of fixed counter 0 that it may set its bit then.
 */
static void draw_value(struct test *t, struct sequence *q, struct counter c)
{
    bool clock = c.fixed && shadow_clock(&q->shadow, c), near = shadow_events(&q->shadow, c, 1) && !one_of(q, 3);
    u64 ahead = NEAREST + (q->seed % 2 ? 0 : 8 * random_below(&q->random, DISTANCES));
    const u64 far[] = {0, random_next(&q->random) >> 34, counter_preset(c, 1)};
    shadow_value(t, &q->shadow, c, near ? counter_preset(c, ahead) : far[random_below(&q->random, clock ? 3 : 2)]);
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

/* Bits of IA32_PERF_GLOBAL_STATUS that concern no counter, and that software may set. */
static u64 settable_features(const struct test *t)
{
    u64 legal = t->caps->version < 4 ? 0 : gate_bits(t->caps, MSR_PERF_GLOBAL_STATUS_SET);
    return legal & (STATUS_LBR_FRZ | STATUS_OVF_BUFFER | (t->caps->sgx ? STATUS_ASCI : 0));
}

/* CTR_FRZ is cleared with LVTPC open (pmi_unmask_first()), and after all bits that may freeze or interrupt again. */
static void thaw(struct test *t, struct sequence *q)
{
    shadow_status_clear(&q->shadow, caps_counter_bits(t->caps));
    pmi_unmask_first(t->caps);
    shadow_status_clear(&q->shadow, STATUS_CTR_FRZ | (one_of(q, 2) ? settable_features(t) : 0));
}

static void clear_some(struct test *t, struct sequence *q)
{
    u64 standing = q->shadow.status & (caps_counter_bits(t->caps) | settable_features(t)),
        some = standing & random_next(&q->random);
    shadow_status_clear(&q->shadow, some ? some : standing);
}

/* Branches are recorded in one of four sequences: the reference PMU is slow then. */
static u64 debugctl_drawn(const struct test *t, struct sequence *q)
{
    u64 bits = freeze_possible(t->caps) ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : 0;
    if (freeze_lbrs_possible(t->caps))
        bits |= DEBUGCTL_FREEZE_LBRS_ON_PMI | (q->seed % 4 ? 0 : DEBUGCTL_LBR);
    return bits & random_next(&q->random);
}

static void change_freeze(struct test *t, struct sequence *q)
{
    if (t->caps->version < 4)
        return;
    if (one_of(q, 2)) {
        shadow_debugctl(t, &q->shadow, debugctl_drawn(t, q));
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
    u64 quiet = caps_counter_bits(t->caps) & ~(shadow_interrupting(t, &q->shadow) | GLOBAL_FIXED(FIXED_REF_CYCLES));
    quiet = (quiet | settable_features(t)) & random_next(&q->random);
    if (t->caps->version >= 4 && quiet)
        shadow_status_set(t, &q->shadow, quiet);
}

/* ---- Runs */

/*
 * Some counters are brought to one distance from their ends. A counter too near to its end, or one that could reach it
 * at the end of the run, is set back; so is one without its PMI bit where a PMI freezes, as the manual's texts differ
 * about its overflow. Clocks are near their ends in long runs alone.
 */
static void prepare(struct test *t, struct sequence *q, const struct shadow_run *run)
{
    u64 unsure = shadow_freezes(&q->shadow) ? ~shadow_interrupting(t, &q->shadow) : 0;
    u64 ahead = NEAREST + 8 * random_below(&q->random, DISTANCES);
    for_each_counter (t, c) {
        u64 distance = shadow_distance(&q->shadow, *c), events = shadow_events(&q->shadow, *c, run->k);
        bool early = run->first & ~run->mask & BIT(c->bit), late = distance + NEAREST > events;
        bool partly = early || (run->user && shadow_rings(&q->shadow, *c) == COUNT_OS);
        bool clock = shadow_clock(&q->shadow, *c) && run->k == CLOCKS_K;
        bool near = q->ran ? q->near >> c->bit & 1 : one_of(q, 3);
        q->near = near ? q->near | BIT(c->bit) : q->near & ~BIT(c->bit);
        if ((events || clock) && !partly && !(unsure >> c->bit & 1) && near)
            shadow_value(t, &q->shadow, *c, counter_preset(*c, clock ? SLOW_EVENTS : ahead));
        else if (distance < NEAREST || (distance < FAR && (partly || unsure >> c->bit & 1 || late)))
            shadow_value(t, &q->shadow, *c, 0);
    }
}

static struct shadow_run draw_run(const struct test *t, struct sequence *q)
{
    struct shadow_run run = {.user = one_of(q, 2), .stops = one_of(q, 2)};
    run.k = one_of(q, 6) ? CLOCKS_K : run.user ? USER_K : SYSTEM_K;
    run.mask = caps_counter_bits(t->caps) & (random_next(&q->random) | random_next(&q->random));
    if (one_of(q, 3))
        run.first = one_of(q, 2) ? run.mask : caps_counter_bits(t->caps) & random_next(&q->random);
    return run;
}

static void acknowledge(struct test *t, struct sequence *q)
{
    if (q->shadow.status & STATUS_CTR_FRZ && !one_of(q, 3))
        thaw(t, q);
    else
        shadow_status_clear(&q->shadow, q->shadow.status & shadow_interrupting(t, &q->shadow));
}

static void run(struct test *t, struct sequence *q)
{
    struct shadow_run run = q->ran ? q->last : draw_run(t, q);
    q->last = run;
    prepare(t, q, &run);
    t->cell.user = run.user;
    run.nmi = one_of(q, 2);
    pmi_listen(run.nmi ? PMI_NMI : PMI_FIXED, run.stops ? PMI_STOP : 0);
    if (run.first)
        write_msr(t, MSR_PERF_GLOBAL_CTRL, run.first);
    run_block(t, run.mask, run.k);
    run.pmis = pmi_settled();
    run.ctrl = pmi_log()->record[0].global_ctrl;
    shadow_compare_run(t, &q->shadow, &run);
    acknowledge(t, q);
    pmi_close();
    t->cell.user = false;
}

/* ---- A sequence */

static void begin(struct test *t, struct sequence *q)
{
    q->random = random_begin(q->seed);
    q->ran = false;
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
    if (q->shadow.debugctl != q->shadow.found)
        shadow_debugctl(t, &q->shadow, q->shadow.found);
    for_each_counter (t, c)
        counter_clear(*c);
    pmu_status_clear(caps_counter_bits(t->caps) | STATUS_CTR_FRZ | settable_features(t));
}

static void write_something(struct test *t, struct sequence *q)
{
    static void (*const writes[])(struct test *, struct sequence *) = {
        draw_control, draw_any_value, write_again, clear_some, change_freeze, set_some, draw_control, change_freeze};
    writes[random_below(&q->random, ARRAY_SIZE(writes))](t, q);
}

/* A run is often made again, with nothing written between but the values of counters. */
static void one_step(struct test *t, struct sequence *q)
{
    bool runs = q->step % RUN_EACH == RUN_EACH - 1 || (q->ran && one_of(q, 2));
    shadow_compare(t, &q->shadow);
    if (runs)
        run(t, q);
    else
        write_something(t, q);
    q->ran = runs;
}

/* Where a whole sequence is never without SMIs or NMIs by others, its first steps may be. */
static bool one_sequence(struct test *t, void *argument)
{
    struct sequence *q = argument;
    u32 shorter = q->tries++ / TRIES;
    begin(t, q);
    for (q->step = 0; q->step <= (u32)STEPS >> shorter && !q->shadow.discord.label; q->step++)
        one_step(t, q);
    end(t, q);
    return false;
}

static void sequences(struct test *t)
{
    bool told = false;
    for_each_own_turn (t, turn, SEQUENCES * (budget().repeats > QUICK_REPEATS ? 8 : 1)) {
        struct sequence q = {.seed = turn + 1};
        repeat_clean(t, one_sequence, &q);
        check_no_discord(t, &q.shadow.discord, "status-after-run");
        if (!told)
            discord_tell(t, &q.shadow.discord, q.seed);
        told |= !!q.shadow.discord.label;
    }
}

TEST("global.sequences", .title = "After any sequence of writes and runs all registers are as the controls say",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .run = sequences,
     .alone = "it draws what is around each step itself");
