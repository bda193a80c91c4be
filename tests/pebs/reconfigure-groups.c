/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only the groups change: after a stop and a quiescent period MSR_PEBS_DATA_CFG is written, and the same counter
 * continues in the same buffer. Records before the write hold the old groups, records after it the new ones, and
 * walking all of them by their own sizes ends at the index.
 *
 * A record of the old size after the write would make everything after it unreadable.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 2
#define QUIET_US 10000

static const u64 before[] = {PEBS_DATA_GPR, PEBS_DATA_MEMINFO | PEBS_DATA_GPR, 0, PEBS_DATA_MEMINFO};
static const u64 after[] = {PEBS_DATA_MEMINFO, 0, PEBS_DATA_GPR, PEBS_DATA_MEMINFO | PEBS_DATA_GPR};

static bool one_change(struct test *t)
{
    struct sampling_pair pair = sampling_best(t);
    unsigned which = t->turn % ARRAY_SIZE(before);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->adaptive = true;
    s.setup.data_cfg = before[which];
    sampling_begin(t, &s);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    pebs_stop(&s.setup, QUIET_US);
    u64 changed_at = pebs_written(&s.setup);
    write_msr(t, MSR_PEBS_DATA_CFG, after[which]);
    pebs_resume(&s.setup);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    for_each_record (&s, record) {
        bool old = offset_record <= changed_at;
        check_equal(t, old ? "groups-before" : "groups-after", record.groups, old ? before[which] : after[which],
                    MSR_PEBS_DATA_CFG);
    }
    check_whole(t, &s);
    check_true(t, "nothing-after", pebs_written(&s.setup) > changed_at, pebs_written(&s.setup),
               "records after the change", 0);
    return sampling_more(t, ARRAY_SIZE(before));
}

TEST("pebs.reconfigure-groups", .title = "New groups apply to all records after the write",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .covers = "A-132,B-085",
     .needs = {.pebs = true, .adaptive = true}, .scope = EACH_CPU, .repeat = one_change);
