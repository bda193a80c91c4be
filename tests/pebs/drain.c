/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every profiler needs: the handler of the threshold's PMI takes the records, sets the index back to the base,
 * clears bit 62 and lets the counters continue, again and again. Each time the records begin at the base, and the next
 * PMI comes when the index has reached the threshold again.
 *
 * The block is run until three buffers are drained. The handler sets the index back before or after it clears bit 62,
 * by turns: both orders are in use. It clears the first word of the buffer, to see that the next record is written
 * there. A CPU that keeps an index of its own writes somewhere else, and one that raises the PMI
 * only once is silent from the second buffer on.
 *
 * A stop may come between an overflow and its record. That record is then written some time later, and the manual does
 * not say whether the counter is reloaded with it: if not, it has to count through its full width before it overflows
 * again. So if a counter stands past its overflow, everything is set up again, with another period, since otherwise the
 * next stop would come at the same place. On a CPU that never reloads this happens each time, and the test fails.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 1536 /* not a divisor of the some 2000 instructions from the PMI to the stop in its handler */
#define LONGER 1024
#define ANEW_MOST 4
#define THRESHOLD 2
#define DRAINS 3
#define RECORDS 8 /* per block: few enough that a body fits between two SMIs */
#define BLOCKS_MOST 6

static PER_CPU struct drain {
    struct sampling s;
    u32 anew;                    /* how often everything was set up again */
    bool index_first;            /* the handler sets the index back before it clears the status */
    volatile bool running, owed; /* a record was due, when the handler stopped */
    volatile u32 drained, early, elsewhere;
} drains;

/* A record's first word is never 0. */
static volatile u64 *first_word(const struct drain *d)
{
    return (volatile u64 *)(void *)d->s.setup.area.buffer;
}

/* Stopped past its overflow: a record is due, or was written without a reload. */
static bool past_overflow(const struct pebs_counter *c)
{
    return !(counter_read(c->counter) >> (c->counter.width - 1));
}

static void rewind(struct drain *d, const struct pmi_record *record)
{
    pebs_rewind(&d->s.setup);
    *first_word(d) = 0;
    if (!d->index_first)
        return;
    pmu_status_clear(record->status & sampling_status_bit(d->s.setup.caps));
    pmi_unmask_first(d->s.setup.caps);
}

/*
 * The handler has stopped everything, and then or in rewind() cleared the status: if the buffer's bit is set again, a
 * record came after the stop. The bit must not be set while the index is below the threshold.
 */
static void take_records(struct pmi_record *record)
{
    struct drain *d = &of_cpu(drains, cpu_index());
    struct pebs_setup *setup = &d->s.setup;
    bool reached = record->pebs_index >= (u64)setup->area.buffer + THRESHOLD * (u64)setup->size;
    d->early += !reached && (record->status & sampling_status_bit(d->s.setup.caps));
    d->drained += reached;
    d->elsewhere += reached && !*first_word(d);
    rewind(d, record);
    d->owed |= past_overflow(&setup->counter[0]) || (pmu_status() & sampling_status_bit(setup->caps));
    if (d->owed)
        return;
    if (d->running)
        pebs_go_on(setup);
    else
        pebs_resume(setup);
}

static void begin(struct test *t, struct drain *d)
{
    struct sampling_pair pair = sampling_basic(t);
    sampling_clear(t, &d->s);
    sampling_add(&d->s, &pair)->period = sampling_period(&pair, PERIOD + d->anew * LONGER);
    d->s.setup.threshold = THRESHOLD;
    d->drained = 0;
    d->owed = false;
    sampling_begin(t, &d->s);
    d->index_first = t->turn % 2 && t->caps->version >= VERSION_STREAMLINED; /* LVTPC could not be opened after it */
    pmi_listen(PMI_FIXED, d->index_first ? PMI_STOP : PMI_ACK);
    pmi_hook(take_records);
}

static void end(struct drain *d)
{
    sampling_end(&d->s);
    pmi_settled();
    pmi_close();
}

static void one_block(struct drain *d)
{
    d->running = true;
    sampling_run(&d->s, sampling_rounds(&d->s, RECORDS));
    d->running = false;
    settle();
}

/* May another block continue? If the last stop left a counter past its overflow, everything is set up again first. */
static bool again(struct test *t, struct drain *d)
{
    if (!d->owed && !past_overflow(&d->s.setup.counter[0]))
        return true;
    if (d->anew++ == ANEW_MOST)
        return false;
    end(d);
    begin(t, d);
    return true;
}

static bool one_drain(struct test *t)
{
    struct drain *d = &of_cpu(drains, t->cpu);
    u32 blocks = 1;
    d->anew = d->early = d->elsewhere = 0;
    begin(t, d);
    for (one_block(d); d->drained < DRAINS && blocks < BLOCKS_MOST && again(t, d); blocks++)
        one_block(d);
    end(d);
    check_true(t, "stops-after-drain", d->drained >= DRAINS, d->drained, "3 buffers or more", 0);
    check_equal(t, "below-threshold", d->early, 0, 0);
    check_equal(t, d->index_first ? "not-at-base-set-first" : "not-at-base", d->elsewhere, 0, 0);
    check_whole(t, &d->s);
    measure(t, "blocks-for-3-buffers", "blocks", blocks);
    return sampling_more(t, 2);
}

TEST("pebs.drain", .title = "Buffer after buffer is filled from its base and raises its PMI",
     .spec = "SDM 3B, Writing a PEBS Interrupt Service Routine", .needs = {.sampling = true, .apic = true},
     .scope = EACH_CPU, .repeat = one_drain, .measures = true);
