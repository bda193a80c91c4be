/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fixed counter that counts at all privilege levels and raises no interrupt runs free: any number of agents may read
 * it and take differences, so an agent that wants its event takes no counter. One that interrupts, counts at only some
 * levels, or stands still, belongs to its user alone, and the library must say why it is not shared.
 */
#include "harness/chapter/sharing.h"

static const struct {
    u64 field;
    bool running, shareable;
} states[] = {
    {FIXED_OS(0) | FIXED_USR(0), true, true},
    {FIXED_OS(0) | FIXED_USR(0), false, false},
    {FIXED_OS(0) | FIXED_USR(0) | FIXED_PMI(0), true, false},
    {FIXED_OS(0), true, false},
    {FIXED_USR(0), true, false},
    {FIXED_PMI(0), true, false},
    {0, true, false},
};

static const struct agent_wish wishes[] = {
    [FIXED_INSTRUCTIONS] = {ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_USR},
    [FIXED_CORE_CYCLES] = {ARCH_EVENT_CORE_CYCLES, COUNT_OS | COUNT_USR},
};

static void ask(struct test *t, unsigned i, bool shareable)
{
    struct pmu_state state;
    struct counter c;
    const char *why = NULL;
    agent_poll(t->caps, &state);
    bool answer = agent_shareable(t->caps, &state, &wishes[i], &c, &why);
    check_equal(t, shareable ? "not-shared" : "shared-wrongly", answer, shareable, MSR_FIXED_CTR_CTRL);
}

/* A second agent reads the counter that the first one keeps running. */
static void read_only(struct test *t)
{
    struct agent owner = {.name = "owner"}, reader = {.name = "reader"};
    struct counter c, shared;
    if (agent_obtain(&owner, &wish_instructions, &c) != OBTAINED_OWN)
        no_counter(t);
    agent_start(&owner);
    enum obtained got = agent_obtain(&reader, &wish_instructions, &shared);
    u64 before = counter_read(shared), after = counter_read(shared);
    agent_release_all(&owner);
    check_equal(t, "second-counter-taken", got, OBTAINED_SHARED, c.msr);
    check_true(t, "shared-stands-still", after > before, after, "a count that moves", shared.msr);
}

static void each_state(struct test *t, unsigned i)
{
    for_each_row (states, row) {
        write_msr(t, MSR_FIXED_CTR_CTRL, row->field << 4 * i);
        write_msr(t, MSR_PERF_GLOBAL_CTRL, row->running ? GLOBAL_FIXED(i) : 0);
        ask(t, i, row->shareable);
        write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    }
    write_msr(t, MSR_FIXED_CTR_CTRL, 0);
}

static void free_running(struct test *t)
{
    if (!(t->caps->fixed_bitmap & BIT(FIXED_INSTRUCTIONS)))
        skip(t, "fixed counter 0 is not enumerated (CPUID.0AH:EDX=0x%08x)", t->caps->leaf0a.edx);
    for_each_fixed_counter (t, i)
        if (i < ARRAY_SIZE(wishes))
            each_state(t, i);
    read_only(t);
}

TEST("share.free-running", .title = "A free-running fixed counter is found and shared read-only",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "B-022", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = free_running);
