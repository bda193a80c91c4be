/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adaptive PEBS records, formats 4 and up: a basic group, and then the groups that MSR_PEBS_DATA_CFG selects. SDM 3B,
 * "Adaptive PEBS".
 */
#include "reference/model/model_state.h"

#define RECORD_SIZE(bytes) FIELD(63, 48, bytes)
#define GROUPS_SHOWN (MASK(31, 24) | MASK(5, 0)) /* of MSR_PEBS_DATA_CFG, in the first word */
#define FORMAT_WITH_COUNTERS 6
#define RETIRE_LATENCY FIELD(47, 32, 1) /* cycles since the last instruction */
#define METRICS_KEPT 3                  /* in the counters group's header: slots and metrics follow */

/* The record so far, in words. */
struct record {
    uint64_t *words;
    unsigned count;
};

static void put(struct record *r, uint64_t word)
{
    r->words[r->count++] = word;
}

static void put_memory(struct record *r, const struct pebs_sample *sample)
{
    put(r, sample->address);
    put(r, sample->source);
    put(r, sample->latency);
    put(r, 0); /* no transactions */
}

static void put_general(struct record *r, const struct pebs_sample *sample)
{
    put(r, sample->registers.rflags);
    put(r, sample->registers.rip);
    for (unsigned i = 0; i < ARRAY_SIZE(sample->registers.general); i++)
        put(r, sample->registers.general[i]);
}

static void put_xmm(struct record *r, const struct pebs_sample *sample)
{
    for (unsigned i = 0; i < ARRAY_SIZE(sample->registers.xmm); i++) {
        put(r, sample->registers.xmm[i][0]);
        put(r, sample->registers.xmm[i][1]);
    }
}

/* Branch records are in the record newest first. */
unsigned good_pebs_branch_age(struct model *m, unsigned entry, unsigned entries)
{
    (void)m, (void)entries;
    return entry;
}

/* Zeros if there are no branch records, or recording is off. RIP is the target of the last branch if that is open. */
static void put_branches(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups)
{
    unsigned entries = (unsigned)FIELD_GET(groups, 31, 24) + 1;
    for (unsigned i = 0; i < entries; i++) {
        unsigned age = rule(m, pebs_branch_age)(m, i, entries);
        bool known = m->active.recording && age < m->p.lbr_depth;
        unsigned n = known ? (m->lbr.tos + m->p.lbr_depth - age) % m->p.lbr_depth : 0;
        put(r, known ? m->lbr.from[n] : 0);
        put(r, known && age == 0 && m->lbr.open ? sample->registers.rip : known ? m->lbr.to[n] : 0);
        put(r, known && model_lbr_tells(m) ? m->lbr.info[n] : 0);
    }
}

/* Counters that exist and that the group is to have. */
static void put_counters(struct record *r, struct model *m, uint64_t groups)
{
    bool counters = groups & PEBS_DATA_COUNTERS, metrics = groups & PEBS_DATA_METRICS;
    uint64_t gp = counters ? FIELD_GET(groups, 47, 32) : 0, fixed = counters ? FIELD_GET(groups, 55, 48) : 0;
    gp &= width_mask(m->p.gp_count);
    fixed &= m->p.fixed_bitmap;
    put(r, gp | fixed << 32);
    put(r, metrics ? METRICS_KEPT : 0);
    for (unsigned n = 0; n < GP_MAX; n++)
        if (gp >> n & 1)
            put(r, m->counters.pmc[n]);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if (fixed >> i & 1)
            put(r, m->counters.fixed[i]);
    if (!metrics)
        return;
    uint64_t value = 0;
    model_metrics_read(m, 0, &value);
    put(r, m->counters.fixed[FIXED_TOPDOWN_SLOTS]);
    put(r, value);
}

/* A record has its own groups and size in its first word. */
uint64_t good_pebs_first_word(struct model *m, uint64_t groups, uint32_t size)
{
    uint64_t word = (groups & GROUPS_SHOWN) | RECORD_SIZE(size);
    return m->p.perf_capabilities & PERF_CAP_PEBS_TIMING ? word | RETIRE_LATENCY : word;
}

/* A record has the groups that are selected when its counter is armed. */
uint64_t good_pebs_groups(struct model *m, uint64_t groups)
{
    (void)m;
    return groups;
}

uint32_t model_pebs_build_adaptive(struct model *m, const struct pebs_sample *sample)
{
    struct record r = {m->pebs.record, 1}; /* the first word is written last */
    uint64_t groups = rule(m, pebs_groups)(m, sample->groups);
    bool with_counters = FIELD_GET(m->p.perf_capabilities, 11, 8) >= FORMAT_WITH_COUNTERS;
    put(&r, sample->eventing_ip);
    put(&r, rule(m, pebs_named)(m, sample->counters));
    put(&r, sample->tsc);
    if (groups & PEBS_DATA_MEMINFO)
        put_memory(&r, sample);
    if (groups & PEBS_DATA_GPR)
        put_general(&r, sample);
    if (groups & PEBS_DATA_XMM)
        put_xmm(&r, sample);
    if (groups & PEBS_DATA_LBR)
        put_branches(&r, m, sample, groups);
    if (with_counters && (groups & (PEBS_DATA_COUNTERS | PEBS_DATA_METRICS)))
        put_counters(&r, m, groups);
    m->pebs.record[0] = rule(m, pebs_first_word)(m, groups, 8 * r.count);
    return 8 * r.count;
}
