/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NetBurst: 18 counters, each with a CCCR that selects an ESCR, which selects the event. Each group of counters has its
 * own ESCRs. Counted are on the six IQ counters retired instructions, retired branches and the events for PEBS
 * (netburst_tags.c), on the FLAME counters kinds of arithmetic, on the MS counters uops that are queued, and on the BPU
 * counters running cycles; all other settings are only stored. An overflow sets OVF in the CCCR and may raise a PMI;
 * there are no global registers. CPUs 2n and 2n
 * + 1 are the two threads of a core and share all of this (core.c): a thread counts by the ESCR's bits for it. SDM 3B,
 * "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)".
 */
#include "reference/model/model_state.h"

#define IQ_FIRST 12
#define FLAME_FIRST 8
#define MS_FIRST 4
#define SELECT_FSB 6  /* CCCR's ESCR select, of BPU counters for FSB_ESCR0 and 1 */
#define SELECT_MS 0   /* of MS counters for MS_ESCR0 and 1 */
#define SELECT_FIRM 1 /* of FLAME counters for FIRM_ESCR0 and 1 */
#define EVENT_GLOBAL_POWER 0x13
#define EVENT_UOP_QUEUE_WRITES 0x09
#define MASK_RUNNING 0x1
#define MASK_UOPS 0x7   /* from the trace cache, building and delivering, and from microcode */
#define SELECT_CRU_01 4 /* CCCR's ESCR select for CRU_ESCR0 and 1 */
#define SELECT_CRU_23 5 /* likewise for CRU_ESCR2 and 3 */
#define EVENT_INSTR_RETIRED 0x02
#define EVENT_BRANCH_RETIRED 0x06
#define MASK_NOT_TAGGED 0x1 /* instr_retired: non-bogus, not tagged */
#define MASK_NOT_TAKEN 0x1  /* branch_retired: predicted; no branch is mispredicted here */
#define MASK_TAKEN 0x4      /* likewise */
#define RDPMC_FAST BIT(31)  /* bit 31 of the index: only the low half */

/* Offsets from the first ESCR without an ESCR. */
static const struct {
    uint8_t first, last;
} escr_gaps[] = {{0x1f, 0x1f}, {0x26, 0x27}, {0x2e, 0x3f}};

static bool has_escr(const struct model *m, unsigned n)
{
    for_each_row (escr_gaps, gap)
        if (n >= gap->first && n <= gap->last)
            return false;
    return m->p.escr.exists;
}

static uint64_t cccr(const struct model *m, unsigned n)
{
    return shared_get(&m->sharing.core->cccr[n]);
}

/* Both threads see the same CCCR. */
uint64_t good_cccr_shown(struct model *m, unsigned n)
{
    return cccr(m, n);
}

bool model_netburst_counter_read(struct model *m, unsigned n, uint64_t *value)
{
    *value = shared_get(&m->sharing.core->netburst[n]);
    return n < m->p.netburst_count;
}

/* A counter holds what was written, running or not. */
uint64_t good_netburst_kept(struct model *m, unsigned n, uint64_t value)
{
    (void)m, (void)n;
    return value;
}

bool model_netburst_counter_write(struct model *m, unsigned n, uint64_t value)
{
    uint64_t old = shared_get(&m->sharing.core->netburst[n]);
    if (n >= m->p.netburst_count || !model_rule_apply(&m->p.netburst_counter, old, value, &value))
        return false;
    value = rule(m, netburst_kept)(m, n, value);
    shared_set(&m->sharing.core->netburst[n], value & width_mask(m->p.netburst_width));
    return true;
}

bool model_cccr_read(struct model *m, unsigned n, uint64_t *value)
{
    *value = rule(m, cccr_shown)(m, n);
    return n < m->p.netburst_count;
}

static uint64_t escr(const struct model *m, uint32_t msr)
{
    return shared_get(&m->sharing.core->escr[msr - MSR_ESCR]);
}

/* Of the other groups, the first two counters go with the first ESCR. */
static uint64_t escr_of_others(const struct model *m, unsigned n)
{
    unsigned select = FIELD_GET(cccr(m, n), 15, 13), second = n % 4 / 2;
    if (n >= FLAME_FIRST)
        return select == SELECT_FIRM ? escr(m, MSR_FIRM_ESCR(second)) : 0;
    if (n >= MS_FIRST)
        return select == SELECT_MS ? escr(m, MSR_MS_ESCR(second)) : 0;
    return select == SELECT_FSB ? escr(m, MSR_FSB_ESCR(second)) : 0;
}

/* IQ counters 0, 1 and 4 go with CRU_ESCR0 and 2, the others with 1 and 3. */
static uint64_t escr_of(const struct model *m, unsigned n)
{
    if (n < IQ_FIRST)
        return escr_of_others(m, n);
    bool odd = n == IQ_FIRST + 2 || n == IQ_FIRST + 3 || n == IQ_FIRST + 5;
    switch (FIELD_GET(cccr(m, n), 15, 13)) {
    case SELECT_CRU_01:
        return shared_get(&m->sharing.core->escr[MSR_CRU_ESCR(odd) - MSR_ESCR]);
    case SELECT_CRU_23:
        return shared_get(&m->sharing.core->escr[MSR_CRU_ESCR(2 + odd) - MSR_ESCR]);
    }
    return 0;
}

/* After a write: gathers what counts on this thread, and wakes the other one if it is concerned. */
static void programmed(struct model *m)
{
    unsigned other = !model_netburst_thread(m);
    bool concerned = false;
    for (unsigned n = 0; n < m->p.netburst_count; n++)
        concerned |= (cccr(m, n) & CCCR_ENABLE) && rule(m, escr_rings)(m, other, escr_of(m, n));
    mark_stale(m);
    model_core_changed(m, concerned);
}

/* Stopping a counter does not change its value or anything else. */
void good_netburst_stopped(struct model *m, unsigned n)
{
    (void)m, (void)n;
}

/* Software can set and clear OVF like any other bit. */
uint64_t good_cccr_kept(struct model *m, uint64_t was, uint64_t value)
{
    (void)m, (void)was;
    return value;
}

bool model_cccr_write(struct model *m, unsigned n, uint64_t value)
{
    uint64_t was = cccr(m, n), now;
    if (n >= m->p.netburst_count || !model_rule_apply(&m->p.cccr, was, value, &now))
        return false;
    if ((m->active.mask >> n & 1) && !(value & CCCR_ENABLE))
        rule(m, netburst_stopped)(m, n);
    shared_set(&m->sharing.core->cccr[n], rule(m, cccr_kept)(m, was, now));
    programmed(m);
    return true;
}

bool model_escr_read(struct model *m, unsigned n, uint64_t *value)
{
    *value = shared_get(&m->sharing.core->escr[n]);
    return has_escr(m, n);
}

/* Either thread may write bits that affect the other. */
uint64_t good_escr_kept(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

bool model_escr_write(struct model *m, unsigned n, uint64_t value)
{
    uint64_t now;
    if (!has_escr(m, n) || !model_rule_apply(&m->p.escr, shared_get(&m->sharing.core->escr[n]), value, &now))
        return false;
    shared_set(&m->sharing.core->escr[n], rule(m, escr_kept)(m, now));
    programmed(m);
    return true;
}

static uint8_t event_of_others(unsigned n, unsigned event, unsigned mask)
{
    if (n >= FLAME_FIRST) /* model_netburst_executes() tells which kind */
        return n % 4 / 2 ? EVENT_TAGGED_1 : EVENT_TAGGED_0;
    if (n >= MS_FIRST)
        return event == EVENT_UOP_QUEUE_WRITES && (mask & MASK_UOPS) ? EVENT_UOPS : EVENT_NONE;
    return event == EVENT_GLOBAL_POWER && (mask & MASK_RUNNING) ? EVENT_CORE_CYCLES : EVENT_NONE;
}

static uint8_t event_of(struct model *m, unsigned n, uint64_t escr)
{
    unsigned select = FIELD_GET(cccr(m, n), 15, 13), event = FIELD_GET(escr, 30, 25), mask = FIELD_GET(escr, 24, 9);
    if (n < IQ_FIRST)
        return event_of_others(n, event, mask);
    if (select == SELECT_CRU_01 && event == EVENT_INSTR_RETIRED && (mask & MASK_NOT_TAGGED))
        return EVENT_INSTRUCTIONS;
    bool both = (mask & MASK_TAKEN) && (mask & MASK_NOT_TAKEN);
    if (select == SELECT_CRU_23 && event == EVENT_BRANCH_RETIRED && both)
        return EVENT_BRANCHES;
    return select == SELECT_CRU_23 ? model_netburst_tagged(m, event, mask) : EVENT_NONE;
}

/* A counter counts with the enable bit of its CCCR. */
bool good_netburst_enabled(struct model *m, unsigned n)
{
    return cccr(m, n) & CCCR_ENABLE;
}

void model_netburst_gather(struct model *m, void (*add)(struct model *m, struct counting c))
{
    for (unsigned n = 0; n < m->p.netburst_count; n++) {
        uint64_t escr = escr_of(m, n);
        if (rule(m, netburst_enabled)(m, n) && model_core_suits(m, FIELD_GET(cccr(m, n), 17, 16)))
            add(m, (struct counting){
                       .value = &m->sharing.core->netburst[n],
                       .limit = width_mask(m->p.netburst_width),
                       .bit = (uint8_t)n,
                       .slot = (uint8_t)n,
                       .event = event_of(m, n, escr),
                       .rings = rule(m, escr_rings)(m, model_netburst_thread(m), escr),
                       .threshold = 1,
                   });
    }
}

/* A wrap sets OVF in the counter's CCCR. */
void good_netburst_wrapped(struct model *m, unsigned n)
{
    __atomic_fetch_or(&m->sharing.core->cccr[n], CCCR_OVF, __ATOMIC_RELAXED);
}

/* A counter with FORCE_OVF in its CCCR overflows with each count. */
uint64_t good_netburst_forced(struct model *m, uint64_t counted)
{
    uint64_t forced = 0;
    for (unsigned n = 0; n < m->p.netburst_count; n++)
        if ((counted >> n & 1) && (cccr(m, n) & CCCR_FORCE_OVF))
            forced |= BIT(n);
    return forced;
}

void model_netburst_overflow(struct model *m, uint64_t wrapped)
{
    bool asking = false;
    for (unsigned n = 0; n < m->p.netburst_count; n++)
        if (wrapped >> n & 1) {
            rule(m, netburst_wrapped)(m, n);
            asking |= !(m->pebs.sampling >> n & 1) && model_netburst_ask(m, BIT(n));
        }
    if (asking)
        rule(m, pmi_raise)(m);
}

/* One counter a thread samples, with an event of tagged uops as they retire; its CCCR need not ask for PMIs. */
bool good_netburst_samples(struct model *m, unsigned n)
{
    uint64_t needs = PEBS_UOP_TAG | PEBS_MY_THREAD;
    if (n != NETBURST_IQ_COUNTER(4) + model_netburst_thread(m) ||
        (m->controls.stored[STORED_PEBS_ENABLE] & needs) != needs)
        return false;
    return FIELD_GET(cccr(m, n), 15, 13) == SELECT_CRU_23 && model_netburst_at_retirement(escr_of(m, n));
}

/* OVF_PMI has a bit for each thread: does one of `counters` ask for a PMI on this thread? */
bool good_netburst_asks(struct model *m, uint64_t counters, unsigned thread)
{
    uint64_t asked = 0;
    for (unsigned n = 0; n < m->p.netburst_count; n++)
        asked |= counters >> n & 1 ? cccr(m, n) : 0;
    return asked & (thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0);
}

bool model_netburst_ask(struct model *m, uint64_t counters)
{
    unsigned thread = model_netburst_thread(m);
    if (rule(m, netburst_asks)(m, counters, !thread))
        model_core_ask_other(m);
    return rule(m, netburst_asks)(m, counters, thread);
}

/* RDPMC has an index for each counter. */
bool good_netburst_rdpmc_answers(struct model *m, uint32_t index)
{
    return (index & ~(uint32_t)RDPMC_FAST) < m->p.netburst_count;
}

/* A fast read has the counter's low half alone. */
uint64_t good_netburst_rdpmc_shown(struct model *m, uint32_t index, uint64_t value)
{
    (void)m;
    return value & (index & RDPMC_FAST ? MASK(31, 0) : ~0ull);
}

bool model_netburst_rdpmc(struct model *m, uint32_t index, uint64_t *value)
{
    if (!rule(m, netburst_rdpmc_answers)(m, index))
        return false;
    uint64_t whole = shared_get(&m->sharing.core->netburst[index & ~(uint32_t)RDPMC_FAST]);
    *value = rule(m, netburst_rdpmc_shown)(m, index, whole);
    return true;
}
