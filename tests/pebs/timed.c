/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * If IA32_PERF_CAPABILITIES[17] is set, bits 47:32 of an adaptive record's first word say how many cycles after the
 * previous instruction the sampled one retired, and only the lower half is the format; otherwise all 48 bits are the
 * format, with the bits of the requested groups and no others. The number of cycles is measured, and so is that in
 * architectural records, which have a separate word for it.
 *
 * Software that relies on the capability would take an unannounced time, or part of one, for groups, and would walk the
 * records by a wrong size.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3

static void prepare(struct test *t)
{
    if (!pebs_adaptive(t->caps) && !apebs_usable(t->caps))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: no records whose groups can be selected", t->caps->perf_capabilities);
}

static void look(struct test *t, const struct pebs_record *r, u64 groups)
{
    bool timed = t->caps->perf_capabilities & PERF_CAP_PEBS_TIMING;
    if (pebs_adaptive(t->caps)) {
        check_equal(t, "other-format", r->groups, (u32)groups, MSR_PEBS_DATA_CFG);
        if (!timed)
            check_equal(t, "time-unannounced", r->retire_latency, 0, MSR_PERF_CAPABILITIES);
    }
    if (timed)
        measure(t, "retire-latency", "cycles", r->retire_latency);
}

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    if (t->turn % 2)
        sampling_registers(&s);
    u64 groups = s.setup.counter[0].adaptive ? s.setup.data_cfg : 0;
    sample(t, &s, RECORDS);
    check_recorded(t, &s);
    for_each_record (&s, record)
        look(t, &record, groups);
    return sampling_more(t, 2 * pairs);
}

TEST("pebs.timed", .title = "Records have a retire latency only if IA32_PERF_CAPABILITIES says so",
     .spec = "SDM 3B, Adaptive PEBS", .covers = "A-019", .needs = {.sampling = true}, .scope = EACH_CPU,
     .prepare = prepare, .repeat = one_pair, .measures = true);
