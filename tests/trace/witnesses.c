/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A trace, branch records and a counter all show which branches retire: the trace has their directions and targets, the
 * records have origin and target of the newest taken ones, the counter has their number. For the same block they agree:
 * software that combines a trace with counts, or checks records by it, relies on that.
 *
 * In each repeat the block takes the same path twice. First it is traced and its branches counted, and trace and count
 * must match that path; no manual says what starting and stopping adds to a count, so the count is compared with that
 * of the shortest path. Then its branches are recorded, and the records must be the last of that path; not at the same
 * time, because on some CPUs trace and records exclude each other.
 */
#include "harness/chapter/branches.h"
#include "harness/chapter/traced_path.h"
#include "harness/chapter/tracing.h"

#define SHORTEST 1 /* a path with no choices: only the leading 1 */

static void prepare(struct test *t)
{
    need_trace(t);
    need_branch_records(t);
}

static void check_count_of(struct test *t, const struct traced_path *path, const struct counter *counter)
{
    struct traced_path shortest = {.counter = counter};
    trace_path(t, SHORTEST, &shortest);
    check_equal(about(t, ASPECT_BRANCHES), "count-apart", path->count - shortest.count,
                path->branches - shortest.branches, counter->msr);
}

/* Returns how many of the newest records do not match, in order, the path's last branches that were taken. */
static u32 records_apart(const struct recording *r, const struct traced_path *path)
{
    u32 age = 0, apart = 0;
    for (u32 i = path->branches; i-- && age < r->stack.depth;) {
        const struct ladder_branch branch = {.from = path->branch[i].from, .to = path->branch[i].to};
        if (!path->branch[i].taken)
            continue;
        apart += !from_matches(r, age, &branch) || !to_matches(r, age, &branch);
        age++;
    }
    return apart;
}

static bool witnesses(struct test *t)
{
    struct counter counter = gp_in_turn(t, t->turn);
    struct traced_path path = {.counter = &counter};
    trace_path(t, path_way(t), &path);
    check_true(t, "trace-apart", path_is_traced(&path), path.told.directions, "each direction and target",
               MSR_RTIT_CTL);
    check_count_of(t, &path, &counter);
    struct recording r = recording_begin(t);
    record_path(t, &r, path.way);
    check_equal(t, "records-apart", records_apart(&r, &path), 0, lbr_register(&r.stack));
    recording_end(t, &r);
    return more_samples(t);
}

TEST("trace.witnesses", .title = "Trace, branch records and count agree about a block",
     .spec = "SDM 3C, Change of Flow Instruction (COFI) Tracing", .covers = "S-019",
     .needs = {.version = 2, .event = 6}, .scope = EACH_CORE, .prepare = prepare, .repeat = witnesses);
