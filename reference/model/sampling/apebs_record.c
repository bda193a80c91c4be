/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of architectural PEBS: a header with size and groups, the basic group, and then the groups that the counter's
 * CFG_C selects, in a fixed order. A long record has fragments, each with a header of its own. SDM 3B, "Architectural
 * PEBS".
 */
#include "reference/model/model_state.h"

#define HEADER_WORDS 2
#define RETIRE_LATENCY (BIT(16) | 1) /* valid; cycles since the last instruction */
#define METRICS_KEPT 3               /* in the counters group: slots and metrics follow */

/* State components of the vector group's header, by their numbers in XCR0. SDM 1, "XSAVE-Supported Features". */
#define STATE_XMM BIT(1)
#define STATE_YMMH BIT(2)
#define STATE_OPMASK BIT(5)
#define STATE_ZMMH BIT(6)
#define STATE_H16ZMM BIT(7)

/* The record so far, as words, and the beginning of its last fragment. */
struct record {
    uint64_t *words, *header;
    unsigned count;
};

static void put(struct record *r, uint64_t word)
{
    r->words[r->count++] = word;
}

static void put_zeros(struct record *r, unsigned count)
{
    while (count--)
        put(r, 0);
}

/* Reserved words are zeros. */
uint64_t good_apebs_reserved(struct model *m)
{
    (void)m;
    return 0;
}

static void put_reserved(struct record *r, struct model *m, unsigned count)
{
    while (count--)
        put(r, rule(m, apebs_reserved)(m));
}

/* ---- The groups. */

static void put_basic(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups)
{
    (void)groups;
    put(r, sample->eventing_ip);
    put(r, rule(m, apebs_named)(m, sample->counters));
    put(r, sample->tsc);
    put(r, m->p.perf_capabilities & PERF_CAP_PEBS_TIMING ? RETIRE_LATENCY : 0);
    put_reserved(r, m, 2);
}

static void put_aux(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups)
{
    (void)groups;
    put(r, sample->address);
    put_reserved(r, m, 4);
    put(r, sample->source);
    put(r, sample->latency);
    put(r, 0); /* no transactions */
}

static void put_general(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups)
{
    (void)groups;
    put(r, sample->registers.rflags);
    put(r, sample->registers.rip);
    for (unsigned i = 0; i < ARRAY_SIZE(sample->registers.general); i++)
        put(r, sample->registers.general[i]);
    put(r, 0); /* no shadow stack */
    put_reserved(r, m, 1);
}

/* The parts of the vector group, in their order. */
static const struct {
    uint64_t group, state;
    unsigned words;
} vectors[] = {
    {APEBS_XMM, STATE_XMM, 32},   {APEBS_YMMH, STATE_YMMH, 32},      {APEBS_OPMASK, STATE_OPMASK, 8},
    {APEBS_ZMMH, STATE_ZMMH, 64}, {APEBS_H16ZMM, STATE_H16ZMM, 128},
};

/* Only the lower halves of the vector registers are known; the rest is zero, as long as nobody uses it. */
static void put_vectors(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups)
{
    uint64_t states = 0;
    for_each_row (vectors, part)
        states |= groups & part->group ? part->state : 0;
    put(r, states);
    put_reserved(r, m, 1);
    for_each_row (vectors, part)
        if (groups & part->group && part->group == APEBS_XMM)
            for (unsigned i = 0; i < ARRAY_SIZE(sample->registers.xmm); i++) {
                put(r, sample->registers.xmm[i][0]);
                put(r, sample->registers.xmm[i][1]);
            }
        else if (groups & part->group)
            put_zeros(r, part->words);
}

/* The group has 8 or 16 branch records, or the number in IA32_LBR_DEPTH. */
unsigned good_apebs_branches(struct model *m, uint64_t groups)
{
    uint64_t depth = 0;
    unsigned encoded = (unsigned)FIELD_GET(groups, 41, 40);
    model_lbr_depth_read(m, 0, &depth);
    return encoded == 3 ? (unsigned)depth : 8 * encoded;
}

/* The registers of branch records, newest first. If the last branch is still open, RIP is its target. */
static void put_branches(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups)
{
    uint64_t ctl = 0, depth = 0;
    model_lbr_ctl_read(m, 0, &ctl);
    model_lbr_depth_read(m, 0, &depth);
    put_reserved(r, m, 1);
    put(r, ctl);
    put(r, depth);
    put_zeros(r, 3); /* the last event record: none */
    unsigned entries = rule(m, apebs_branches)(m, groups);
    for (unsigned i = 0; i < entries; i++) {
        uint64_t part[3] = {0};
        unsigned age = rule(m, pebs_branch_age)(m, i, entries);
        for (unsigned n = 0; n < 3 && age < LBR_MAX; n++)
            model_lbr_entry_read(m, n * LBR_MAX + age, &part[n]);
        put(r, part[0]);
        put(r, age == 0 && m->lbr.open ? sample->registers.rip : part[1]);
        put(r, part[2]);
    }
}

/* A record has counters that allow it in their CFG_C, enabled or not; GP and fixed counters are a group each. */
uint64_t good_apebs_included(struct model *m, uint64_t groups)
{
    uint64_t all = (groups & APEBS_GP ? width_mask(m->p.gp_count) : 0) |
                   (groups & APEBS_FIXED ? (uint64_t)m->p.fixed_bitmap << 32 : 0);
    for (uint64_t left = all; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(left);
        if (!(model_apebs_config(m, bit) & APEBS_ALLOW))
            all &= ~BIT(bit);
    }
    return all;
}

/* A record has a counter's current value. */
uint64_t good_apebs_value(struct model *m, unsigned bit)
{
    return bit < 32 ? m->counters.pmc[bit] : m->counters.fixed[bit - 32];
}

/* With the metrics it has the slots that they divide. */
uint64_t good_apebs_slots(struct model *m)
{
    return m->counters.fixed[FIXED_TOPDOWN_SLOTS];
}

static void put_counters(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups)
{
    uint64_t included = rule(m, apebs_included)(m, groups), metrics = 0;
    (void)sample;
    put(r, included);
    put(r, groups & APEBS_METRICS ? METRICS_KEPT : 0);
    for (uint64_t left = included; left; left &= left - 1)
        put(r, rule(m, apebs_value)(m, (unsigned)__builtin_ctzll(left)));
    if (!(groups & APEBS_METRICS))
        return;
    model_metrics_read(m, 0, &metrics);
    put(r, rule(m, apebs_slots)(m));
    put(r, metrics);
}

/* Order of the groups in a record. */
static const struct {
    uint64_t groups;
    void (*put)(struct record *r, struct model *m, const struct pebs_sample *sample, uint64_t groups);
} parts[] = {
    {APEBS_BASIC, put_basic},     {APEBS_AUX, put_aux},      {APEBS_GPR, put_general},
    {APEBS_VECTORS, put_vectors}, {APEBS_LBR, put_branches}, {APEBS_COUNTERS, put_counters},
};

/* ---- Headers and fragments. */

/* A record names its counters, with the bits of IA32_PERF_GLOBAL_STATUS. */
uint64_t good_apebs_named(struct model *m, uint64_t counters)
{
    (void)m;
    return counters;
}

/* A record has the groups that were selected. */
uint64_t good_apebs_present(struct model *m, uint64_t groups)
{
    (void)m;
    return groups;
}

/* A fragment's header has its own size and groups, and tells whether another fragment follows. */
uint64_t good_apebs_header(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    (void)m;
    return groups | (size & APEBS_SIZE) | APEBS_64_BIT | (continued ? APEBS_CONTINUED : 0);
}

/* If a group would make its fragment longer than this, a new fragment begins with it. */
uint32_t good_apebs_fragment_most(struct model *m)
{
    (void)m;
    return APEBS_FRAGMENT_MOST;
}

/* There are no fillers before, between or behind fragments. */
unsigned good_apebs_fillers(struct model *m, unsigned place)
{
    (void)m, (void)place;
    return 0;
}

/* Fillers, headers without groups, from `at` on; returns their number of words. */
static unsigned put_fillers(uint64_t *at, struct model *m, unsigned fillers)
{
    for (unsigned i = 0; i < HEADER_WORDS * fillers; i += HEADER_WORDS) {
        at[i] = 8 * HEADER_WORDS;
        at[i + 1] = rule(m, apebs_reserved)(m);
    }
    return HEADER_WORDS * fillers;
}

static void begin(struct record *r, struct model *m)
{
    r->count += put_fillers(r->words, m, rule(m, apebs_fillers)(m, APEBS_BEFORE_RECORD));
    r->header = r->words + r->count;
    put(r, 0); /* written last */
    put_reserved(r, m, 1);
}

static uint32_t fragment_size(const struct record *r)
{
    return 8 * (uint32_t)(r->words + r->count - r->header);
}

/* The buffer counts units of 16 bytes. */
static void fill_up(struct record *r, struct model *m)
{
    put_reserved(r, m, r->count % 2);
}

/* If the group at word `at` makes a fragment with other groups too long, begins a new fragment with it. */
static void split(struct record *r, struct model *m, unsigned at, uint64_t *groups, uint64_t group)
{
    if (!*groups || fragment_size(r) <= rule(m, apebs_fragment_most)(m)) {
        *groups |= group;
        return;
    }
    unsigned fillers = rule(m, apebs_fillers)(m, APEBS_BETWEEN_FRAGMENTS), moved = HEADER_WORDS * (1 + fillers);
    uint64_t *next = r->words + at;
    for (unsigned i = r->count; i-- > at;)
        r->words[i + moved] = r->words[i];
    r->count += moved;
    r->header[0] = rule(m, apebs_header)(m, *groups, 8 * (uint32_t)(next - r->header), true);
    r->header = next + put_fillers(next, m, fillers);
    r->header[1] = rule(m, apebs_reserved)(m);
    *groups = group;
}

uint32_t model_apebs_build(struct model *m, const struct pebs_sample *sample)
{
    struct record r = {.words = m->pebs.record};
    uint64_t wanted = rule(m, apebs_present)(m, sample->groups) | APEBS_BASIC, groups = 0;
    begin(&r, m);
    for_each_row (parts, part) {
        unsigned at = r.count;
        if (!(wanted & part->groups))
            continue;
        part->put(&r, m, sample, wanted);
        fill_up(&r, m);
        split(&r, m, at, &groups, wanted & part->groups);
    }
    r.header[0] = rule(m, apebs_header)(m, groups, fragment_size(&r), false);
    r.count += put_fillers(r.words + r.count, m, rule(m, apebs_fillers)(m, APEBS_BEHIND_RECORD));
    return 8 * r.count;
}
