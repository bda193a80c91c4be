/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When a record takes the index to the threshold of the buffer, and not before, bit 62 of IA32_PERF_GLOBAL_STATUS (bit
 * 54 with architectural PEBS) is set and a PMI raised. The threshold is one or two records above the base, in turn. The
 * handler finds the bit set and the index at the threshold or beyond; how far beyond is measured, because records keep
 * coming until the handler stops them. A block with exactly as many records as the threshold also raises the PMI; one
 * that ends one record short of it raises nothing and leaves the bit clear. All this holds at CPL 0 and at CPL 3. The
 * threshold of the DS area is the one in memory: set there after the first records, it holds although IA32_DS_AREA is
 * not written again. Records of several counters fill the one buffer together.
 *
 * If the PMI comes early, software reads records that do not exist; if it never comes, they are lost. (AG69, AJ69: bit
 * 62 stays clear; AJ68, AR64, W127: one record late.)
 */
#include "harness/chapter/sampling.h"

#define HIGHEST 2
/* Long: the handler reads the index before another record comes, and all records together may be half a period late. */
#define PERIOD 4096
#define BEYOND 4 /* records after the threshold: the PMI may come some of them later */

static void start(struct test *t, struct sampling *s, u32 threshold)
{
    s->setup.threshold = threshold;
    sampling_begin(t, s);
    pmi_open(PMI_FIXED, PMI_ACK);
}

static void begin(struct test *t, struct sampling *s, const struct sampling_pair *pair, u32 threshold)
{
    sampling_clear(t, s);
    sampling_add(s, pair)->period = sampling_period(pair, PERIOD);
    start(t, s, threshold);
}

static void end(struct sampling *s)
{
    sampling_end(s);
    interrupts_off();
    pmi_close();
}

static void run_beyond(struct test *t, struct sampling *s, u32 threshold)
{
    interrupts_on();
    sampling_run(s, sampling_rounds(s, threshold + BEYOND));
    bool came = pmi_wait(1);
    end(s);
    if (!check_true(t, "not-delivered", came, pebs_written(&s->setup) / s->setup.size, "a PMI at the threshold",
                    s->setup.counter[0].counter.msr))
        return;
    const struct pmi_record *pmi = &pmi_log()->record[0];
    u64 records = (pmi->pebs_index - (u64)s->setup.area.buffer) / s->setup.size;
    check_true(about(t, ASPECT_BUFFER_BIT), "no-buffer-bit", pmi->status & sampling_status_bit(t->caps), pmi->status,
               "the threshold's bit set", MSR_PERF_GLOBAL_STATUS);
    check_true(t, "below-threshold", records >= threshold, records, "as many records as the threshold", 0);
    measure(t, "records-beyond", "records", records - threshold);
}

static void reached(struct test *t, const struct sampling_pair *pair, u32 threshold)
{
    struct sampling s;
    begin(t, &s, pair, threshold);
    run_beyond(t, &s, threshold);
}

/* Two counters that sample the same event, none of them with the precise distribution (BJ97): is there such a pair? */
static bool find_two(const struct test *t, struct sampling_pair *one, struct sampling_pair *other)
{
    for (unsigned i = 0; pebs_event(t->caps, i, &one->event); i++) {
        u64 counters = one->event.counters & MASK(31, 0) & ~pebs_precise_bits(t->caps);
        if (one->event.kind >= PEBS_LATENCY || one->event.care != PEBS_ANY_TIME || sampling_number(counters) < 2)
            continue;
        *other = *one;
        one->counter = sampling_in_turn(t, counters, 0);
        other->counter = sampling_in_turn(t, counters, 1);
        return true;
    }
    return false;
}

/* Both sample as often, in turn, and their records fill the same buffer. */
static void reached_by_two(struct test *t, const struct sampling_pair *pair, u32 threshold)
{
    struct sampling s;
    struct sampling_pair one, other;
    if (!find_two(t, &one, &other)) {
        reached(t, pair, threshold);
        return;
    }
    sampling_clear(t, &s);
    sampling_add(&s, &one)->period = sampling_period(&one, PERIOD);
    struct pebs_counter *second = sampling_add(&s, &other);
    second->period = sampling_period(&other, PERIOD);
    second->first = second->period * 3 / 2;
    start(t, &s, threshold);
    run_beyond(t, &s, threshold);
}

/* First without a threshold; then with one, while IA32_DS_AREA keeps the address that it has. */
static void set_later(struct test *t, const struct sampling_pair *pair, u32 threshold)
{
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, pair)->period = sampling_period(pair, PERIOD);
    sample(t, &s, 1);
    s.setup.threshold = threshold;
    if (!pebs_begin_without(&s.setup, "ds-area"))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the buffer, or no room in it");
    pmi_open(PMI_FIXED, PMI_ACK);
    run_beyond(t, &s, threshold);
}

/*
 * As many records as the threshold needs and no more, since a further one could raise the PMI. A run without a
 * threshold comes first: no record still pending from the previous run can raise it.
 */
static void just_reached(struct test *t, const struct sampling_pair *pair, u32 threshold)
{
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, pair)->period = sampling_period(pair, PERIOD);
    sample(t, &s, 1);
    begin(t, &s, pair, threshold);
    interrupts_on();
    sampling_run(&s, sampling_rounds(&s, threshold));
    check_true(about(t, ASPECT_THRESHOLD_PMI), "not-delivered-at-once", pmi_wait(1),
               pebs_written(&s.setup) / s.setup.size, "a PMI at once", pair->counter.msr);
    end(&s);
}

/* With interrupts off, since any handler in between would be sampled, too; the PMI is accepted afterwards. */
static void not_reached(struct test *t, const struct sampling_pair *pair, u32 threshold)
{
    struct sampling s;
    begin(t, &s, pair, threshold + 1);
    sampling_run(&s, sampling_rounds(&s, threshold));
    sampling_end(&s);
    /* Records without contents (padding) may have moved the index there. */
    if (sampling_padding(&s) >= s.setup.size) {
        end(&s);
        return;
    }
    check_bit(t, "bit-too-early", MSR_PERF_GLOBAL_STATUS, sampling_status_bit(t->caps), false);
    interrupts_on();
    check_equal(about(t, ASPECT_SAMPLED_STATUS), "pmi-too-early", pmi_log()->count ? pmi_log()->record[0].status : 0, 0,
                MSR_PERF_GLOBAL_STATUS);
    end(&s);
}

static void (*const cases[])(struct test *t, const struct sampling_pair *pair, u32 threshold) = {
    reached, just_reached, not_reached, set_later, reached_by_two,
};

/* The cells come first; each round of them and of the cases has the other threshold. */
static bool one_threshold(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    unsigned kinds = ARRAY_SIZE(cases), cells = t->cells ? t->cells : 1, which = t->turn / cells % kinds;
    cases[which](t, &pair, 1 + (which + t->cell.user + t->turn / (cells * kinds)) % HIGHEST);
    return sampling_more(t, kinds * cells);
}

TEST("pebs.threshold", .title = "The threshold sets its bit and raises a PMI when it is reached, not before",
     .spec = "SDM 3B, Setting Up the DS Save Area", .covers = "B-077,B-083", .needs = {.sampling = true, .apic = true},
     .scope = EACH_CPU, .repeat = one_threshold, .cells = CELL_RINGS, .measures = true);
