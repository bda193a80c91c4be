/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_DEBUGCTL[12] freezes counters on the PMI of the buffer's threshold, too. How many records were written by then,
 * and what IA32_PERF_GLOBAL_STATUS shows, is measured. With the precise distribution errata call this undefined (BJ92),
 * so on hardware a counter that has it is only tried if that is unlocked.
 *
 * Whether the PMI comes at all depends on what else freezes counters. Judged is that records are whole, and that a PMI
 * finds the threshold's bit set (also on the CPUs that set it only with DEBUGCTL[12]: AJ69).
 */
#include "harness/chapter/sampling.h"
#include "harness/running.h"

#define THRESHOLD 2
#define RECORDS 4
#define PERIOD 256

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = sampling_period(&pair, PERIOD);
    s.setup.threshold = THRESHOLD;
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    sampling_begin(t, &s);
    pmi_listen(PMI_FIXED, PMI_ACK);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    bool came = pmi_came();
    sampling_end(&s);
    pmi_close();
    freeze_end(found);
    measure(t, "records", "records", check_whole(t, &s));
    measure(t, "pmi-came", "0-or-1", came);
    if (came) {
        u64 status = pmi_log()->record[0].status;
        check_true(t, "no-buffer-bit", status & sampling_status_bit(t->caps), status, "the threshold's bit set",
                   MSR_PERF_GLOBAL_STATUS);
        measure(t, "ctr-frz", "0-or-1", status >> 59 & 1);
    }
    return sampling_more(t, 1);
}

static void need_both(struct test *t)
{
    need_freeze(t);
    if (pebs_precise_bits(t->caps) & BIT(sampling_basic(t).counter.bit))
        need_unlocked(t);
}

TEST("pebs.freeze", .title = "The PMI of the threshold and freezing counters on PMI",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-092",
     .needs = {.sampling = true, .apic = true}, .scope = EACH_CPU, .prepare = need_both, .repeat = one_sample,
     .measures = true);
