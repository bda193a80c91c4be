/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_DEBUGCTL[12] freezes counters on the PMI of the buffer's threshold, too: from version 4 on CTR_FRZ is set, no
 * counter moves, those that sample included, and no more records come; before, IA32_PERF_GLOBAL_CTRL is cleared. One
 * record may still be on its way. And where software sets CTR_FRZ, a counter that is set up to sample stands still and
 * writes no record, until CTR_FRZ is cleared: then it samples. Counters and their events take turns, and loads by
 * latency.
 *
 * For the precise distribution of a GP counter errata call this undefined (BJ92), so on hardware such a counter has
 * instructions only if that is unlocked; it takes its turn with its other events. Whether the PMI comes at all depends
 * on what else freezes counters. How many records were written by then is measured. A PMI finds the threshold's bit set
 * (also on the CPUs that set it only with DEBUGCTL[12]: AJ69).
 */
#include "harness/chapter/sampling.h"

#define THRESHOLD 2
#define RECORDS 4
#define PERIOD 256
#define LATENCY_LEAST 3
#define ON_ITS_WAY 1 /* records */

/* Loads by latency last, where they are sampled at any time. Returns the number of turns. */
static unsigned choose(const struct test *t, u32 turn, struct sampling_pair *pair)
{
    unsigned counters = sampling_counter(t, 0, pair);
    bool latency = pebs_event_of(t->caps, PEBS_LATENCY, &pair->event) && pair->event.care == PEBS_ANY_TIME;
    if (latency && turn % (counters + 1) == counters)
        pair->counter = gp_counter(t->caps, (unsigned)__builtin_ctzll(pair->event.counters));
    else
        sampling_counter(t, latency ? turn % (counters + 1) : turn, pair);
    return counters + latency;
}

/* The precise distribution is of instructions alone, and the errata's is that of the older PDIR, on GP counters. */
static bool allowed(const struct test *t, const struct sampling_pair *pair)
{
    bool precise = !pair->counter.fixed && pebs_precise_bits(t->caps) >> pair->counter.bit & 1;
    return !precise || pair->event.kind != PEBS_INSTRUCTIONS || dangerous_allowed("pebs");
}

static void begin(struct test *t, const struct sampling_pair *pair, struct sampling *s)
{
    sampling_clear(t, s);
    sampling_add(s, pair)->period = sampling_period(pair, PERIOD);
    if (pair->event.kind == PEBS_LATENCY)
        s->setup.latency = LATENCY_LEAST;
    s->setup.threshold = THRESHOLD;
    sampling_begin(t, s);
}

static void check_frozen(struct test *t, const struct sampling *s)
{
    const char *recorded = s->setup.latency ? "latency-recorded-while-frozen" : "recorded-while-frozen";
    const struct pmi_record *pmi = &pmi_log()->record[0];
    u64 at_pmi = pmi->pebs_index - (u64)s->setup.area.buffer, written = pebs_written(&s->setup);
    check_true(t, "no-buffer-bit", pmi->status & sampling_status_bit(t->caps), pmi->status, "the threshold's bit set",
               MSR_PERF_GLOBAL_STATUS);
    check_range(about(t, ASPECT_STAYS_FROZEN), recorded, written - at_pmi, 0, ON_ITS_WAY * (u64)s->setup.size, 0);
    if (t->caps->version < VERSION_STREAMLINED) {
        check_equal(about(t, ASPECT_FREEZE), "still-enabled", pmi->global_ctrl & s->setup.start_stop.on, 0,
                    MSR_PERF_GLOBAL_CTRL);
        return;
    }
    if (!check_bit(about(t, ASPECT_FREEZE), "no-ctr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true))
        return;
    write_msr(t, MSR_PERF_GLOBAL_CTRL, s->setup.start_stop.on);
    check_stopped(t, "not-frozen");
}

static void by_pmi(struct test *t, const struct sampling_pair *pair)
{
    struct sampling s;
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    begin(t, pair, &s);
    pmi_listen(PMI_FIXED, 0);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    bool came = pmi_came();
    if (came)
        check_frozen(t, &s);
    sampling_end(&s);
    pmi_close();
    freeze_end(found);
    pmu_status_clear(pmu_status());
    measure(t, "records", "records", check_whole(t, &s));
    measure(t, "pmi-came", "0-or-1", came);
}

static void by_software(struct test *t, const struct sampling_pair *pair)
{
    struct sampling s;
    begin(t, pair, &s);
    u64 before = counter_read(pair->counter);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    check_equal(about(t, ASPECT_STAYS_FROZEN), "counted-while-frozen", counter_read(pair->counter), before,
                pair->counter.msr);
    check_equal(about(t, ASPECT_STAYS_FROZEN), "recorded-in-the-freeze", pebs_written(&s.setup), 0, 0);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    check_true(about(t, ASPECT_FREEZE), "no-record-after", pebs_written(&s.setup) > 0, 0, "1 record or more",
               pair->counter.msr);
    pmu_status_clear(pmu_status());
}

static bool one_sample(struct test *t)
{
    struct sampling_pair pair;
    unsigned turns = choose(t, t->turn + t->position, &pair);
    if (allowed(t, &pair)) {
        by_pmi(t, &pair);
        if (t->caps->version >= VERSION_STREAMLINED && pair.event.kind != PEBS_LATENCY)
            by_software(t, &pair);
    }
    return sampling_more(t, turns);
}

static void need_both(struct test *t)
{
    struct sampling_pair pair;
    bool any = false;
    need_freeze(t);
    for (u32 turn = choose(t, 0, &pair); turn-- > 0;) {
        choose(t, turn, &pair);
        any |= allowed(t, &pair);
    }
    if (!any)
        need_unlocked(t);
}

TEST("pebs.freeze", .title = "The PMI of the threshold freezes counters, and a frozen counter does not sample",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-092",
     .needs = {.sampling = true, .apic = true}, .scope = EACH_CPU, .prepare = need_both, .repeat = one_sample,
     .measures = true);
