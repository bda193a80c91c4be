/*
 * What a profiler lives on: the handler of the threshold's PMI takes the records, sets the index back to the base,
 * clears bit 62 and lets the counters go on, again and again. Each time the records begin at the base anew, and the
 * next PMI comes when the index has reached the threshold again.
 *
 * The block is run until three buffers were drained. The handler clears the first words of the buffer: the next record
 * lies there. A CPU that keeps the index to itself writes somewhere else, and one that raises the PMI once only is
 * silent from the second buffer on.
 */
#include "harness/sampling.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"

#define PERIOD 1024 /* longer than the way into the handler */
#define THRESHOLD 2
#define DRAINS 3
#define RECORDS 16
#define BLOCKS_MOST 64

static PER_CPU struct drain {
    struct sampling s;
    volatile bool running;
    volatile u32 drained, early, elsewhere;
} drains;

/* With its first word 0 a record is none. */
static volatile u64 *first_word(const struct drain *d)
{
    return (volatile u64 *)(void *)d->s.setup.area.buffer;
}

/* The handler has stopped everything and cleared the status; an index below the threshold is no reason for it. */
static void take_records(struct pmi_record *record)
{
    struct drain *d = &of_cpu(drains, cpu_index());
    struct pebs_setup *setup = &d->s.setup;
    bool reached = record->pebs_index >= (u64)setup->area.buffer + THRESHOLD * (u64)setup->size;
    d->early += !reached && (record->status & sampling_status_bit(d->s.setup.caps));
    d->drained += reached;
    d->elsewhere += reached && !*first_word(d);
    pebs_rewind(setup);
    *first_word(d) = 0;
    if (d->running)
        pebs_go_on(setup);
    else
        pebs_resume(setup);
}

static void begin(struct test *t, struct drain *d)
{
    struct sampling_pair pair = sampling_basic(t);
    sampling_clear(t, &d->s);
    sampling_add(&d->s, &pair)->period = sampling_period(&pair, PERIOD);
    d->s.setup.threshold = THRESHOLD;
    d->drained = d->early = d->elsewhere = 0;
    sampling_begin(t, &d->s);
    pmi_listen(PMI_FIXED, PMI_ACK);
    pmi_hook(take_records);
}

static bool one_drain(struct test *t)
{
    struct drain *d = &of_cpu(drains, t->cpu);
    u32 blocks = 0;
    begin(t, d);
    for (; blocks < BLOCKS_MOST && d->drained < DRAINS; blocks++) {
        d->running = true;
        sampling_run(&d->s, sampling_rounds(&d->s, RECORDS));
        d->running = false;
        settle();
    }
    sampling_end(&d->s);
    pmi_settled();
    pmi_close();
    check_true(t, "stops-after-drain", d->drained >= DRAINS, d->drained, "3 buffers or more", 0);
    check_equal(t, "below-threshold", d->early, 0, 0);
    check_equal(t, "not-at-base", d->elsewhere, 0, 0);
    check_whole(t, &d->s);
    measure(t, "blocks-for-3-buffers", "blocks", blocks);
    return sampling_more(t, 1);
}

TEST("pebs.drain", .title = "Buffer after buffer is filled from its base and raises its PMI",
     .spec = "SDM 3B, Writing a PEBS Interrupt Service Routine", .needs = {.sampling = true, .apic = true},
     .scope = EACH_CPU, .repeat = one_drain, .measures = true);
