/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An architectural event that CPUID shows as available counts when it occurs: reference cycles while time passes,
 * references and misses of the last-level cache while lines are flushed and loaded again, mispredicted branches while
 * conditions are random, slots whenever code runs: some retire, others are lost as loads wait, or after a
 * misprediction, which also makes the front end begin anew. An event that counts nothing in all this does not work.
 *
 * No manual says how much is counted, so that is measured. Events of caches and predictors are only tested with such
 * provocation; enum.events-count has the plain block. CPUs before version 4 are known to show reference cycles that
 * they cannot count (AAJ79) and mispredictions that are too few (AAJ80): there both are only measured. The kinds of
 * slots are asked of the first counter only, as drivers bind such events to some counters on some CPUs.
 */
#include "harness/test.h"

#define LINES 64
#define BRANCHES 500
#define K 400 /* 4,800 instructions: some time passes */
#define VERSION_TRUE 4
#define NEWER 7 /* the first event that later versions added */

static const struct {
    const char *name, *label; /* name: of the measurement; NULL: fixed.metrics measures it */
    u8 index;                 /* bit in leaf 0AH EBX */
    u8 version;
    u16 event;
} events[] = {
    {"ref-cycles", "ref-cycles-silent", 2, VERSION_TRUE, ARCH_EVENT_REF_CYCLES},
    {"llc-references", "llc-references-silent", 3, 2, ARCH_EVENT_LLC_REFERENCE},
    {"llc-misses", "llc-misses-silent", 4, 2, ARCH_EVENT_LLC_MISS},
    {"branch-misses", "branch-misses-silent", 6, VERSION_TRUE, ARCH_EVENT_BRANCH_MISSES},
    {"slots", "slots-silent", 7, 2, ARCH_EVENT_TOPDOWN_SLOTS},
    {NULL, "backend-silent", 8, VERSION_TRUE, ARCH_EVENT_TOPDOWN_BACKEND},
    {NULL, "bad-speculation-silent", 9, VERSION_TRUE, ARCH_EVENT_TOPDOWN_BAD_SPEC},
    {NULL, "frontend-silent", 10, VERSION_TRUE, ARCH_EVENT_TOPDOWN_FRONTEND},
    {NULL, "retiring-silent", 11, VERSION_TRUE, ARCH_EVENT_TOPDOWN_RETIRING},
};

/* Leaf 0AH may name fewer of the newer events than this kind of core has. */
static bool available(const struct pmu_caps *caps, u8 index)
{
    bool told = caps_leaf23_used(caps) && cpuid(0x23, 0).eax & BIT(3);
    return caps_event_available(caps, index) || (told && index >= NEWER && cpuid(0x23, 3).eax >> index & 1);
}

/* Loads that miss all caches. */
static void miss_lines(void)
{
    static volatile u64 line[8] __attribute__((aligned(64)));
    for (unsigned i = 0; i < LINES; i++) {
        flush_line((void *)line);
        (void)line[0];
    }
}

/* Directions that no predictor can know, the same in each run but different in each turn. */
static void take_chances(u32 turn)
{
    volatile u32 taken = 0;
    u64 chance = (turn + 1) * 0x9e3779b97f4a7c15;
    for (unsigned i = 0; i < BRANCHES; i++) {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        if (chance & 1)
            taken = i;
    }
    (void)taken;
}

static u64 count(struct test *t, struct counter c, u16 event)
{
    counter_setup(c, event, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    miss_lines();
    take_chances(t->turn);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    run_block(t, BIT(c.bit), K);
    u64 value = counter_read(c);
    counter_clear(c);
    return value;
}

static bool one_event(struct test *t)
{
    u32 row = t->turn % ARRAY_SIZE(events);
    struct counter c = gp_in_turn(t, events[row].index > NEWER ? 0 : t->turn / ARRAY_SIZE(events));
    if (!available(t->caps, events[row].index))
        return true;
    u64 value = count(t, c, events[row].event);
    if (events[row].name)
        measure(t, events[row].name, "events", value);
    if (t->caps->version >= events[row].version)
        check_true(t, events[row].label, value > 0, value, "this event counts something", c.msr);
    return t->turn + 1 < ARRAY_SIZE(events) * t->caps->gp_count;
}

static void need_an_event(struct test *t)
{
    for_each_row (events, row)
        if (available(t->caps, row->index) && t->caps->version >= row->version)
            return;
    skip(t, "CPUID.0AH:EBX=0x%08x: no event that can be provoked is available", t->caps->leaf0a.ebx);
}

TEST("gp.provoked", .title = "Architectural events count when they are provoked",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-073,A-076", .needs = {.version = 2},
     .scope = EACH_CPU, .prepare = need_an_event, .repeat = one_event, .measures = true);
