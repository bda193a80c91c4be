/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer book: what a counter's registers say about its use. */
#include "pmu/sharing/agent.h"

#define FIXED_ENABLES (FIXED_OS(0) | FIXED_USR(0))

static bool sampled(const struct counter_state *state)
{
    return state->sampled;
}

static bool event_chosen(const struct counter_state *state)
{
    return state->control & EVTSEL_EVENT(0xff);
}

static bool claimed(const struct counter_state *state)
{
    return state->claimed;
}

/* With event 0 the counter is free by the rules and by INUSE, but the hardware lets it count nevertheless. */
static bool counts_event_0(const struct counter_state *state)
{
    return (state->control & EVTSEL_EN) && (state->control & (EVTSEL_OS | EVTSEL_USR));
}

static bool gp_interrupts(const struct counter_state *state)
{
    return state->control & EVTSEL_INT;
}

static bool left(const struct counter_state *state)
{
    return state->left;
}

static bool any(const struct counter_state *state)
{
    (void)state;
    return true;
}

static bool fixed_interrupts(const struct counter_state *state)
{
    return (state->control & FIXED_ENABLES) && (state->control & FIXED_PMI(0));
}

static bool fixed_both_threads(const struct counter_state *state)
{
    return (state->control & FIXED_ENABLES) && (state->control & FIXED_ANY(0));
}

static bool fixed_one_ring(const struct counter_state *state)
{
    u64 enables = state->control & FIXED_ENABLES;
    return enables && enables != FIXED_ENABLES;
}

static bool fixed_stopped(const struct counter_state *state)
{
    return (state->control & FIXED_ENABLES) && !state->global;
}

static bool fixed_running(const struct counter_state *state)
{
    return state->control & FIXED_ENABLES;
}

static bool fixed_only_interrupt(const struct counter_state *state)
{
    return state->control & FIXED_PMI(0);
}

#define RING_ALL (EVTSEL_OS | EVTSEL_USR | EVTSEL_EN)
#define GP(...)                     \
    {                               \
        .fixed = false, __VA_ARGS__ \
    }
#define FIXED(...)                 \
    {                              \
        .fixed = true, __VA_ARGS__ \
    }

const struct use_rule use_rules[] = {
    {false, sampled, USE_TAKEN, GP(.control = 0, .sampled = true), "its IA32_PEBS_ENABLE bit is set",
     "it samples; the reload value in the debug store area is its user's"},
    {false, event_chosen, USE_TAKEN, GP(.control = EVTSEL_EVENT(0xc0), .claimed = true), "an event is selected",
     "claimed, whether it runs or not: write neither its control nor its value"},
    {false, claimed, USE_TAKEN, GP(.claimed = true), "INUSE claims it, the event select is 0",
     "the two disagree: believe the one that claims it"},
    {false, counts_event_0, USE_HIDDEN, GP(.control = RING_ALL), "event 0, enabled for a privilege level",
     "free by the rules, but the agent that enabled it considers it its own, and no other agent can see that"},
    {false, gp_interrupts, USE_FREE, GP(.control = EVTSEL_INT), "event 0, interrupt bit set",
     "the counter is free; the PMI reads as in use until the bit is cleared"},
    {false, left, USE_FREE_LEFT, GP(.left = true), "control 0, value not 0",
     "not fully released: set the value before counting"},
    {false, any, USE_FREE, GP(.control = 0), "anything else", "free: claim it by selecting an event"},
    {true, sampled, USE_TAKEN, FIXED(.sampled = true), "its IA32_PEBS_ENABLE bit is set",
     "it samples; the reload value in the debug store area is its user's"},
    {true, fixed_interrupts, USE_TAKEN, FIXED(.control = 0xb, .claimed = true, .global = true),
     "enabled, interrupt bit set", "its user resets its value at every PMI: for others the value has no meaning"},
    {true, fixed_both_threads, USE_TAKEN, FIXED(.control = 0x7, .claimed = true, .global = true),
     "enabled for both threads of the core", "it also counts what the other thread does"},
    {true, fixed_one_ring, USE_TAKEN, FIXED(.control = 0x1, .claimed = true, .global = true),
     "enabled for some privilege levels only", "it does not count at the other levels, which a reader needs"},
    {true, fixed_stopped, USE_TAKEN, FIXED(.control = 0x3, .claimed = true), "enabled, its GLOBAL_CTRL bit clear",
     "claimed, and stopped by its user"},
    {true, fixed_running, USE_READ_ONLY, FIXED(.control = 0x3, .claimed = true, .global = true),
     "counts at all levels, no interrupt", "free-running: all may read it and take differences; none may write it"},
    {true, claimed, USE_TAKEN, FIXED(.claimed = true), "INUSE claims it, the field is 0",
     "the two disagree: believe the one that claims it"},
    {true, fixed_only_interrupt, USE_FREE, FIXED(.control = 0x8), "not enabled, interrupt bit set",
     "the counter is free; the PMI reads as in use until the bit is cleared"},
    {true, left, USE_FREE_LEFT, FIXED(.left = true), "field 0, value not 0",
     "not fully released: set the value before counting"},
    {true, any, USE_FREE, FIXED(.control = 0), "anything else",
     "free: claim it by enabling it for all privilege levels"},
};
const unsigned use_rule_count = ARRAY_SIZE(use_rules);

const struct use_rule *use_of(const struct counter_state *state)
{
    const struct use_rule *rule = use_rules;
    while (rule->fixed != state->fixed || !rule->matches(state))
        rule++;
    return rule;
}

const char *use_name(enum use use)
{
    static const char *const names[] = {"yes", "yes", "read only", "no", "no"};
    return names[use];
}
