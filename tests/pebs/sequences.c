/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whatever sampled before, each new set-up samples as if it were the first. A sequence of set-ups is drawn: one to four
 * counters, their events, rings, first and further periods, CPL 0 or 3, a threshold or none, the two areas in turn. Of
 * each block the number of events is known, and so is each counter's number of records, give or take one that is at
 * the end. Each record belongs to counters of this set-up, lies in the block and holds its registers; each counter ends
 * less than its period below its end, with its bit of IA32_PERF_GLOBAL_STATUS clear; nothing reaches the old area any
 * more; and the threshold is told if, and only if, so many records came.
 *
 * Counters with the precise distribution are left out: what they do while another counter samples is undefined (BJ97).
 */
#include "harness/chapter/sampling.h"

#define SEQUENCES 4
#define STEPS 5u
#define TRIES 7 /* with so many steps; where a whole sequence is never without an SMI, its first ones may be */
#define MOST 4  /* counters */
#define ROUNDS_LEAST 20
#define ROUNDS_MORE 28
#define PERIOD 1024    /* in instructions; a multiple of 64, as all are */
#define LATE 8         /* events until the record */
#define MARGIN 40      /* events that starting, stopping and a record's delay may add or take */
#define PLACES 32      /* multiples of 8 bytes */
#define TRANSITION 320 /* events after a change of ring that a counter for one ring may not count (SKL117) */
#define CHANGES 20000  /* more than the way to CPL 3 and back has */

struct bounds {
    u64 low, high;
};

struct sequence {
    u64 seed, random;
    u32 step, tries; /* those that something came into */
    bool stops;      /* the PMI's handler stops the counters */
    u32 pmis;
    u64 rounds;
    struct sampling now, old;
    u64 old_written, old_touched;
    struct bounds records[MOST], all;
    u64 carried; /* counters that were stopped before their last record: some CPUs write it to the next area */
    bool due;    /* the threshold is reached for certain */
    bool records_branches;
    struct discord discord;
};

static u32 below(struct sequence *q, u32 n)
{
    return random_below(&q->random, n);
}

/* Did a PMI's handler stop the counters? */
static bool cut(const struct sequence *q)
{
    return q->pmis && q->stops;
}

/* ---- A set-up */

static u64 counters_of(const struct sampling *s)
{
    u64 mask = 0;
    for (unsigned i = 0; i < s->own; i++)
        mask |= BIT(s->setup.counter[i].counter.bit);
    return mask;
}

static void add_drawn(const struct test *t, struct sequence *q, u32 pairs)
{
    struct sampling_pair pair;
    sampling_pair(t, below(q, pairs), &pair);
    u64 bit = BIT(pair.counter.bit);
    if (bit & (counters_of(&q->now) | pebs_precise_bits(t->caps)))
        return;
    struct pebs_counter *c = sampling_add(&q->now, &pair);
    c->period = sampling_period(&pair, PERIOD + 64 * below(q, 16));
    c->first = sampling_period(&pair, PERIOD / 4 + 64 * below(q, 16));
    c->flags |= below(q, 2) ? COUNT_OS | COUNT_USR : 0;
}

static u64 events_of(const struct sequence *q, const struct pebs_counter *c)
{
    struct sampling_pair pair = {.counter = c->counter, .event.event = c->event};
    return q->rounds * sampling_a_round(&pair);
}

/* How many records so many events make. */
static u64 records_of(const struct pebs_counter *c, u64 events)
{
    return events < c->first ? 0 : 1 + (events - c->first) / c->period;
}

/* Sometimes the block's last event is an overflow, so that its record is due while all is stopped. */
static void end_in_overflow(struct sequence *q)
{
    struct pebs_counter *c = &q->now.setup.counter[0];
    u64 events = events_of(q, c);
    c->first = events - (events - c->first) / c->period * c->period;
}

static void expect(struct sequence *q, unsigned i)
{
    const struct pebs_counter *c = &q->now.setup.counter[i];
    bool handler = q->now.setup.threshold && !q->stops && c->flags & COUNT_OS;
    u64 fewer = MARGIN + (c->flags & COUNT_OS ? 0 : TRANSITION), carried = q->carried >> c->counter.bit & 1;
    u64 events = events_of(q, c), least = events > fewer ? events - fewer : 0,
        more = MARGIN + ((q->now.user && c->flags & COUNT_OS) || handler ? CHANGES : 0);
    q->records[i] = (struct bounds){records_of(c, least), records_of(c, events + more) + carried};
    q->all.low = q->all.low > q->records[i].low ? q->all.low : q->records[i].low;
    q->all.high += q->records[i].high;
}

/* A buffer that is full takes no more; whether a record may begin at the maximum itself differs. */
static void expect_all(const struct test *t, struct sequence *q)
{
    u64 fit = q->now.setup.records + pebs_maximum_included(t->caps);
    q->all = (struct bounds){0, sampling_number(q->carried)};
    for (unsigned i = 0; i < q->now.own; i++)
        expect(q, i);
    q->due = q->all.low > q->now.setup.threshold;
    for (unsigned i = 0; i < q->now.own && q->now.setup.records; i++)
        q->records[i] = (struct bounds){0, fit};
    if (q->now.setup.records && q->all.low > q->now.setup.records)
        q->all.low = q->now.setup.records;
    if (q->now.setup.records && q->all.high > fit)
        q->all.high = fit;
}

static void draw(struct test *t, struct sequence *q)
{
    struct sampling_pair pair;
    u32 pairs = sampling_pair(t, 0, &pair), wanted = 1 + below(q, MOST);
    t->cell.user = below(q, 2);
    sampling_clear(t, &q->now);
    for (u32 tries = 0; q->now.own < wanted && (tries < 2 * MOST || !q->now.own); tries++)
        add_drawn(t, q, pairs);
    q->now.setup.which = q->step % DS_AREAS;
    q->now.setup.threshold = below(q, 2) ? 0 : 1 + below(q, 3);
    q->now.setup.records = below(q, 3) || apebs_usable(t->caps) ? 0 : q->now.setup.threshold;
    q->stops = below(q, 2);
    if (below(q, 2))
        sampling_registers(&q->now);
    q->rounds = ROUNDS_LEAST + below(q, ROUNDS_MORE);
    if (!below(q, 3))
        end_in_overflow(q);
    expect_all(t, q);
}

/* Where the records and the DS area begin. */
static void draw_places(const struct test *t, struct sequence *q)
{
    q->now.setup.base = below(q, 2) ? 8 * below(q, PLACES) : 0;
    q->now.setup.place = below(q, 2) ? 8 * below(q, PLACES) : 0;
    q->records_branches = freeze_lbrs_possible(t->caps) && !below(q, 6);
}

/* All is set up, and stopped: the enables are written in two writes, sometimes while the counters are frozen. */
static void enable_again(struct test *t, struct sequence *q)
{
    bool frozen = t->caps->version >= 4 && !below(q, 3);
    if (apebs_usable(t->caps))
        return;
    u64 all = read_msr(t, MSR_PEBS_ENABLE);
    if (frozen)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    write_msr(t, MSR_PEBS_ENABLE, all & random_next(&q->random));
    write_msr(t, MSR_PEBS_ENABLE, all);
    if (frozen)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
}

/* ---- What it left */

/* IA32_PERF_GLOBAL_CTRL is 0 now, and sampling still enabled. */
static void compare_stopped(struct test *t, struct sequence *q)
{
    u64 bit = sampling_status_bit(t->caps);
    settle();
    for (unsigned i = 0; i < q->now.own; i++) {
        struct counter c = q->now.setup.counter[i].counter;
        u64 before = read_msr(t, c.msr);
        spin(SPIN_A_LITTLE);
        discord_unless(&q->discord, "not-stopped", read_msr(t, c.msr), before, 0, c.msr);
    }
    if (!q->stops && pmu_status() & bit) {
        pmu_status_clear(bit);
        discord_unless(&q->discord, "threshold-bit-stays", pmu_status() & bit, 0, ASPECT_BUFFER_BIT,
                       MSR_PERF_GLOBAL_STATUS);
    }
}

static u64 named_by(const struct sampling *s, u64 counter)
{
    u64 count = 0;
    for_each_record (s, record)
        count += (record.applicable & counter) != 0;
    return count;
}

/* Older records do not name their counters. How many a PMI's handler has until it stops them is not known. */
static void compare_numbers(const struct test *t, struct sequence *q)
{
    u64 end, all = sampling_count(&q->now, &end);
    if (cut(q))
        return;
    discord_range(&q->discord, "records-amiss", all, q->all.low, q->all.high, ASPECT_EACH_RECORD, MSR_PEBS_ENABLE);
    for (unsigned i = 0; i < q->now.own && pebs_format(t->caps) >= 3; i++) {
        struct counter c = q->now.setup.counter[i].counter;
        discord_range(&q->discord, "records-amiss", named_by(&q->now, BIT(c.bit)), q->records[i].low,
                      q->records[i].high, ASPECT_EACH_RECORD, c.msr);
    }
}

static bool own_level_alone(const struct sampling *s)
{
    for (unsigned i = 0; i < s->own; i++)
        if (s->user && s->setup.counter[i].flags & COUNT_OS)
            return false;
    return true;
}

static bool carried_here(const struct sequence *q, const struct pebs_record *record, u32 before)
{
    return record->has & PEBS_HAS_COUNTERS ? !!(record->applicable & q->carried) : !before;
}

/* An overflow by the block's last event has its record in the code that follows: of the last one anything goes. */
static void compare_records(struct sequence *q)
{
    u64 end, mask = counters_of(&q->now);
    u32 seen = 0, all = sampling_count(&q->now, &end), left = own_level_alone(&q->now) && !q->pmis ? all : 0;
    discord_unless(&q->discord, "not-whole-records", end, pebs_written(&q->now.setup), 0, 0);
    for_each_record (&q->now, record) {
        bool carried = q->carried && carried_here(q, &record, seen++);
        if (record.has & PEBS_HAS_COUNTERS && !carried)
            discord_unless(&q->discord, "record-of-another", !record.applicable || record.applicable & ~mask, 0, 0,
                           MSR_PEBS_ENABLE);
        if (left > 1 && !carried)
            discord_unless(&q->discord, "wrong-place", sampled_holds(record.ip), true, ASPECT_SAMPLED_LEVEL,
                           MSR_PEBS_ENABLE);
        if (record.has & PEBS_HAS_REGISTERS && !carried)
            discord_unless(&q->discord, "wrong-register", sampling_wrong_register(&q->now, &record), PEBS_REGISTERS, 0,
                           0);
        left -= left > 0;
    }
}

/*
 * A counter that has just wrapped waits for its next event, and may have its status bit set until the record is
 * written. Whether one whose record found no room is reset differs.
 */
static void compare_counters(struct test *t, struct sequence *q)
{
    u64 waiting = 0;
    for (unsigned i = 0; i < q->now.own; i++) {
        const struct pebs_counter *c = &q->now.setup.counter[i];
        bool reset = q->records[i].low && !cut(q);
        u64 value = read_msr(t, c->counter.msr);
        waiting |= value >> (c->counter.width - 1) ? 0 : BIT(c->counter.bit);
        u64 most = reset || c->period > c->first ? c->period : c->first;
        u64 above = (value - counter_preset(c->counter, most)) & counter_preset(c->counter, 1);
        if (!q->now.setup.records)
            discord_range(&q->discord, "reset-value", above, 0, most + LATE, 0, c->counter.msr);
    }
    q->carried = waiting;
    if (!apebs_usable(t->caps)) /* with which the bits may stay */
        discord_unless(&q->discord, "status-set", pmu_status() & counters_of(&q->now) & ~waiting, 0,
                       ASPECT_SAMPLED_STATUS, MSR_PERF_GLOBAL_STATUS);
}

/* Debug store alone: the index of architectural PEBS is not in the area. */
static void compare_old_area(const struct test *t, struct sequence *q)
{
    if (!q->step || apebs_usable(t->caps))
        return;
    discord_unless(&q->discord, "old-area-changed", pebs_written(&q->old.setup), q->old_written,
                   ASPECT_DISABLED_RECORDS, MSR_DS_AREA);
    discord_unless(&q->discord, "old-area-changed", ds_area_touched(&q->old.setup.area, q->old_written), q->old_touched,
                   ASPECT_DISABLED_RECORDS, MSR_DS_AREA);
}

/* Architectural PEBS may begin a buffer with pieces that hold nothing. */
static void compare_threshold(const struct test *t, struct sequence *q)
{
    u64 threshold = q->now.setup.threshold;
    u64 status = q->pmis ? pmi_log()->record[0].status : pmu_status(), bit = status & sampling_status_bit(t->caps);
    if (threshold && q->due)
        discord_unless(&q->discord, "not-told-at-threshold", q->pmis && bit, true,
                       ASPECT_BUFFER_BIT | ASPECT_THRESHOLD_PMI, MSR_PERF_GLOBAL_STATUS);
    if (!threshold || q->all.high + apebs_usable(t->caps) < threshold)
        discord_unless(&q->discord, "told-too-early", q->pmis || bit, false, ASPECT_BUFFER_BIT | ASPECT_SAMPLED_STATUS,
                       MSR_PERF_GLOBAL_STATUS);
}

/* ---- A sequence */

static void keep_old(const struct test *t, struct sequence *q)
{
    q->old = q->now;
    q->old_written = pebs_written(&q->old.setup);
    q->old_touched = apebs_usable(t->caps) ? 0 : ds_area_touched(&q->old.setup.area, q->old_written);
}

/* Overflow bits of counters that do not sample: beside a handler that clears nothing, so that none is left to repeat.
 */
static u64 standing(const struct test *t, struct sequence *q)
{
    u64 others = caps_counter_bits(t->caps) & ~counters_of(&q->now);
    return t->caps->version < 4 || q->stops ? 0 : others & random_next(&q->random);
}

static void run(struct test *t, struct sequence *q)
{
    u64 stand = standing(t, q);
    draw_places(t, q);
    sampling_begin(t, &q->now);
    enable_again(t, q);
    u64 debugctl = freeze_begin(q->records_branches ? DEBUGCTL_LBR : 0);
    if (stand)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, stand);
    pmi_open(PMI_FIXED, q->stops ? PMI_ACK : 0);
    interrupts_on();
    sampling_run(&q->now, q->rounds);
    if (q->now.setup.threshold && q->due)
        pmi_wait(1);
    interrupts_off();
    q->pmis = pmi_log()->count;
    write_msr(t, MSR_DEBUGCTL, debugctl);
    compare_threshold(t, q);
    compare_stopped(t, q);
    sampling_end(&q->now);
    pmu_status_clear(stand);
    pmi_close();
}

static void one_step(struct test *t, struct sequence *q)
{
    draw(t, q);
    run(t, q);
    compare_records(q);
    compare_numbers(t, q);
    compare_counters(t, q);
    compare_old_area(t, q);
    pmu_status_clear(sampling_status_bit(t->caps));
    keep_old(t, q);
    t->cell.user = false;
}

static bool one_sequence(struct test *t, void *argument)
{
    struct sequence *q = argument;
    q->random = random_begin(q->seed);
    q->discord = (struct discord){.label = NULL};
    q->carried = 0;
    u32 shorter = q->tries++ / TRIES;
    for (q->step = 0; q->step <= STEPS >> shorter && !q->discord.label; q->step++)
        one_step(t, q);
    pmu_status_clear(q->carried);
    return false;
}

static void sequences(struct test *t)
{
    struct sampling_pair pair;
    if (!sampling_pair(t, 0, &pair))
        skip(t, "signature %08x: no event can be sampled at any time", t->caps->signature);
    for_each_own_turn (t, turn, SEQUENCES * (budget().repeats > QUICK_REPEATS ? 6 : 1)) {
        struct sequence q = {.seed = turn + 1};
        repeat_clean(t, one_sequence, &q);
        check_no_discord(t, &q.discord, "records-amiss");
    }
}

TEST("pebs.sequences", .title = "After any sequence of set-ups each samples as if it were the first",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .needs = {.sampling = true, .apic = true}, .scope = EACH_CPU,
     .run = sequences, .alone = "it draws what is around each set-up itself");
