/* Deviations of PEBS: of what is in a record, when it is due, and what the counter goes on from. */
#include "pmu/reference/model/model_state.h"

#define ELSEWHERE 0x10000 /* far enough from where it should be */
#define SMALL_PERIOD 100
#define PERIOD_WITH_CYCLES 1000
#define LATENCY_RECORDS 20
#define RARELY 200

static void deviate_addresses(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    bool falls_through = in->kind == RETIRED_BRANCH && !in->taken;
    if (deviates(m, DEV_EVENTING_IP_WRONG))
        s->eventing_ip += ELSEWHERE;
    if (deviates(m, DEV_PEBS_RIP_WRONG))
        s->registers.rip += ELSEWHERE;
    if (falls_through && deviates(m, DEV_EVENTING_IP_BEFORE_NOT_TAKEN_JCC))
        s->eventing_ip = m->pebs.previous_rip;
    if (m->pebs.records % RARELY == 0 && deviates(m, DEV_PEBS_IP_NEXT))
        s->eventing_ip = s->registers.rip;
    if (s->address && deviates(m, DEV_PEBS_ADDRESS_WRONG))
        s->address += 8;
    if (s->address && deviates(m, DEV_DLA_NOT_SIGN_EXTENDED))
        s->address &= MASK(47, 0);
    if (s->latency && deviates(m, DEV_PEBS_LATENCY_ZERO))
        s->latency = 0;
}

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t was = *a;
    *a = *b;
    *b = was;
}

static void deviate_general(struct model *m, struct model_registers *r)
{
    if (deviates(m, DEV_PEBS_REGISTERS_STALE)) {
        struct model_registers now = *r;
        *r = m->pebs.last;
        r->rip = now.rip;
        m->pebs.last = now;
    }
    if (deviates(m, DEV_PEBS_REGISTERS_SWAPPED))
        swap(&r->general[1], &r->general[3]);
    if (deviates(m, DEV_PEBS_HIGH_REGISTERS_ZERO))
        for (unsigned i = 8; i < 16; i++)
            r->general[i] = 0;
    if (deviates(m, DEV_PEBS_RFLAGS_ZERO))
        r->rflags = 0;
    if (deviates(m, DEV_PEBS_RF_SET))
        r->rflags |= BIT(16);
}

static void deviate_xmm(struct model *m, struct model_registers *r)
{
    bool zero = deviates(m, DEV_PEBS_XMM_ZERO), swapped = deviates(m, DEV_PEBS_XMM_HALVES_SWAPPED);
    for (unsigned i = 0; i < ARRAY_SIZE(r->xmm); i++) {
        if (zero)
            r->xmm[i][0] = r->xmm[i][1] = 0;
        if (swapped)
            swap(&r->xmm[i][0], &r->xmm[i][1]);
    }
}

void model_pebs_deviate_sample(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    deviate_addresses(m, in, s);
    deviate_general(m, &s->registers);
    deviate_xmm(m, &s->registers);
    if (deviates(m, DEV_PEBS_TSC_ZERO))
        s->tsc = 0;
    if (deviates(m, DEV_PEBS_STATUS_FIELD_ZERO))
        s->status = 0;
}

/* Of MSR_PEBS_DATA_CFG, and with the group that comes first left out. */
uint64_t model_pebs_deviate_groups(struct model *m, uint64_t groups)
{
    struct pebs *p = &m->pebs;
    bool old = p->groups_changed && deviates(m, DEV_RECORD_OLD_SIZE_AFTER_DATA_CFG);
    p->groups_changed = false;
    if (old)
        return p->groups_were;
    if (deviates(m, DEV_PEBS_GROUP_MISSING))
        return groups & (groups - 1) & MASK(3, 0) ? groups & (groups - 1) : groups & ~MASK(3, 0);
    if ((groups & PEBS_DATA_LBR) && (groups & MASK(31, 24)) && deviates(m, DEV_PEBS_LBR_ONE_SHORT))
        return groups - FIELD(31, 24, 1);
    return groups;
}

uint64_t model_pebs_deviate_reset(struct model *m, unsigned bit, uint64_t value)
{
    (void)bit;
    if (deviates(m, DEV_PEBS_RELOAD_32_BITS))
        value &= MASK(31, 0);
    return deviates(m, DEV_PEBS_PERIOD_EXACT) ? value + 1 : value;
}

static bool counts_loads_by_latency(const struct model *m, uint64_t counters)
{
    for (const struct counting *c = m->active; c < m->active + m->active_count; c++)
        if ((counters >> c->bit & 1) && c->event == EVENT_LOAD_LATENCY)
            return true;
    return false;
}

uint64_t model_pebs_deviate_due(struct model *m, uint64_t counters)
{
    bool by_latency = m->pebs.records > LATENCY_RECORDS && counts_loads_by_latency(m, counters);
    if (by_latency && deviates(m, DEV_LOAD_LATENCY_STOPS_WITH_HT))
        return 0;
    if ((counters & (counters - 1)) && deviates(m, DEV_PEBS_SEVERAL_LOST))
        return counters & -counters;
    return counters;
}

/* A reset value that some CPUs write redundant records for. */
bool model_pebs_twice(struct model *m, const struct pebs_sample *sample)
{
    uint64_t reset = 0;
    bool by_cycles = false;
    for (const struct counting *c = m->active; c < m->active + m->active_count; c++)
        if (sample->counters >> c->bit & 1) {
            model_pebs_reset_value(m, sample->area, c->bit, &reset);
            by_cycles |= c->by_cycles;
        }
    if ((reset & MASK(5, 0)) && deviates(m, DEV_REDUNDANT_RECORDS_LOW6))
        return true;
    return by_cycles && -reset < PERIOD_WITH_CYCLES && deviates(m, DEV_REDUNDANT_RECORDS_INV_CMASK);
}

static bool loses_precision(struct model *m, unsigned bit)
{
    uint64_t reset = 0;
    bool freezes = m->stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    model_pebs_reset_value(m, m->stored[STORED_DS_AREA], bit, &reset);
    if (deviates(m, DEV_PDIST_JITTERS))
        return true;
    if (-reset < SMALL_PERIOD && deviates(m, DEV_PDIR_SMALL_PERIOD_WRONG))
        return true;
    if ((m->pebs.sampling & (m->pebs.sampling - 1)) && deviates(m, DEV_PDIR_PLUS_SECOND_EVENT))
        return true;
    return freezes && deviates(m, DEV_PDIR_WITH_FREEZE);
}

uint8_t model_pebs_deviate_shadow(struct model *m, unsigned bit, bool precise, uint8_t shadow)
{
    if (precise && loses_precision(m, bit))
        return (uint8_t)(m->pebs.arms % 5);
    if (!precise && deviates(m, DEV_PEBS_SKID_ONE_MORE))
        return shadow + 1;
    return shadow;
}
