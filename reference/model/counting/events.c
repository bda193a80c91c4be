/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The events of one retired instruction. The rules, all deterministic:
 *
 * - Instructions: each retired one counts once, a REP string instruction once for all its iterations. One that
 *   faults does not retire and is not reported; an interrupt is not an instruction, but the IRET that ends it is.
 * - Branches: near and far jumps, calls and returns, INT n, SYSCALL, SYSRET and IRET, taken or not.
 * - Branches by kind: conditional and taken ones, calls and returns are near ones; far ones are the rest. LOOP and
 *   JRCXZ are conditional.
 * - Core cycles: by kind of instruction (model_cycles_of()); in HLT only those of the instruction itself. If the
 *   profile is throttled, every second cycle is lost.
 * - Reference cycles: the same cycles at the profile's ratio of TSC to core clock, remainders carried over. Fixed
 *   counter 2 advances in whole steps of the profile; event 013CH by TSC ticks or, divided, by those of a crystal or
 *   bus.
 * - LLC: each n-th instruction since rare events are counted references or misses the last-level cache.
 * - Off-core responses: each LLC reference is one to a demand read of data.
 * - Mispredictions: by a two-bit predictor (predictor.c).
 * - Uops: each instruction has one issue slot, as issued and as retired; unfused, a store has one more.
 * - Assists of microcode: each n-th instruction, likewise.
 * - Interrupts received: external ones that are delivered, except NMIs, in the ring that they interrupt.
 * - PAUSE and branch records: each.
 * - Slots: cycles x width. One slot of an instruction retires; the others are bad speculation in a mispredicted
 *   branch, lost by the front end in another branch, and by the back end in the rest.
 * - CMASK, INV, EQ and EDGE compare single cycles: all occurrences are in the instruction's first cycle, but cycles
 *   and slots are in each.
 * - Memory: one load, one store or both by an instruction's memory operand (memory.c).
 * - AnyThread: the other thread of a core is idle and adds nothing.
 *
 * SDM 3B, "Pre-defined Architectural Performance Events".
 */
#include "reference/model/model_state.h"

/* The ticks of the slower clocks in these cycles. Remainders are kept, so splitting the cycles makes no difference. */
static void clock_ticks(struct model *m, uint32_t cycles, uint32_t happened[EVENT_COUNT])
{
    uint32_t ticks;
    m->events.ref_part += cycles * m->p.tsc_ratio;
    ticks = m->events.ref_part / m->p.core_ratio;
    m->events.ref_part %= m->p.core_ratio;
    m->events.step_part += ticks;
    happened[EVENT_REF_TSC] = m->events.step_part - m->events.step_part % m->p.ref_step;
    m->events.step_part %= m->p.ref_step;
    happened[EVENT_REF_CLOCK] = ticks;
    if (m->p.crystal_divider) {
        m->events.crystal_part += ticks;
        happened[EVENT_REF_CLOCK] = m->events.crystal_part / m->p.crystal_divider;
        m->events.crystal_part %= m->p.crystal_divider;
    }
    happened[EVENT_CORE_CYCLES] = cycles;
}

/* In HLT the core's clock stands still. */
uint32_t good_cycles_in_halt(struct model *m)
{
    (void)m;
    return 0;
}

static void clock_events(struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT])
{
    uint32_t cycles = model_cycles_of(instruction->kind);
    if (m->events.halted_at)
        cycles += rule(m, cycles_in_halt)(m);
    m->events.halted_at = instruction->kind == RETIRED_HLT ? m->host.time(m->host.context) : 0;
    clock_ticks(m, cycles, happened);
    if (m->p.throttled) { /* the clock stands still, the TSC does not */
        cycles += m->events.throttle_part;
        m->events.throttle_part = cycles % 2;
        cycles /= 2;
    }
    happened[EVENT_CORE_CYCLES] = cycles;
    happened[EVENT_SLOTS] = cycles * m->p.slots;
}

/*
 * Off-core responses that MSR_OFFCORE_RSP_n selects: each reference of the last-level cache is a demand read of data,
 * answered by that cache or, if it misses, by memory. SDM 3B, "Off-core Response Performance Monitoring": the register
 * names a type of request and an answer, which on Nehalem are other bits.
 */
static uint32_t offcore(const struct model *m, unsigned n, const uint32_t happened[EVENT_COUNT])
{
    uint64_t filter = m->controls.stored[STORED_OFFCORE_RSP0 + n];
    bool first = m->p.stored[STORED_OFFCORE_RSP0].faults & OFFCORE_RSP_ANY;
    uint64_t cached = first ? OFFCORE_RSP_FIRST_CACHED : OFFCORE_RSP_CACHED | OFFCORE_RSP_ANY;
    uint64_t memory = first ? OFFCORE_RSP_FIRST_MEMORY : OFFCORE_RSP_MEMORY;
    if (!(filter & OFFCORE_RSP_DATA_READ))
        return 0;
    return filter & cached ? happened[EVENT_LLC_REFERENCE] : filter & memory ? happened[EVENT_LLC_MISS] : 0;
}

void model_rare_follow(struct model *m)
{
    if (m->active.rare && !m->events.rare)
        m->events.rare_since = m->events.retired;
    m->events.rare = m->active.rare;
}

/* Call it after `instructions` have been added to the totals. */
static void rare_events(const struct model *m, uint32_t instructions, uint32_t happened[EVENT_COUNT])
{
    uint64_t retired = m->events.retired - m->events.rare_since;
    happened[EVENT_LLC_REFERENCE] = events_passed(retired, instructions, m->p.llc_reference_every);
    happened[EVENT_LLC_MISS] = events_passed(retired, instructions, m->p.llc_miss_every);
    happened[EVENT_ASSISTS] = events_passed(retired, instructions, m->p.assist_every);
    happened[EVENT_SLOTS_USED] = instructions;
    happened[EVENT_OFFCORE_0] = offcore(m, 0, happened);
    happened[EVENT_OFFCORE_1] = offcore(m, 1, happened);
}

/* All branches that are not conditional are taken. */
static void kinds_of_run(const struct model_run *run, uint32_t happened[EVENT_COUNT])
{
    happened[EVENT_CONDITIONAL] = run->conditional;
    happened[EVENT_NOT_TAKEN] = run->branches - run->taken;
    happened[EVENT_CONDITIONAL_TAKEN] = run->conditional - happened[EVENT_NOT_TAKEN];
    happened[EVENT_NEAR_TAKEN] = run->taken;
    happened[EVENT_TAKEN] = run->taken + happened[EVENT_FAR_BRANCH];
    happened[EVENT_NEAR_CALL] = run->calls;
    happened[EVENT_DIRECT_CALL] = run->calls - run->indirect_calls;
    happened[EVENT_INDIRECT_CALL] = run->indirect_calls;
    happened[EVENT_DIRECT_JUMP] = run->branches - run->conditional - run->calls - run->returns - run->indirect_jumps;
    happened[EVENT_INDIRECT_JUMP] = run->indirect_jumps;
    happened[EVENT_INDIRECT] = run->indirect_calls + run->indirect_jumps;
    happened[EVENT_NEAR_RETURN] = run->returns;
    happened[EVENT_INDIRECT_OR_RETURN] = happened[EVENT_INDIRECT] + run->returns;
}

uint32_t model_events_pass_run(struct model *m, const struct model_run *run)
{
    uint32_t cycles = (run->instructions - run->branches) * model_cycles_of(RETIRED_PLAIN) +
                      run->branches * model_cycles_of(RETIRED_BRANCH);
    if (m->active.count) { /* as one by one: what only a trace or records see moves no phase */
        m->events.retired += run->instructions;
        m->events.branches += run->branches;
    }
    m->events.cycles += cycles;
    return cycles;
}

void model_events_of_run(struct model *m, const struct model_run *run, uint32_t happened[EVENT_COUNT])
{
    uint32_t cycles = model_events_pass_run(m, run);
    happened[EVENT_INSTRUCTIONS] = run->instructions;
    happened[EVENT_BRANCHES] = run->branches;
    happened[EVENT_LOADS] = run->loads;
    happened[EVENT_STORES] = run->stores;
    happened[EVENT_LOADS_AND_STORES] = run->loads + run->stores;
    happened[EVENT_UOPS] = run->instructions + run->stores;
    if (m->active.kinds)
        kinds_of_run(run, happened);
    if (model_predicts(m, run->cpl))
        model_predictor_of_run(m, run, happened);
    if (m->active.rare)
        rare_events(m, run->instructions, happened);
    if (!m->active.clocks)
        return;
    m->events.halted_at = 0;
    clock_ticks(m, cycles, happened);
    happened[EVENT_SLOTS] = cycles * m->p.slots;
    if (m->active.topdown)
        model_topdown_of_run(m, run, happened);
}

static void branch_events(struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT])
{
    bool near = instruction->kind == RETIRED_BRANCH;
    struct model_run run = {
        .cpl = instruction->cpl,
        .branches = near,
        .taken = near && (instruction->taken || instruction->branch != BRANCH_CONDITIONAL),
        .conditional = near && instruction->branch == BRANCH_CONDITIONAL,
        .calls = near && (instruction->branch == BRANCH_CALL || instruction->branch == BRANCH_CALL_INDIRECT),
        .returns = near && instruction->branch == BRANCH_RETURN,
        .indirect_calls = near && instruction->branch == BRANCH_CALL_INDIRECT,
        .indirect_jumps = near && instruction->branch == BRANCH_JUMP_INDIRECT,
    };
    happened[EVENT_FAR_BRANCH] = is_branch(instruction->kind) && !near;
    kinds_of_run(&run, happened);
    if (!model_predicts(m, instruction->cpl))
        return;
    if (run.conditional)
        model_run_predict(m, &run, instruction->rip, run.taken, 1);
    model_predictor_of_run(m, &run, happened);
}

void model_events_of(struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT])
{
    bool branch = is_branch(instruction->kind);
    events_pass(m, branch);
    happened[EVENT_INSTRUCTIONS] = 1;
    happened[EVENT_BRANCHES] = branch;
    happened[EVENT_CORE_CYCLES] = 1;
    if (m->active.clocks)
        clock_events(m, instruction, happened);
    if (m->active.kinds | m->active.missed)
        branch_events(m, instruction, happened);
    if (m->active.topdown)
        model_topdown_of(instruction, happened);
    if (m->active.rare) {
        rare_events(m, 1, happened);
        happened[EVENT_LBR_INSERTS] = model_lbr_inserts(m, instruction);
        happened[EVENT_PAUSES] = instruction->kind == RETIRED_PAUSE;
    }
    if (m->active.memory)
        model_memory_of(m, instruction, happened);
}

/* The condition that CMASK, INV and EQ put on the occurrences of one cycle. */
static bool holds(const struct counting *c, uint32_t occurrences)
{
    bool enough = c->equal ? occurrences == c->threshold : occurrences >= c->threshold;
    return enough != c->invert;
}

/* How often a clock event happens in each cycle; other events happen only in the first one. */
static uint32_t each_cycle(const struct model *m, const struct counting *c)
{
    return c->event == EVENT_CORE_CYCLES ? 1 : c->event == EVENT_SLOTS ? m->p.slots : 0;
}

/* CMASK counts the cycles in which the condition holds, EDGE its rises. */
uint32_t model_count_by_cycles(struct model *m, const struct counting *c, uint32_t happened, uint32_t cycles)
{
    uint32_t each = each_cycle(m, c);
    bool first = holds(c, each ? each : happened), rest = holds(c, each);
    bool was = m->events.was_true[c->slot];
    if (!cycles)
        return 0;
    if (!c->edge)
        return first + rest * (cycles - 1);
    m->events.was_true[c->slot] = cycles > 1 ? rest : first;
    return (first && !was) + (cycles > 1 && rest && !first);
}

/* Does each instruction count alike? Without EDGE, and with 0 or 1 occurrences in its first cycle. */
bool model_counts_evenly(const struct counting *c)
{
    if (c->edge)
        return false;
    return c->event <= EVENT_CORE_CYCLES || c->event == EVENT_LLC_REFERENCE || c->event == EVENT_LLC_MISS ||
           c->event == EVENT_SLOTS || c->event == EVENT_RETIRING ||
           (c->event >= EVENT_CONDITIONAL && c->event <= EVENT_OFFCORE_1) || c->event == EVENT_LOADS ||
           c->event == EVENT_STORES;
}

uint32_t model_count_run_by_cycles(struct model *m, const struct counting *c, uint32_t happened, uint32_t cycles)
{
    uint32_t each = each_cycle(m, c);
    if (each)
        return holds(c, each) ? cycles : 0;
    bool with = holds(c, 1), without = holds(c, 0);
    return with * happened + without * (cycles - happened);
}

uint32_t model_events_most(const struct model *m, const struct counting *c)
{
    uint32_t cycles = model_cycles_of(RETIRED_BRANCH); /* no other kind in a run takes as long */
    if (c->by_cycles || c->event == EVENT_CORE_CYCLES)
        return cycles;
    if (c->event >= EVENT_SLOTS && c->event <= EVENT_BACKEND_BOUND)
        return cycles * m->p.slots;
    if (c->event == EVENT_REF_TSC || c->event == EVENT_REF_CLOCK)
        return cycles * m->p.tsc_ratio / m->p.core_ratio + 1 + m->p.ref_step;
    return c->event >= EVENT_UOPS ? 2 : 1; /* a load and a store, or two uops */
}
