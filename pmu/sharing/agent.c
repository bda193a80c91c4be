/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/sharing/agent.h"
#include "kernel/text/text.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"

/* ---- What the registers say. */

unsigned agent_features(const struct pmu_state *state)
{
    return (state->pebs_enable ? FEATURE_SAMPLING : 0) | (state->latency ? FEATURE_LOAD_LATENCY : 0) |
           (state->offcore[0] ? FEATURE_OFFCORE_0 : 0) | (state->offcore[1] ? FEATURE_OFFCORE_1 : 0) |
           (state->lbr_filter ? FEATURE_LBR_FILTER : 0);
}

struct counter_state counter_state_of(const struct pmu_state *state, struct counter counter)
{
    u64 field = state->fixed_control >> 4 * counter.index & FIXED_FIELD(0);
    return (struct counter_state){
        .fixed = counter.fixed,
        .control = counter.fixed ? field : state->evtsel[counter.index],
        .claimed = state->in_use >> counter.bit & 1,
        .global = state->global_ctrl >> counter.bit & 1,
        .sampled = state->pebs_enable >> counter.bit & 1,
        .left = state->left >> counter.bit & 1,
    };
}

static bool is_free(const struct pmu_state *state, struct counter counter)
{
    struct counter_state of = counter_state_of(state, counter);
    enum use use = use_of(&of)->use;
    return use == USE_FREE || use == USE_FREE_LEFT;
}

/* ---- Choosing. */

static bool wants_everything(const struct agent_wish *wish)
{
    return (wish->flags & (COUNT_OS | COUNT_USR | COUNT_INT)) == (COUNT_OS | COUNT_USR);
}

/* Finds the fixed counter that counts this event. */
static bool fixed_for(const struct pmu_caps *caps, u16 event, struct counter *counter)
{
    *counter = fixed_counter(caps, 0);
    for_each_fixed (caps, i) {
        *counter = fixed_counter(caps, i);
        if (counter_can_count(*counter, event))
            return true;
    }
    return false;
}

/* How rare an ability is that the GP counters in `able` have; 0 for a counter without it. */
static unsigned rarity(const struct pmu_caps *caps, u64 able, unsigned n)
{
    unsigned others = 0;
    able &= caps_gp_bits(caps);
    if (!(able >> n & 1))
        return 0;
    for (u64 rest = able & ~BIT(n); rest; rest &= rest - 1)
        others++;
    return GP_COUNTERS_MAX - others;
}

static unsigned more(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/*
 * What a counter can do that others cannot, by its rarest ability: to sample, to sample one event, or at constant
 * distances; to count in aborted transactions, which only IA32_PMC2 can. The least capable is taken first.
 */
static unsigned worth(const struct pmu_caps *caps, unsigned n)
{
    struct pebs_event event;
    unsigned most = rarity(caps, pebs_counter_bits(caps), n);
    most = more(most, rarity(caps, pebs_precise_bits(caps), n));
    most = more(most, rarity(caps, caps->rtm ? BIT(2) : 0, n));
    for (unsigned i = 0; pebs_event(caps, i, &event); i++)
        most = more(most, rarity(caps, event.counters, n));
    return most * GP_COUNTERS_MAX + GP_COUNTERS_MAX - n;
}

/* A counter whose control does not read back can be neither checked nor verified, so it is not shared at all. */
static bool choose_gp(const struct pmu_caps *caps, const struct pmu_state *state, struct counter *counter)
{
    bool found = false;
    for_each_gp (caps, n) {
        struct counter candidate = gp_counter(caps, n);
        if (!class_evtsel_reads_back(caps, n) || !is_free(state, candidate) ||
            (found && worth(caps, n) >= worth(caps, counter->index)))
            continue;
        *counter = candidate;
        found = true;
    }
    return found;
}

bool agent_choose(const struct pmu_caps *caps, const struct pmu_state *state, const struct agent_wish *wish,
                  struct counter *counter)
{
    struct counter fixed;
    bool fits = fixed_for(caps, wish->event, &fixed) && is_free(state, fixed);
    if (fits && wants_everything(wish)) {
        *counter = fixed;
        return true;
    }
    if (choose_gp(caps, state, counter))
        return true;
    *counter = fixed;
    return fits;
}

bool agent_shareable(const struct pmu_caps *caps, const struct pmu_state *state, const struct agent_wish *wish,
                     struct counter *counter, const char **why)
{
    *why = "no fixed counter has this event";
    if (!fixed_for(caps, wish->event, counter))
        return false;
    struct counter_state of = counter_state_of(state, *counter);
    const struct use_rule *rule = use_of(&of);
    *why = rule->use == USE_READ_ONLY ? "it counts more than the wish asks for" : rule->why;
    return rule->use == USE_READ_ONLY && wants_everything(wish);
}

bool agent_pmi_free(const struct pmu_caps *caps, const struct pmu_state *state, u64 own)
{
    struct pmu_state others = *state;
    for_each_gp (caps, n)
        others.evtsel[n] = own >> n & 1 ? 0 : state->evtsel[n];
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (own >> (32 + i) & 1)
            others.fixed_control &= ~FIXED_FIELD(i);
    return !(in_use_computed(caps, &others) & INUSE_PMI);
}

u64 agent_others(const struct pmu_caps *caps, const struct pmu_state *state, u64 own)
{
    return (state->in_use | state->computed) & caps_counter_bits(caps) & ~own;
}

u64 agent_counters(const struct agent *agent)
{
    u64 bits = 0;
    for (unsigned i = 0; i < agent->claims; i++)
        bits |= BIT(agent->claim[i].counter.bit);
    return bits;
}

/* ---- The record. */

static u32 record_crc(const struct agent_record *record)
{
    return crc32_update(0, &record->claims, sizeof(*record) - offsetof(struct agent_record, claims));
}

void agent_record(const struct agent *agent, struct agent_record *record)
{
    *record = (struct agent_record){.claims = agent->claims};
    for (unsigned i = 0; i < agent->claims; i++) {
        record->claim[i].bit = agent->claim[i].counter.bit;
        record->claim[i].control = agent->claim[i].control;
    }
    record->crc32 = record_crc(record);
}

bool agent_record_good(const struct agent_record *record)
{
    return record->claims <= AGENT_COUNTERS && record->crc32 == record_crc(record);
}

/* ---- Reading who uses what. */

static u64 value_left(const struct pmu_caps *caps, const struct pmu_state *state)
{
    struct counter list[COUNTERS_MAX];
    u64 bits = 0;
    unsigned n = counters(caps, list);
    for (unsigned i = 0; i < n; i++)
        if (!counter_state_of(state, list[i]).control && counter_read(list[i]))
            bits |= BIT(list[i].bit);
    return bits;
}

/* 0 if the register does not exist: then nobody uses it. */
static u64 read_if_there(bool there, u32 msr)
{
    u64 value;
    return there && rdmsr_try(msr, &value) == NO_FAULT ? value : 0;
}

static void poll_features(const struct pmu_caps *caps, struct pmu_state *state)
{
    u64 sampling = ds_usable(caps) ? rdmsr(MSR_PEBS_ENABLE) : 0;
    state->pebs_enable = sampling & pebs_counter_bits(caps);
    state->latency = pebs_latency_bits(caps) & sampling;
    for (unsigned n = 0; n < 2; n++)
        state->offcore[n] = read_if_there(n < offcore_rsps(caps), MSR_OFFCORE_RSP(n));
    state->lbr_filter =
        caps->lbr_depths ? read_if_there(true, MSR_ARCH_LBR_CTL) : read_if_there(has_lbr_select(caps), MSR_LBR_SELECT);
}

void agent_poll(const struct pmu_caps *caps, struct pmu_state *state)
{
    *state = (struct pmu_state){0};
    for_each_gp (caps, n)
        state->evtsel[n] = rdmsr(MSR_PERFEVTSEL(n));
    if (caps->version >= 2) {
        state->fixed_control = rdmsr(MSR_FIXED_CTR_CTRL);
        state->global_ctrl = rdmsr(MSR_PERF_GLOBAL_CTRL);
    }
    if (gate_bits(caps, MSR_DEBUGCTL))
        state->debugctl = rdmsr(MSR_DEBUGCTL);
    poll_features(caps, state);
    state->frozen = caps->version >= 4 && pmu_status() & STATUS_CTR_FRZ;
    state->computed = in_use_computed(caps, state);
    state->in_use = caps->version >= 4 ? rdmsr(MSR_PERF_GLOBAL_INUSE) : state->computed;
    state->left = value_left(caps, state);
}

/* ---- Programming: every shared register is read, changed only in the agent's own bits, and written. */

static void change(u32 msr, u64 clear, u64 set)
{
    wrmsr(msr, (rdmsr(msr) & ~clear) | set);
}

/* Version 1 has only each counter's enable bit to switch it. */
static void switch_counter(const struct agent_claim *claim, bool on)
{
    u64 bit = BIT(claim->counter.bit);
    if (pmu_caps()->version >= 2)
        change(MSR_PERF_GLOBAL_CTRL, bit, on ? bit : 0);
    else
        change(MSR_PERFEVTSEL(claim->counter.index), EVTSEL_EN, on ? EVTSEL_EN : 0);
}

static u64 control_for(struct counter counter, const struct agent_wish *wish)
{
    unsigned i = counter.index, flags = wish->flags;
    if (counter.fixed)
        return (flags & COUNT_OS ? FIXED_OS(i) : 0) | (flags & COUNT_USR ? FIXED_USR(i) : 0) |
               (flags & COUNT_INT ? FIXED_PMI(i) : 0);
    return EVTSEL_ENCODING(wish->event) | (flags & COUNT_OS ? EVTSEL_OS : 0) | (flags & COUNT_USR ? EVTSEL_USR : 0) |
           (flags & COUNT_INT ? EVTSEL_INT : 0) | (pmu_caps()->version >= 2 ? EVTSEL_EN : 0);
}

static void write_control(struct counter counter, u64 control)
{
    if (counter.fixed)
        change(MSR_FIXED_CTR_CTRL, FIXED_FIELD(counter.index), control);
    else
        wrmsr(MSR_PERFEVTSEL(counter.index), control);
}

static u64 read_control(struct counter counter)
{
    return counter.fixed ? rdmsr(MSR_FIXED_CTR_CTRL) & FIXED_FIELD(counter.index)
                         : rdmsr(MSR_PERFEVTSEL(counter.index));
}

/*
 * The counter's GLOBAL_CTRL bit may be set although nobody uses the counter: a reset sets those of the GP counters. It
 * is cleared first, otherwise the counter would start as soon as its control is written, not with agent_start().
 */
static void program(const struct agent_claim *claim)
{
    switch_counter(claim, false);
    write_control(claim->counter, claim->control);
    counter_write(claim->counter, 0);
}

/* ---- Obtaining. */

static bool may_interrupt(const struct agent *agent, const struct pmu_state *state, const struct agent_wish *wish)
{
    return !(wish->flags & COUNT_INT) || agent_pmi_free(pmu_caps(), state, agent_counters(agent));
}

/* If the control does not read as we wrote it, another agent has written it after our look: then the counter is his. */
static bool claim(struct agent *agent, const struct agent_wish *wish, struct counter counter)
{
    struct agent_claim *new = &agent->claim[agent->claims];
    *new = (struct agent_claim){counter, control_for(counter, wish)};
    program(new);
    if (read_control(counter) != new->control)
        return false;
    agent->claims++;
    return true;
}

enum obtained agent_obtain(struct agent *agent, const struct agent_wish *wish, struct counter *counter)
{
    const struct pmu_caps *caps = pmu_caps();
    struct pmu_state state;
    const char *why;
    agent_poll(caps, &state);
    if (agent_shareable(caps, &state, wish, counter, &why))
        return OBTAINED_SHARED;
    if (agent->claims == AGENT_COUNTERS || !may_interrupt(agent, &state, wish))
        return OBTAINED_NOTHING;
    if (!agent_choose(caps, &state, wish, counter) || !claim(agent, wish, *counter))
        return OBTAINED_NOTHING;
    return OBTAINED_OWN;
}

/* ---- Counting. */

void agent_start(struct agent *agent)
{
    agent->running = agent_counters(agent);
    if (pmu_caps()->version >= 2) {
        change(MSR_PERF_GLOBAL_CTRL, 0, agent->running);
        return;
    }
    for (unsigned i = 0; i < agent->claims; i++)
        switch_counter(&agent->claim[i], true);
}

void agent_stop(struct agent *agent)
{
    if (pmu_caps()->version >= 2)
        change(MSR_PERF_GLOBAL_CTRL, agent->running, 0);
    for (unsigned i = 0; i < agent->claims && pmu_caps()->version < 2; i++)
        switch_counter(&agent->claim[i], false);
    agent->running = 0;
}

/* Clears only the agent's own bits that are set: clearing others would hide overflows from their users. */
static u64 take_overflows(u64 own)
{
    u64 overflowed = pmu_status() & own;
    pmu_status_clear(overflowed);
    return overflowed;
}

u64 agent_on_pmi(struct agent *agent)
{
    u64 own = agent_counters(agent);
    agent_stop(agent);
    return take_overflows(own);
}

/* ---- Keeping counters, and releasing them. */

static bool as_programmed(const struct agent *agent, const struct agent_claim *claim)
{
    u64 control = claim->control, bit = BIT(claim->counter.bit);
    if (pmu_caps()->version < 2)
        return (read_control(claim->counter) | EVTSEL_EN) == (control | EVTSEL_EN);
    return read_control(claim->counter) == control && (!(agent->running & bit) || (rdmsr(MSR_PERF_GLOBAL_CTRL) & bit));
}

u64 agent_verify(const struct agent *agent)
{
    u64 lost = 0;
    for (unsigned i = 0; i < agent->claims; i++)
        if (!as_programmed(agent, &agent->claim[i]))
            lost |= BIT(agent->claim[i].counter.bit);
    return lost;
}

u64 agent_reclaim(struct agent *agent)
{
    u64 lost = agent_verify(agent);
    for (unsigned i = 0; i < agent->claims; i++) {
        const struct agent_claim *own = &agent->claim[i];
        if (!(lost & BIT(own->counter.bit)))
            continue;
        if (read_control(own->counter) != own->control)
            program(own);
        if (agent->running & BIT(own->counter.bit))
            switch_counter(own, true);
        agent->reclaimed++;
    }
    return lost;
}

/* Stops it first: a value may only be written while its counter is stopped. */
static void give_back(const struct agent_claim *claim)
{
    switch_counter(claim, false);
    write_control(claim->counter, 0);
    counter_write(claim->counter, 0);
    take_overflows(BIT(claim->counter.bit));
}

void agent_release(struct agent *agent, struct counter counter)
{
    for (unsigned i = 0; i < agent->claims; i++) {
        if (agent->claim[i].counter.bit != counter.bit)
            continue;
        give_back(&agent->claim[i]);
        agent->running &= ~BIT(counter.bit);
        agent->claim[i] = agent->claim[--agent->claims];
        return;
    }
}

void agent_release_all(struct agent *agent)
{
    while (agent->claims)
        agent_release(agent, agent->claim[0].counter);
}

u64 agent_recover(const struct agent_record *record)
{
    const struct pmu_caps *caps = pmu_caps();
    u64 released = 0;
    if (!agent_record_good(record))
        return 0;
    for (u32 i = 0; i < record->claims; i++) {
        u32 bit = record->claim[i].bit;
        if (bit > 63 || !(caps_counter_bits(caps) & BIT(bit)))
            continue;
        struct counter counter = bit < 32 ? gp_counter(caps, bit) : fixed_counter(caps, bit - 32);
        struct agent_claim left = {counter, record->claim[i].control};
        if (read_control(counter) != left.control)
            continue;
        give_back(&left);
        released |= BIT(bit);
    }
    return released;
}
