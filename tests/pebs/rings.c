/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * OS and USR of the event select say at which privilege level a counter samples: code at the other level is not
 * recorded. A counter for CPL 0 is on while a block runs at CPL 3, and the other way round; both blocks have enough
 * events for three records, the transitions not enough for one. Then the block runs at the counter's own level, and its
 * records are of that level.
 *
 * Records of the wrong level show one program what another does (AJ67, AR63, W126: the CPU ignores the levels).
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define PERIOD 256

static void run(struct test *t, struct sampling *s, const struct sampling_pair *pair, unsigned flags, bool user)
{
    const struct workload *w = &workloads[0];
    sampling_clear(t, s);
    struct pebs_counter *c = sampling_add(s, pair);
    c->flags = flags;
    c->period = sampling_period(pair, PERIOD);
    sampling_begin(t, s);
    u64 per_k = pair->event.kind == PEBS_BRANCHES ? w->branches_per_k : w->instructions_per_k;
    if (user)
        w->run_user(&s->setup.start_stop, (RECORDS * c->period + c->period / 2) / per_k);
    else
        sampling_run(s, sampling_rounds(s, RECORDS));
    sampling_end(s);
}

static bool both_levels(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct sampling s;
    u32 msr = pair.counter.msr;
    run(t, &s, &pair, COUNT_OS, true);
    check_equal(about(t, ASPECT_SAMPLED_LEVEL), "cpl-3-recorded", pebs_written(&s.setup), 0, msr);
    run(t, &s, &pair, COUNT_USR, false);
    check_equal(about(t, ASPECT_SAMPLED_LEVEL), "cpl-0-recorded", pebs_written(&s.setup), 0, msr);
    run(t, &s, &pair, COUNT_USR, true);
    check_recorded(t, &s);
    for_each_record (&s, record)
        check_true(about(t, ring0_code(record.ip) ? ASPECT_SAMPLED_LEVEL : 0), "not-at-cpl-3", ring3_code(record.ip),
                   record.ip, "an address of the code at CPL 3", 0);
    return sampling_more(t, 1);
}

TEST("pebs.rings", .title = "Records are of the privilege levels that OS and USR select",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-090", .needs = {.sampling = true},
     .scope = EACH_CPU, .repeat = both_levels);
