/*
 * A buffer that is full, with its threshold past the absolute maximum, is no reason for a PMI: further records are
 * skipped without a sign, and bit 62 of IA32_PERF_GLOBAL_STATUS stays clear. (BJ101, BV51: a PMI comes.) From Goldmont
 * on a skipped record sets the bit; there it is measured whether a PMI comes as well.
 */
#include "harness/sampling.h"
#include "kernel/cpu/interrupt.h"
#include "pmu/class.h"

#define ROOM 2
#define RECORDS 4

static bool skips_silently(const struct test *t)
{
    enum cpu_class class = cpu_class(t->caps);
    return pebs_format(t->caps) < PEBS_FORMAT_ADAPTIVE && class != CLASS_GOLDMONT && class != CLASS_GOLDMONT_PLUS;
}

static bool one_sample(struct test *t)
{
    struct sampling s;
    struct sampling_pair pair = sampling_basic(t);
    sampling_clear(t, &s);
    sampling_add(&s, &pair);
    s.setup.records = ROOM;
    sampling_begin(t, &s);
    pmi_open(PMI_FIXED, PMI_ACK);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
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
