/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/sharing.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

const struct agent_wish wish_instructions = {ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_USR};
const struct agent_wish wish_branches = {ARCH_EVENT_BRANCHES, COUNT_OS | COUNT_USR};
const struct agent_wish wish_sampling = {ARCH_EVENT_BRANCHES, COUNT_OS | COUNT_INT};

/* One agent's wish of each kind, in the order of the agents' numbers. */
static const struct agent_wish *const wishes[AGENTS_MAX] = {&wish_instructions, &wish_branches, &wish_sampling};

static const u8 orders[][AGENTS_MAX] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
#define ORDERS(n) ((n) == 2 ? 2u : 6u)

void agent_count(struct agent *agent, u64 k)
{
    u64 own = agent_counters(agent), others = rdmsr(MSR_PERF_GLOBAL_CTRL) & ~own;
    struct switch_write sw = counters_switch(pmu_caps(), others | own);
    sw.off = others;
    workloads[0].run(&sw, k);
}

u64 in_use_now(struct test *t)
{
    struct pmu_state state;
    agent_poll(t->caps, &state);
    return state.in_use;
}

void no_counter(struct test *t)
{
    error(t, "no counter is free: in use 0x%lx", in_use_now(t));
}

/* Counters with an ability that no other has: to sample at all, to sample one event, or at constant distances. */
static u64 singular(const struct pmu_caps *caps)
{
    u64 sampling = pebs_counter_bits(caps) & caps_gp_bits(caps), precise = pebs_precise_bits(caps) & sampling;
    u64 found = (sampling & (sampling - 1) ? 0 : sampling) | (precise & (precise - 1) ? 0 : precise);
    struct pebs_event event;
    found |= caps->rtm ? GLOBAL_GP(2) : 0; /* in transactions that abort, only IA32_PMC2 counts */
    for (unsigned i = 0; pebs_event(caps, i, &event); i++) {
        u64 able = event.counters & caps_gp_bits(caps);
        found |= able & (able - 1) ? 0 : able;
    }
    return found;
}

/* The GP counters that an agent could choose from: those that read back and are not in use. */
static u64 free_gp(const struct test *t, u64 in_use)
{
    u64 bits = 0;
    for_each_gp_counter (t, n)
        bits |= class_evtsel_reads_back(t->caps, n) && !(in_use >> n & 1) ? BIT(n) : 0;
    return bits;
}

/*
 * A wish for instructions gets a fixed counter, if there is one. A counter with an ability of its own is only taken if
 * no other is free; so is IA32_PMC0, which on unknown CPUs may be the only one that samples.
 */
static bool least_capable(const struct test *t, const struct agent_wish *wish, struct counter c, u64 in_use)
{
    u64 alone = singular(t->caps);
    if (wish == &wish_instructions && t->caps->fixed_bitmap & BIT(FIXED_INSTRUCTIONS))
        return c.fixed;
    u64 better = free_gp(t, in_use) & ~alone & ~GLOBAL_GP(0);
    return !c.fixed && (!((alone | GLOBAL_GP(0)) & BIT(c.bit)) || !better);
}

void no_stranger(struct test *t, struct bracket *bracket)
{
    char name[REGISTER_NAME_SIZE];
    if (bracket_close(bracket, t->caps) & BRACKET_FOREIGN_WRITE)
        error_for(t, REASON_NOISE_FOREIGN_WRITE, "foreign write to %s: 0x%lx became 0x%lx",
                  register_name(t->caps, bracket->foreign, name), bracket->programmed, bracket->found);
}

static void all_undisturbed(struct test *t, const struct agent *agents, unsigned n, struct bracket *bracket)
{
    for (unsigned i = 0; i < n; i++) {
        u64 changed = agent_verify(&agents[i]);
        if (changed)
            no_stranger(t, bracket);
        check_equal(t, "reprogrammed", changed, 0, 0);
    }
}

static void arrive(struct test *t, struct agent *agents, unsigned n, unsigned self, struct bracket *bracket)
{
    struct counter c;
    u64 found = in_use_now(t);
    enum obtained got = agent_obtain(&agents[self], wishes[self], &c);
    if (!check_equal(t, "no-counter", got, OBTAINED_OWN, 0))
        return;
    check_true(t, "not-least-capable", least_capable(t, wishes[self], c, found), c.bit,
               "the least capable free counter", c.msr);
    u64 in_use = in_use_now(t);
    check_true(t, "claim-not-seen", in_use >> c.bit & 1, in_use, "this counter's bit set among those in use", c.msr);
    all_undisturbed(t, agents, n, bracket);
}

static void one_order(struct test *t, unsigned n, const u8 *order)
{
    struct bracket bracket;
    bracket_open(&bracket, t->caps);
    struct agent agents[AGENTS_MAX] = {{.name = "kernel"}, {.name = "profiler"}, {.name = "sampler"}};
    u64 before = in_use_now(t);
    for (unsigned i = 0; i < n; i++)
        arrive(t, agents, n, order[i], &bracket);
    for (unsigned i = 0; i < n; i++)
        agent_start(&agents[order[i]]);
    all_undisturbed(t, agents, n, &bracket);
    for (unsigned i = 0; i < n; i++)
        agent_stop(&agents[order[i]]);
    for (unsigned i = 0; i < n; i++) {
        agent_release_all(&agents[order[i]]);
        all_undisturbed(t, agents, n, &bracket);
    }
    no_stranger(t, &bracket);
    check_equal(t, "still-in-use", in_use_now(t), before, 0);
}

void agents_arrive(struct test *t, unsigned n)
{
    if (t->caps->gp_count < n)
        skip(t, "CPUID.0AH:EAX=0x%08x: %u counters are needed", t->caps->leaf0a.eax, n);
    for (unsigned i = 0; i < ORDERS(n); i++)
        one_order(t, n, orders[i]);
}
