/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that firmware started before everybody else, without asking: agents that keep to the sharing guide come,
 * count and leave, and it counts all the time, with its bit of IA32_PERF_GLOBAL_CTRL unchanged. It is the counter that
 * a newcomer would have been given first. The bracket of our own registers checks that its control is unchanged.
 */
#include "harness/chapter/sharing.h"

#define AGENTS 2
#define K 2

/* The counter that a newcomer would be given first if all of them were free. */
static struct counter first_given(const struct test *t)
{
    struct pmu_state nothing = {0};
    struct counter c;
    agent_choose(t->caps, &nothing, &wish_branches, &c);
    return c;
}

static void visit(struct test *t)
{
    struct agent kernel = {.name = "kernel"}, profiler = {.name = "profiler"};
    struct counter c;
    if (agent_obtain(&kernel, &wish_instructions, &c) != OBTAINED_OWN ||
        agent_obtain(&profiler, &wish_branches, &c) != OBTAINED_OWN)
        no_counter(t);
    agent_start(&kernel);
    agent_count(&profiler, K);
    agent_stop(&kernel);
    agent_release_all(&profiler);
    agent_release_all(&kernel);
}

static void firmware_counter(struct test *t)
{
    struct bracket bracket;
    if (t->caps->gp_count + !!t->caps->fixed_bitmap < AGENTS + 1)
        skip(t, "CPUID.0AH:EAX=0x%08x: one counter for firmware and %u others are needed", t->caps->leaf0a.eax, AGENTS);
    struct counter c = first_given(t);
    counter_setup(c, ARCH_EVENT_BRANCHES, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    bracket_open(&bracket, t->caps);
    u64 before = counter_read(c);
    visit(t);
    u64 on = read_msr(t, MSR_PERF_GLOBAL_CTRL);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    u64 after = counter_read(c);
    no_stranger(t, &bracket);
    check_equal(t, "firmware-switched-off", on, BIT(c.bit), MSR_PERF_GLOBAL_CTRL);
    check_true(t, "firmware-count-lost", after > before, after, "a higher count than before", c.msr);
}

TEST("share.firmware-counter", .title = "Agents leave firmware's counter on",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "S-005", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .run = firmware_counter);
