/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A quiescent period between two set-ups lets residual records complete at the address that IA32_DS_AREA had when they
 * were armed: whole, of the code that ran, and nowhere else. A counter is stopped right after its overflow, if possible
 * before its record. After the period the same counter, as in a driver, or another one is set up with the other area,
 * another event if it has one, and its own privilege level, and runs without an overflow. Counters, events, levels,
 * fixed counters and loads by latency take turns.
 *
 * Nothing is in the new area; the old one holds nothing that was not there after the period; each of its records is
 * whole, has an address in the block, and the registers of the block. (Only of blocks at CPL 0, because the stop of
 * those at CPL 3 is other code.)
 *
 * A record is written with an event after the overflow, and that may no longer come. Then the overflow still stands in
 * IA32_PERF_GLOBAL_STATUS: how often is measured. A counter past its overflow without a record and without its bit has
 * lost it. (Right at 0 no bit is promised yet.) On CPUs where a counter stopped as it overflows keeps its status bit
 * for ever (AAJ143, BJ58, BV38) the stop stays 64 instructions away.
 */
#include "harness/chapter/sampling.h"

#define ROUNDS 2
#define FAR 0x1000000
#define QUIET_US 10000
#define LATENCY_LEAST 3
#define FIRST_FIXED 32 /* the bit of fixed counter 0 */

/*
 * What is sampled first; whether another counter follows; and how many events before the stop the overflow comes. With
 * 0 the next event surely comes too late for its record. With more it is a matter of luck, and takes some attempts.
 */
static const struct old {
    const char *label; /* a record of it is in the new area */
    enum pebs_kind kind;
    bool fixed, other;
    unsigned flags;
    u32 events;
} olds[] = {
    {"stray-of-instructions", PEBS_INSTRUCTIONS, false, false, COUNT_OS, 0},
    {"stray-of-both-levels", PEBS_BRANCHES, false, false, COUNT_OS | COUNT_USR, 0},
    {"stray-of-fixed", PEBS_INSTRUCTIONS, true, false, COUNT_USR, 0},
    {"stray-by-latency", PEBS_LATENCY, false, false, COUNT_OS, 0},
    {"stray-at-cpl-3", PEBS_BRANCHES, false, false, COUNT_USR, 0},
    {"stray-to-another-counter", PEBS_LOADS, false, true, COUNT_OS, 1},
};
/* How much earlier it comes in each attempt. */
static const u8 earlier[] = {0, 0, 1, 2};

/* One of the two set-ups. */
struct side {
    struct sampling_pair pair;
    unsigned flags;
};

struct change {
    const struct old *row;
    u32 round; /* how often the row has had its turn */
    struct side old, new;
};

/* Its counters take turns; false if this CPU samples no such thing at any time. */
static bool find_old(const struct test *t, const struct old *old, u32 turn, struct side *side)
{
    for (unsigned i = 0; pebs_event(t->caps, i, &side->pair.event); i++) {
        u64 bits = side->pair.event.counters & (old->fixed ? MASK(63, FIRST_FIXED) : MASK(FIRST_FIXED - 1, 0));
        if (side->pair.event.kind != old->kind || side->pair.event.care != PEBS_ANY_TIME || !bits)
            continue;
        side->pair.counter = sampling_in_turn(t, bits, turn);
        side->flags = old->flags;
        return true;
    }
    return false;
}

/* The rows that this CPU has, in turn. Returns their number; 0: none. */
static unsigned choose_old(const struct test *t, u32 turn, struct change *change)
{
    unsigned count = 0, wanted;
    for_each_row (olds, row)
        count += find_old(t, row, 0, &change->old);
    wanted = count ? turn % count : 0;
    change->round = count ? turn / count : 0;
    for_each_row (olds, row)
        if (find_old(t, row, change->round, &change->old) && !wanted--) {
            change->row = row;
            return count;
        }
    return 0;
}

/* The same counter, with another event if it samples one; or the next pair of another counter. */
static void choose_new(const struct test *t, u32 turn, struct change *change)
{
    const struct side *old = &change->old;
    struct sampling_pair pair;
    unsigned pairs = sampling_pair(t, 0, &pair);
    change->new = *old;
    change->new.flags = turn % 2 ? COUNT_OS : old->flags;
    for (unsigned i = 0; i < pairs; i++) {
        sampling_pair(t, turn + i, &pair);
        bool same = pair.counter.bit == old->pair.counter.bit;
        if (change->row->other ? !same : same && pair.event.event != old->pair.event.event) {
            change->new.pair = pair;
            return;
        }
    }
}

/* Runs the block with its first overflow after so many events; then all is off. */
static void run(struct test *t, const struct side *side, u64 first, unsigned which, struct sampling *s)
{
    sampling_clear(t, s);
    s->user = !(side->flags & COUNT_OS);
    s->setup.which = which;
    struct pebs_counter *c = sampling_add(s, &side->pair);
    c->flags = side->flags;
    c->first = first;
    c->period = first < FAR ? c->period : 2 * FAR;
    if (side->pair.event.kind == PEBS_LATENCY)
        s->setup.latency = LATENCY_LEAST;
    sampling_registers(s);
    sampling_begin(t, s);
    sampling_run(s, ROUNDS);
    pebs_stop(&s->setup, 0);
}

/* Length of the block in events: what starting and stopping adds is not promised. */
static u64 length_of(struct test *t, const struct side *side)
{
    struct sampling s;
    run(t, side, FAR, 0, &s);
    const struct counter *counter = &side->pair.counter;
    return (counter_read(*counter) - counter_preset(*counter, FAR)) & counter_mask(counter->width);
}

static bool past_overflow(const struct counter *counter)
{
    return !(counter_read(*counter) >> (counter->width - 1));
}

/* Stops soon after an overflow, if possible before its record. */
static void stop_before_record(struct test *t, const struct change *change, struct sampling *s)
{
    const struct sampling_pair *pair = &change->old.pair;
    unsigned attempts = change->row->events ? ARRAY_SIZE(earlier) : 1;
    u64 apart = class_status_sticks(cpu_class(t->caps)) ? sampling_a_round(pair) : 0;
    u64 last = length_of(t, &change->old) - change->row->events - apart;
    for (unsigned i = 0; i < attempts; i++) {
        run(t, &change->old, last - earlier[(change->round + i) % ARRAY_SIZE(earlier)], 0, s);
        if (!pebs_written(&s->setup) && past_overflow(&pair->counter))
            return;
    }
}

/* Did it overflow some events ago, without a record and without a sign? */
static bool vanished(struct test *t, const struct sampling *s)
{
    const struct counter *counter = &s->setup.counter[0].counter;
    bool owed = past_overflow(counter) && !pebs_written(&s->setup), stands = pmu_status() >> counter->bit & 1;
    measure(t, "overflow-without-record", "0-or-1", owed && stands);
    return owed && !stands && counter_read(*counter);
}

static void check_record(struct test *t, const struct sampling *s, const struct pebs_record *r)
{
    if (s->user)
        return;
    u64 own = BIT(s->setup.counter[0].counter.bit);
    if (r->has & PEBS_HAS_COUNTERS)
        check_equal(t, "residual-of-another", r->applicable, own, 0);
    check_true(t, "residual-elsewhere", sampled_holds(r->ip), r->ip, "an address in the code that was sampled", 0);
    if (!check_true(t, "no-registers", r->has & PEBS_HAS_REGISTERS, r->groups, "the group of general registers",
                    sampling_config(s)))
        return;
    unsigned wrong = sampling_wrong_register(s, r);
    check_equal(t, "residual-register", wrong < PEBS_REGISTERS ? r->reg[wrong] : 0,
                wrong < PEBS_REGISTERS ? s->block.reg[wrong] : 0, 0);
}

static void check_areas(struct test *t, const char *stray, const struct sampling *a, u64 waited,
                        const struct sampling *b)
{
    check_equal(about(t, ASPECT_DISABLED_RECORDS), "stray-in-the-old-area", pebs_written(&a->setup), waited, 0);
    u64 touched = ds_area_touched(&b->setup.area, 0);
    check_equal(about(t, ASPECT_DISABLED_RECORDS), stray,
                touched == ds_area_end(&b->setup.area) ? pebs_written(&b->setup) : touched + 1, 0, 0);
    measure(t, "records", "records", check_whole(t, a));
    for_each_record (a, record)
        check_record(t, a, &record);
}

static bool one_change(struct test *t)
{
    struct change change;
    struct sampling a, b;
    unsigned kinds = choose_old(t, t->turn + t->position, &change);
    choose_new(t, t->turn, &change);
    stop_before_record(t, &change, &a);
    bool before = !pebs_written(&a.setup);
    if (before)
        time_delay_us(QUIET_US);
    u64 waited = pebs_written(&a.setup);
    if (change.row->events)
        check_equal(about(t, ASPECT_EACH_RECORD), "vanished", vanished(t, &a), 0, a.setup.counter[0].counter.msr);
    run(t, &change.new, FAR, 1, &b);
    settle();
    check_areas(t, change.row->label, &a, waited, &b);
    measure(t, "stopped-before-the-record", "0-or-1", before);
    return sampling_more(t, kinds);
}

static void need_any(struct test *t)
{
    struct change change;
    if (!choose_old(t, 0, &change))
        skip(t, "signature %08x: nothing can be sampled at any time", t->caps->signature);
}

TEST("pebs.reconfigure-residual", .title = "A residual record completes whole in the area where it was armed",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .covers = "B-084", .needs = {.pebs = true}, .scope = EACH_CPU,
     .prepare = need_any, .repeat = one_change, .measures = true);
