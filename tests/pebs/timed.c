/*
 * Where IA32_PERF_CAPABILITIES[17] is set, bits 47:32 of an adaptive record's first word tell how long the instruction
 * took to retire after the one before it, and only the lower half is the format; elsewhere all 48 bits are the format,
 * which names the groups that were asked for and nothing else. How many cycles it took is measured, and so is what
 * architectural records tell, which have a word of its own for it.
 *
 * Software that goes by the capability would take a time that nobody announced for groups, and part of a time that has
 * slipped into the format likewise: it then reads the record by a wrong size.
 */
#include "harness/chapter/sampling.h"
#include "pmu/cpu/apebs.h"

#define RECORDS 3

static void prepare(struct test *t)
{
    if (!pebs_adaptive(t->caps) && !apebs_usable(t->caps))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: no records whose groups can be chosen", t->caps->perf_capabilities);
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

TEST("pebs.timed", .title = "Records tell retire latency only where IA32_PERF_CAPABILITIES says so",
     .spec = "SDM 3B, Adaptive PEBS", .covers = "A-019", .needs = {.sampling = true}, .scope = EACH_CPU,
     .prepare = prepare, .repeat = one_pair, .measures = true);
