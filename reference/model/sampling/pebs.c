/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The engine of PEBS: an overflow arms a counter, and its next occurrence writes the record. pebs.h has the rules. SDM
 * 3B, "Processor Event Based Sampling (PEBS)".
 */
#include "reference/model/model_state.h"

static bool fault_like(const struct model *m)
{
    return m->p.perf_capabilities && !(m->p.perf_capabilities & PERF_CAP_PEBS_TRAP);
}

static bool adaptive(const struct model *m, unsigned bit)
{
    if (bit < 32)
        return m->controls.evtsel[bit] & EVTSEL_ADAPTIVE;
    return m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_ADAPTIVE(bit - 32);
}

/* Records of counters with their ADAPTIVE bit set have the groups that MSR_PEBS_DATA_CFG selects. */
uint64_t good_pebs_adaptive(struct model *m, uint64_t counters)
{
    uint64_t ones = 0;
    if (!(m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE))
        return 0;
    for (unsigned bit = 0; bit < 64; bit++)
        if (counters >> bit & 1)
            ones |= adaptive(m, bit) ? BIT(bit) : 0;
    return ones;
}

/* ---- The contents of a record. */

/*
 * Before Haswell records have an address only for loads by latency and precise stores; on Atom none have one before
 * Goldmont, which introduced format 3.
 */
static bool shows_address(const struct model *m, uint8_t event)
{
    unsigned format = FIELD_GET(m->p.perf_capabilities, 11, 8);
    if (event < EVENT_LOADS || (!m->p.pebs_latency_gp && format < 3))
        return false;
    return event >= EVENT_LOAD_LATENCY || format >= 2;
}

/* Precise stores have no latency. SDM 3B, "PEBS Record Format" of Sandy Bridge. */
static bool shows_no_latency(const struct model *m, uint8_t event)
{
    (void)m;
    return event == EVENT_PRECISE_STORE;
}

/* Does one of these counters count an event of this kind? */
static bool counts(const struct model *m, uint64_t counters, bool (*such)(const struct model *m, uint8_t event))
{
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((counters >> c->bit & 1) && such(m, c->event))
            return true;
    return false;
}

/* A record shows the instruction that fired, and the CPU after it or, fault-like, before it. */
void good_pebs_capture(struct model *m, const struct retired *in, struct pebs_sample *sample)
{
    sample->status = m->status.bits;
    sample->eventing_ip = in->rip;
    sample->tsc = m->host.time(m->host.context);
    sample->address = sample->source = sample->latency = 0;
    if (in->access && counts(m, sample->counters, shows_address)) {
        sample->address = in->address;
    }
    if (sample->address && m->p.pebs_latency_gp) { /* reserved on Goldmont */
        bool load = (in->access & ACCESS_LOAD) && !counts(m, sample->counters, shows_no_latency);
        sample->latency = load ? model_load_latency(in->address) : 0;
        sample->source = model_data_source(in->address);
    }
    m->host.registers(m->host.context, &sample->registers);
    if (fault_like(m)) {
        struct model_registers after = sample->registers;
        sample->registers = m->pebs.before;
        m->pebs.before = after;
    }
}

/* One overflow writes one record. */
bool good_pebs_again(struct model *m, const struct pebs_sample *sample)
{
    (void)m, (void)sample;
    return false;
}

static void write_one(struct model *m, const struct pebs_sample *sample)
{
    rule(m, pebs_write)(m, sample, false);
    if (rule(m, pebs_again)(m, sample))
        rule(m, pebs_write)(m, sample, false);
}

static void fire(struct model *m, const struct retired *in, uint64_t counters)
{
    struct pebs_sample *sample = &m->pebs.sample;
    uint64_t with_groups = rule(m, pebs_adaptive)(m, counters), without = counters & ~with_groups;
    sample->area = m->pebs.area;
    sample->counters = counters;
    rule(m, pebs_capture)(m, in, sample);
    if (model_apebs(m)) {
        sample->groups = rule(m, apebs_groups)(m, counters);
        write_one(m, sample);
        return;
    }
    if (with_groups) {
        sample->counters = with_groups;
        sample->groups = m->controls.stored[STORED_PEBS_DATA_CFG];
        write_one(m, sample);
    }
    if (without) {
        sample->counters = without;
        sample->groups = 0;
        write_one(m, sample);
    }
}

/* ---- Arming. */

/* Instructions until the counter is armed: none with the precise distribution, else a pattern, as it varies. */
uint8_t good_pebs_shadow(struct model *m, unsigned bit, bool precise)
{
    uint32_t mixed = m->pebs.arms * 2654435761u >> 16;
    (void)bit;
    return precise ? 0 : (uint8_t)(mixed % (m->p.pebs_shadow + 1u));
}

static uint8_t shadow(struct model *m, unsigned bit)
{
    bool precise = false;
    m->pebs.arms++;
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        precise |= c->bit == bit && model_pebs_precise(m, c);
    return rule(m, pebs_shadow)(m, bit, precise);
}

/* Each overflow arms its counter. */
bool good_pebs_arms(struct model *m)
{
    (void)m;
    return true;
}

/* Those that are armed already stay so. */
uint64_t good_pebs_armed(struct model *m, uint64_t counters)
{
    return m->pebs.armed | counters;
}

void model_pebs_arm_now(struct model *m, uint64_t counters)
{
    struct pebs *p = &m->pebs;
    for (unsigned bit = 0; bit < 64; bit++)
        if (counters >> bit & 1)
            p->wait[bit] = shadow(m, bit);
    if (!counters || !rule(m, pebs_arms)(m))
        return;
    p->armed = rule(m, pebs_armed)(m, counters);
    p->area = m->controls.stored[STORED_DS_AREA];
    p->groups = model_apebs(m)                        ? rule(m, apebs_groups)(m, counters)
                : rule(m, pebs_adaptive)(m, counters) ? m->controls.stored[STORED_PEBS_DATA_CFG]
                                                      : 0;
}

void model_pebs_arm(struct model *m, uint64_t wrapped)
{
    model_pebs_arm_now(m, wrapped & m->pebs.sampling);
    if (m->pebs.armed && fault_like(m))
        m->host.registers(m->host.context, &m->pebs.before);
}

/* Counters that fire together share the record, and all continue. */
uint64_t good_pebs_due(struct model *m, uint64_t counters)
{
    (void)m;
    return counters;
}

/* The armed counters whose event the instruction had. */
static uint64_t due(struct pebs *p)
{
    uint64_t counters = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        if (!(p->armed >> bit & 1))
            continue;
        else if (p->wait[bit])
            p->wait[bit]--;
        else
            counters |= BIT(bit) & p->occurred;
    return counters;
}

void model_pebs_pass(struct model *m, const struct retired *in)
{
    struct pebs *p = &m->pebs;
    if (p->armed) {
        uint64_t counters = due(p), firing = counters ? rule(m, pebs_due)(m, counters) : 0;
        p->armed &= ~counters;
        if (firing)
            fire(m, in, firing);
        else if (fault_like(m))
            m->host.registers(m->host.context, &p->before);
    }
    p->occurred = 0;
}
