/*
 * What one retired instruction makes happen. Instructions and branches are exact. Time is simulated: each kind of
 * instruction takes a fixed number of core cycles, the TSC advances by the profile's ratio, and one instruction or
 * branch in so many references or misses the last-level cache or is mispredicted.
 */
#include "pmu/reference/model/model_state.h"

static const uint8_t cycles_of_kind[] = {
    [RETIRED_PLAIN] = 1,   [RETIRED_BRANCH] = 2,      [RETIRED_FAR_BRANCH] = 40,
    [RETIRED_IRET] = 60,   [RETIRED_REP_STRING] = 20, [RETIRED_CPUID] = 100,
    [RETIRED_WRMSR] = 120, [RETIRED_HLT] = 4,         [RETIRED_PAUSE] = 140,
};
#define CYCLES_MOST 140

static void clock_events(struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT])
{
    uint32_t cycles = cycles_of_kind[instruction->kind], ticks;
    m->ref_part += cycles * m->p.tsc_ratio;
    ticks = m->ref_part / m->p.core_ratio;
    m->ref_part %= m->p.core_ratio;
    m->step_part += ticks;
    happened[EVENT_REF_TSC] = m->step_part - m->step_part % m->p.ref_step;
    m->step_part %= m->p.ref_step;
    happened[EVENT_REF_CLOCK] = ticks;
    if (m->p.crystal_divider) {
        m->crystal_part += ticks;
        happened[EVENT_REF_CLOCK] = m->crystal_part / m->p.crystal_divider;
        m->crystal_part %= m->p.crystal_divider;
    }
    if (m->p.throttled && (m->retired & 1)) /* the clock stands still, the TSC does not */
        cycles = 0;
    happened[EVENT_CORE_CYCLES] = cycles;
    happened[EVENT_SLOTS] = cycles * m->p.slots;
}

static bool every(uint64_t number, uint16_t period)
{
    return period && number % period == 0;
}

static void rare_events(const struct model *m, uint32_t happened[EVENT_COUNT])
{
    happened[EVENT_LLC_REFERENCE] = every(m->retired, m->p.llc_reference_every);
    happened[EVENT_LLC_MISS] = every(m->retired, m->p.llc_miss_every);
    happened[EVENT_BRANCH_MISSES] = happened[EVENT_BRANCHES] && every(m->branches, m->p.branch_miss_every);
}

void model_events_of(struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT])
{
    bool branch = is_branch(instruction->kind);
    m->retired++;
    m->branches += branch;
    happened[EVENT_INSTRUCTIONS] = 1;
    happened[EVENT_BRANCHES] = branch;
    happened[EVENT_CORE_CYCLES] = 1;
    if (m->clocks)
        clock_events(m, instruction, happened);
    if (m->rare)
        rare_events(m, happened);
}

/*
 * Occurrences fall into the instruction's first cycle, those of clock events one into each. CMASK counts the cycles
 * with at least so many, INV those with fewer, EDGE the rises of that condition.
 */
uint32_t model_count_by_cycles(struct model *m, const struct counting *c, uint32_t happened, uint32_t cycles)
{
    bool spread = c->event == EVENT_CORE_CYCLES;
    bool first = ((spread ? 1 : happened) >= c->threshold) != c->invert;
    bool rest = ((spread ? 1u : 0u) >= c->threshold) != c->invert;
    bool was = m->was_true[c->slot];
    if (!cycles)
        return 0;
    m->was_true[c->slot] = cycles > 1 ? rest : first;
    if (c->edge)
        return (first && !was) + (cycles > 1 && rest && !first);
    return first + rest * (cycles - 1);
}

uint32_t model_events_most(const struct model *m)
{
    return CYCLES_MOST * m->p.slots + m->p.ref_step;
}
