/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only the event changes: a counter samples instructions, is stopped, and after a quiescent period its event select is
 * set to branches; everything else stays. The block then has enough branches for two records; its instructions would be
 * enough for eight times as many.
 *
 * The first block ends half a period from any overflow. If it ended between an overflow and its record, the counter
 * would not have been reloaded: the record is written later, and no manual says whether that reloads it.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 256 /* the shortest with the precise distribution */
#define PERIODS 3  /* of the first block, which lasts half a period, one and a half, or two and a half */
#define ROUNDS 72  /* 576 branches: from half a period on two more periods and a quarter */
#define QUIET_US 10000

struct where {
    struct sampling_pair instructions, branches;
};

static bool one_change(struct test *t, void *argument)
{
    struct where *where = argument;
    struct sampling s;
    u64 end;
    sampling_clear(t, &s);
    sampling_add(&s, &where->instructions)->period = PERIOD;
    sampling_begin(t, &s);
    sampling_run(&s, (2 * (t->turn % PERIODS) + 1) * PERIOD / 2 / SAMPLED_INSTRUCTIONS);
    pebs_stop(&s.setup, QUIET_US);
    u32 before = sampling_count(&s, &end);
    write_msr(t, MSR_PERFEVTSEL(where->branches.counter.index),
              EVTSEL_ENCODING(where->branches.event.event) | EVTSEL_OS | EVTSEL_EN);
    pebs_resume(&s.setup);
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    check_range(t, "records-of-the-new-event", sampling_count(&s, &end) - before, 1, 3, where->branches.counter.msr);
    return sampling_more(t, 1);
}

static void reconfigure_event(struct test *t)
{
    struct where where = {.instructions = sampling_need(t, PEBS_INSTRUCTIONS),
                          .branches = sampling_need(t, PEBS_BRANCHES)};
    if (where.instructions.event.care)
        skip(t, "signature %08x: instructions cannot always be sampled", t->caps->signature);
    if (where.instructions.counter.fixed || !(where.branches.event.counters & BIT(where.instructions.counter.bit)))
        skip(t, "IA32_PEBS_ENABLE: 0x%lx: no counter samples both events", pebs_counter_bits(t->caps));
    where.branches.counter = where.instructions.counter;
    repeat_clean(t, one_change, &where);
}

TEST("pebs.reconfigure-event", .title = "A counter whose event alone was changed samples the new event",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .covers = "B-086", .needs = {.sampling = true},
     .scope = EACH_CPU, .run = reconfigure_event);
