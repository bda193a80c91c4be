/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/text/crc32.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/sharing/agent.h"

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
