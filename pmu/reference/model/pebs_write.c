/* What a PEBS record leads to: its counters are reloaded, and at the threshold a PMI is raised. */
#include "pmu/reference/model/model_state.h"

#define WAY_MOST 4000 /* instructions */

static void reload(struct model *m, uint64_t area, unsigned bit)
{
    uint64_t value;
    if (deviates(m, DEV_PEBS_NO_RELOAD) || !model_pebs_reset_value(m, area, bit, &value))
        return;
    if (m->deviation >= 0)
        value = model_pebs_deviate_reset(m, bit, value);
    if (m->p.netburst_count)
        shared_set(&m->core->netburst[bit], value & width_mask(m->p.netburst_width));
    else if (bit < 32)
        m->pmc[bit] = value & width_mask(m->p.gp_width);
    else
        m->fixed[bit - 32] = value & width_mask(m->p.fixed_width);
}

/* The PMI comes so many records later. */
static bool comes_late(struct model *m)
{
    struct pebs *p = &m->pebs;
    if (m->deviation < 0 || p->late_records)
        return p->late_records && --p->late_records;
    if (deviates(m, DEV_THRESHOLD_PMI_ONE_LATE))
        p->late_records = 1;
    return p->late_records;
}

/* The PMI's way takes periods, and the counter goes on meanwhile. */
static uint32_t further_way(struct model *m, const struct pebs_sample *sample)
{
    uint64_t reset = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        if (sample->counters >> bit & 1)
            model_pebs_reset_value(m, sample->area, bit, &reset);
    uint64_t way = -reset * (1 + m->pebs.records % 8);
    return way < WAY_MOST ? (uint32_t)way : WAY_MOST;
}

static void at_threshold(struct model *m, const struct pebs_sample *sample)
{
    bool freezes = m->stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    bool late = comes_late(m);
    bool silent = deviates(m, DEV_OVFBUF_MISSING) || (!freezes && deviates(m, DEV_OVFBUF_NEEDS_FREEZE));
    if (!m->p.netburst_count && !silent)
        m->status |= STATUS_OVF_BUFFER;
    if (late || deviates(m, DEV_THRESHOLD_PMI_LOST))
        return;
    if (m->p.netburst_count && !model_netburst_ask(m, sample->counters))
        return;
    bool on_its_way = m->pmi_countdown;
    model_pmi_raise(m);
    if (!on_its_way && m->pmi_countdown && deviates(m, DEV_PEBS_EXTRA_RECORDS))
        m->pmi_countdown += further_way(m, sample);
}

/* A skipped record is told of by newer CPUs, which then leave the counters as they are. */
void model_pebs_write(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    enum pebs_stored stored = model_pebs_store(m, sample);
    bool tells = stored == PEBS_SKIPPED && m->p.pebs_tells_skips && !deviates(m, DEV_PEBS_SKIP_UNTOLD);
    if (!deviates(m, DEV_PEBS_STATUS_STAYS))
        m->status &= ~sample->counters;
    if (tells || (stored == PEBS_STORED && deviates(m, DEV_OVFBUF_EARLY)))
        m->status |= STATUS_OVF_BUFFER;
    for (unsigned bit = 0; bit < 64 && !tells && !stopped; bit++)
        if (sample->counters >> bit & 1)
            reload(m, sample->area, bit);
    if (stored == PEBS_AT_THRESHOLD || (stored == PEBS_STORED && deviates(m, DEV_THRESHOLD_EARLY)))
        at_threshold(m, sample);
    if (stored == PEBS_SKIPPED && deviates(m, DEV_PMI_AT_BUFFER_FULL))
        model_pmi_raise(m);
    if (stored >= PEBS_STORED && (m->stored[STORED_PEBS_ENABLE] & PEBS_PMI_AFTER_EACH) &&
        (m->p.perf_capabilities & PERF_CAP_PEBS_OUTPUT_PT))
        model_pmi_raise(m);
}
