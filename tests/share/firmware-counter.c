/*
 * A counter that firmware started before everybody else, and that asks nobody: agents that keep to the sharing guide
 * come, count and go, and it counts on all the time, its bit of IA32_PERF_GLOBAL_CTRL as it was. It is the counter that
 * a newcomer would have been given. That its control stays is asked by the bracket of our own registers.
 */
#include "harness/chapter/sharing.h"

#define AGENTS 2
#define K 2

/* The first that a newcomer would be given, were all of them free. */
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
        skip(t, "CPUID.0AH:EAX=0x%08x: a counter of firmware's and %u others are needed", t->caps->leaf0a.eax, AGENTS);
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
    check_true(t, "firmware-count-lost", after > before, after, "a count that has gone on", c.msr);
}

TEST("share.firmware-counter", .title = "Agents leave a counter of firmware's on",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "S-005", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .run = firmware_counter);
