/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which RDPMC indices answer? Those of the enumerated counters have to. Others may answer or fault: hybrid CPUs answer
 * beyond what they enumerate, bit 31 once requested a fast, short read, index 20000000H reads PERF_METRICS. All are
 * tried (reading has no side effect), and which ones answer is measured, at CPL 0 and, with CR4.PCE set, at CPL 3.
 */
#include "harness/test.h"

#define GP_INDICES 256
#define OTHER_INDICES 16
#define FAST BIT(31)

static const struct {
    const char *name, *user; /* user: the name at CPL 3 */
    u32 first, count;
} ranges[] = {
    {"gp", "gp-cpl-3", RDPMC_GP(0), GP_INDICES},
    {"fixed", "fixed-cpl-3", RDPMC_FIXED(0), OTHER_INDICES},
    {"metrics", "metrics-cpl-3", RDPMC_METRICS, 1},
    {"fast", "fast-cpl-3", FAST, OTHER_INDICES},
};

static void enumerated(struct test *t)
{
    for_each_counter (t, c) {
        u64 value;
        check_fault(t, "enumerated-faults", rdpmc_try(c->rdpmc, &value), NO_FAULT, c->msr);
    }
}

/* At CPL 3 only the indices that answered at CPL 0: each transition there and back is slow. */
static void measure_range(struct test *t, const char *name, const char *user, u32 first, u32 count)
{
    u64 value;
    for (u32 i = 0; i < count; i++) {
        if (rdpmc_try(first + i, &value) != NO_FAULT)
            continue;
        measure(t, name, "index", i);
        if (rdpmc_value_user(first + i, &value) == NO_FAULT)
            measure(t, user, "index", i);
    }
}

static void indices(struct test *t)
{
    bool before = set_pce(true);
    enumerated(t);
    for_each_row (ranges, r)
        measure_range(t, r->name, r->user, r->first, r->count);
    set_pce(before);
}

TEST("rdpmc.indices", .title = "RDPMC answers the indices of all enumerated counters",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .covers = "B-071,A-060,A-062,A-063,A-066",
     .needs = NEEDS_VERSION(1), .scope = EACH_CPU, .run = indices, .measures = true);
