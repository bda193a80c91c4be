/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tool that is killed leaves its counters claimed until the machine restarts, unless it kept a record: started again,
 * it finds the counters by that record and releases them. A counter that has another user by then is left alone.
 */
#include "harness/chapter/sharing.h"

static u64 killed(struct test *t, struct agent_record *record)
{
    struct agent agent = {.name = "killed"};
    struct counter c;
    agent_obtain(&agent, &wish_instructions, &c);
    if (agent_obtain(&agent, &wish_branches, &c) != OBTAINED_OWN)
        no_counter(t);
    agent_record(&agent, record);
    return agent_counters(&agent);
}

static void found_again(struct test *t)
{
    struct agent_record record;
    u64 before = in_use_now(t);
    killed(t, &record);
    agent_recover(&record);
    check_equal(t, "still-in-use", in_use_now(t), before, 0);
}

static void other_user(struct test *t)
{
    struct agent_record record;
    u64 control = EVTSEL_OS | EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS), claimed = killed(t, &record);
    unsigned n = (unsigned)__builtin_ctzll(claimed & caps_gp_bits(t->caps));
    write_msr(t, MSR_PERFEVTSEL(n), control);
    agent_recover(&record);
    check_bits(t, "other-user-robbed", MSR_PERFEVTSEL(n), ~0ull, control);
    write_msr(t, MSR_PERFEVTSEL(n), 0);
}

static void kill_record(struct test *t)
{
    found_again(t);
    other_user(t);
}

TEST("share.kill-record", .title = "A killed agent's counters are found by its record and released",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "B-022", .needs = {.version = 2, .counters = 2},
     .scope = EACH_CPU, .run = kill_record);
