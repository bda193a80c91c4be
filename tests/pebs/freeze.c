/*
 * IA32_DEBUGCTL[12] freezes counters on the PMI of the buffer's threshold, too. How many records were written by then,
 * and what IA32_PERF_GLOBAL_STATUS shows, is measured; with the precise distribution the manual's errata call it
 * undefined (BJ92), so on hardware this is only tried where it is unlocked.
 *
 * That the PMI comes is judged.
 */
#include "harness/running.h"
#include "harness/sampling.h"
#include "kernel/interrupt.h"

#define THRESHOLD 2
#define RECORDS 4

struct where {
    u32 turn;
    struct sampling_pair pair;
};

static bool one_sample(struct test *t, void *argument)
{
    struct where *where = argument;
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &where->pair);
    s.setup.threshold = THRESHOLD;
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    sampling_begin(t, &s);
    pmi_open(PMI_FIXED, PMI_ACK);
    interrupts_on();
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    bool came = pmi_wait(1);
    interrupts_off();
    sampling_end(&s);
    pmi_close();
    freeze_end(found);
    if (check_true(t, "not-delivered", came, pebs_written(&s.setup) / s.setup.size, where->pair.counter.msr)) {
        measure(t, "records-beyond", "records", pebs_written(&s.setup) / s.setup.size - THRESHOLD);
        measure(t, "ctr-frz", "0-or-1", pmi_log()->record[0].status >> 59 & 1);
    }
    return sampling_more(t, &where->turn, 1);
}

static void freeze(struct test *t)
{
    struct where where = {0};
    need_freeze(t);
    need_unlocked(t);
    sampling_pair(t, 0, &where.pair);
    repeat_clean(t, one_sample, &where);
}

TEST("pebs.freeze", .title = "The PMI of the threshold and freezing counters on PMI",
     .spec = "SDM 3B, Freezing LBRs and Performance Counters on PMI", .covers = "B-092",
     .needs = {.pebs = true, .apic = true}, .scope = EACH_CPU, .run = freeze, .measures = true);
