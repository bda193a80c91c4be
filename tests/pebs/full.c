/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A full buffer whose threshold is past the absolute maximum raises no PMI: further records are skipped. (BJ101, BV51:
 * a PMI comes.) Whether bit 62 of IA32_PERF_GLOBAL_STATUS is set is measured.
 *
 * Goldmont and Goldmont Plus promise more: a record out of bounds sets bit 62, and the counter is not loaded with its
 * reset value but continues from its present value. After the buffer is full the block has enough events for that,
 * whether or not a record may begin at the maximum. On these CPUs it is measured whether a PMI comes as well.
 *
 * Without a sign of lost records software believes that it has all of them.
 */
#include "harness/chapter/sampling.h"

#define ROOM 2
#define RECORDS 6

static bool skips_silently(const struct test *t)
{
    return !pebs_maximum_included(t->caps);
}

static void check_full(struct test *t, const struct pebs_counter *c)
{
    check_bit(t, "untold", MSR_PERF_GLOBAL_STATUS, STATUS_OVF_BUFFER, true);
    check_range(t, "reloaded-though-skipped", counter_read(c->counter), 0, RECORDS * c->period, c->counter.msr);
}

static bool one_sample(struct test *t)
{
    struct sampling s;
    struct sampling_pair pair = sampling_basic(t);
    sampling_clear(t, &s);
    struct pebs_counter *c = sampling_add(&s, &pair);
    s.setup.records = ROOM;
    sampling_begin(t, &s);
    pmi_open(PMI_FIXED, PMI_ACK);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    measure(t, "bit-62", "0-or-1", pmu_status() >> 62 & 1);
    if (pebs_tells_skips(t->caps))
        check_full(t, c);
    interrupts_on();
    u32 pmis = pmi_settled();
    check_recorded(t, &s);
    if (skips_silently(t))
        check_equal(about(t, ASPECT_FULL_BUFFER), "pmi", pmis, 0, 0);
    measure(t, "pmis", "pmis", pmis);
    pmi_close();
    return sampling_more(t, 1);
}

TEST("pebs.full", .title = "A full buffer raises no PMI", .spec = "SDM 3B, Setting Up the DS Save Area",
     .needs = {.pebs = true, .apic = true}, .scope = EACH_CPU, .repeat = one_sample, .measures = true);
