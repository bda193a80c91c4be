/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Topdown: what becomes of each issue slot, as events and as PERF_METRICS. SDM 3B, "Top-Down Microarchitecture
 * Analysis" and "Performance Metrics". The rule is in events.c. PERF_METRICS shows fractions of all slots since a write
 * to it or to fixed counter 3, which counts these slots; its sums are kept in full, so they never overflow, and only
 * software sets STATUS[48].
 */
#include "reference/model/model_state.h"

#define WHOLE 0xffu /* the value of a field that has all slots */
#define LEVEL_FIELDS 4

void model_topdown_of(const struct retired *instruction, uint32_t happened[EVENT_COUNT])
{
    uint32_t slots = happened[EVENT_SLOTS], retiring = slots ? 1 : 0;
    happened[EVENT_RETIRING] = retiring;
    if (is_branch(instruction->kind) && happened[EVENT_BRANCH_MISSES])
        happened[EVENT_BAD_SPECULATION] = slots - retiring;
    else if (is_branch(instruction->kind))
        happened[EVENT_FRONTEND_BOUND] = slots - retiring;
    else
        happened[EVENT_BACKEND_BOUND] = slots - retiring;
}

static bool in_microcode(enum retired_kind kind)
{
    return kind >= RETIRED_FAR_BRANCH && kind <= RETIRED_WRMSR;
}

/* Each is a plain instruction or a near branch, and all of a kind have the same number of slots. */
void model_topdown_of_run(const struct model *m, const struct model_run *run, uint32_t happened[EVENT_COUNT])
{
    uint32_t lost = model_cycles_of(RETIRED_PLAIN) * m->p.slots - 1;
    uint32_t lost_in_branch = model_cycles_of(RETIRED_BRANCH) * m->p.slots - 1;
    uint32_t missed = happened[EVENT_BRANCH_MISSES];
    happened[EVENT_RETIRING] = run->instructions;
    happened[EVENT_BAD_SPECULATION] = missed * lost_in_branch;
    happened[EVENT_FRONTEND_BOUND] = (run->branches - missed) * lost_in_branch;
    happened[EVENT_BACKEND_BOUND] = (run->instructions - run->branches) * lost;
}

/* Of instructions that the back end holds up, each n-th waits for memory, n as for last-level cache references. */
static uint32_t waits_for_memory(struct model *m, uint32_t held_up)
{
    m->topdown.held_up += held_up;
    return events_passed(m->topdown.held_up, held_up, m->p.llc_reference_every);
}

/* `memory`: slots lost to memory. */
static void count_metrics(struct model *m, const uint32_t happened[EVENT_COUNT], uint32_t memory)
{
    for (unsigned i = METRIC_RETIRING; i <= METRIC_BACKEND_BOUND; i++)
        m->topdown.metric[i] += happened[EVENT_RETIRING + i];
    m->topdown.metric[METRIC_BRANCH_MISPREDICTS] += happened[EVENT_BAD_SPECULATION];
    m->topdown.metric[METRIC_FETCH_LATENCY] += happened[EVENT_FRONTEND_BOUND];
    m->topdown.metric[METRIC_MEMORY_BOUND] += memory;
}

void model_metrics_count(struct model *m, const struct retired *instruction, const uint32_t happened[EVENT_COUNT])
{
    uint32_t held_up = !is_branch(instruction->kind);
    count_metrics(m, happened, waits_for_memory(m, held_up) * happened[EVENT_BACKEND_BOUND]);
    m->topdown.metric[METRIC_HEAVY_OPERATIONS] += in_microcode(instruction->kind) ? happened[EVENT_RETIRING] : 0;
}

void model_metrics_count_run(struct model *m, const struct model_run *run, const uint32_t happened[EVENT_COUNT])
{
    uint32_t held_up = run->instructions - run->branches, waits = waits_for_memory(m, held_up);
    count_metrics(m, happened, held_up ? waits * (happened[EVENT_BACKEND_BOUND] / held_up) : 0);
}

/* The four kinds add up to the whole, and no part of a kind is larger than its kind. */
uint64_t good_metrics_shown(struct model *m, uint64_t fractions)
{
    (void)m;
    return fractions;
}

/* The back end gets the rounding error, so that the first four add up to the whole. */
bool model_metrics_read(struct model *m, unsigned unused, uint64_t *value)
{
    uint64_t total = 0, rest = WHOLE;
    (void)unused;
    if (!m->p.stored[STORED_PERF_METRICS].exists)
        return false;
    for (unsigned i = METRIC_RETIRING; i <= METRIC_BACKEND_BOUND; i++)
        total += m->topdown.metric[i];
    *value = m->controls.stored[STORED_PERF_METRICS];
    if (!total)
        return true;
    *value = 0;
    for (unsigned i = 0; i < LEVEL_FIELDS * m->p.metrics_levels; i++) {
        uint64_t field = m->topdown.metric[i] * WHOLE / total;
        if (i < METRIC_BACKEND_BOUND)
            rest -= field;
        *value |= (i == METRIC_BACKEND_BOUND ? rest : field) << 8 * i;
    }
    *value = rule(m, metrics_shown)(m, *value);
    return true;
}

/* PERF_METRICS reads as it was written, until slots are counted. */
uint64_t good_metrics_kept(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

/* Any write to fixed counter 3 sets PERF_METRICS to 0, as the slots that it divides start anew. */
uint64_t good_metrics_after_slots(struct model *m)
{
    (void)m;
    return 0;
}

/* PERF_METRICS counts while its bit of GLOBAL_CTRL is set. */
bool good_metrics_enabled(struct model *m)
{
    return m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_METRICS;
}

/* PERF_METRICS counts in the rings in which fixed counter 3 counts. */
uint8_t good_metrics_rings(struct model *m, uint8_t rings)
{
    (void)m;
    return rings;
}

static void start_anew(struct model *m, uint64_t value)
{
    model_stored_set(m, STORED_PERF_METRICS, value);
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        m->topdown.metric[i] = 0;
}

bool model_metrics_write(struct model *m, unsigned unused, uint64_t value)
{
    uint64_t stored = m->controls.stored[STORED_PERF_METRICS];
    (void)unused;
    if (!model_rule_apply(&m->p.stored[STORED_PERF_METRICS], stored, value, &stored))
        return false;
    start_anew(m, 0);
    model_stored_set(m, STORED_PERF_METRICS, rule(m, metrics_kept)(m, stored));
    return true;
}

bool model_fixed_write(struct model *m, unsigned i, uint64_t value)
{
    if (!rule(m, fixed_write)(m, i, value))
        return false;
    if (i == FIXED_TOPDOWN_SLOTS && m->p.stored[STORED_PERF_METRICS].exists)
        start_anew(m, rule(m, metrics_after_slots)(m));
    return true;
}

/* RDPMC reads the same as RDMSR. */
uint64_t good_metrics_rdpmc_shown(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

/* With METRICS_CLEAR in the control of fixed counter 3, RDPMC clears both after the read, so that no slot is lost. */
void good_metrics_read_by_rdpmc(struct model *m)
{
    if (!(m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_METRICS_CLEAR))
        return;
    start_anew(m, 0);
    model_counter_set(m, 32 + FIXED_TOPDOWN_SLOTS, 0);
}

bool model_metrics_rdpmc(struct model *m, uint64_t *value)
{
    if (!model_metrics_read(m, 0, value))
        return false;
    *value = rule(m, metrics_rdpmc_shown)(m, *value);
    rule(m, metrics_read_by_rdpmc)(m);
    return true;
}
