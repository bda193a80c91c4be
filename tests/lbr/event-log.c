/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUID.1CH:ECX[19:16] enumerates the GP counters whose events architectural branch records log: with bit 35 of the
 * counter's event select set, two bits of each record say how often its event happened since the previous record; 3
 * means three times or more. Without the bit they are 0, as are the bits of other counters.
 *
 * The block recorded has only taken branches, so each record has to log one branch, and two or more instructions (at
 * most 3 can be logged). The oldest record is left out, because it is unknown what came before it, and so is the
 * newest, a far branch: some CPUs count these twice (SRF7).
 */
#include "harness/chapter/branches.h"

#define LOGGED(info, n) FIELD_GET(info, 33 + 2 * (n), 32 + 2 * (n))
#define OTHERS(n) (MASK(39, 32) & ~MASK(33 + 2 * (n), 32 + 2 * (n)))
#define MOST 3
#define NEAR 1 /* age of the newest near branch */

/* The counters whose events records log, as bits. */
static u32 logged(const struct pmu_caps *caps)
{
    return caps->lbr_logged & caps->gp_bitmap;
}

static void prepare(struct test *t)
{
    need_branch_records(t);
    if (!logged(t->caps))
        skip(t, "CPUID.1CH:ECX[19:16]=0x%x: records log no GP counter's event", t->caps->lbr_logged);
}

static void record_logged(struct test *t, struct recording *r, struct counter c, u16 event, u64 log)
{
    counter_setup(c, event, COUNT_OS, 0);
    write_msr(t, MSR_PERFEVTSEL(c.index), read_msr(t, MSR_PERFEVTSEL(c.index)) | log);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    record_ladder(t, r, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    counter_clear(c);
}

static void check_logged(struct test *t, const struct recording *r, struct counter c, const char *label, u64 low,
                         u64 high)
{
    u32 wrong = 0, others = 0;
    for (u32 age = NEAR; age < LADDER_BRANCHES - 1; age++) {
        u64 info = lbr_record(&r->stack, age).info, told = LOGGED(info, c.index);
        wrong += told < low || told > high;
        others += (info & OTHERS(c.index)) != 0;
    }
    check_equal(t, label, wrong, 0, c.msr);
    check_equal(t, "others-told", others, 0, c.msr);
}

static void of_counter(struct test *t, struct recording *r, struct counter c)
{
    record_logged(t, r, c, ARCH_EVENT_BRANCHES, EVTSEL_BR_CNTR);
    check_logged(t, r, c, "branches", 1, 1);
    record_logged(t, r, c, ARCH_EVENT_INSTRUCTIONS, EVTSEL_BR_CNTR);
    check_logged(t, r, c, "instructions", 1, MOST);
    record_logged(t, r, c, ARCH_EVENT_BRANCHES, 0);
    check_logged(t, r, c, "told-unasked", 0, 0);
}

static bool event_log(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = 0;
    for_each_gp (t->caps, i)
        if (logged(t->caps) >> i & 1)
            list[n++] = gp_counter(t->caps, i);
    struct recording r = recording_begin(t);
    of_counter(t, &r, list[t->turn % n]);
    recording_end(t, &r);
    return more_samples_of(t, n);
}

TEST("lbr.event-log", .title = "Branch records log how often a counter's event happened between them",
     .spec = "SDM 3B, Last Branch Records", .covers = "A-017,A-135,B-095", .needs = {.version = 2, .event = 5},
     .scope = EACH_CORE, .prepare = prepare, .repeat = event_log);
