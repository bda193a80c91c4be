/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The effects of a PEBS record: its counters are reloaded, and at the threshold a PMI is raised. SDM 3B, "Processor
 * Event Based Sampling (PEBS)".
 */
#include "reference/model/model_state.h"

/* A record reloads its counter with its reset value, in full width. */
bool good_pebs_reload(struct model *m, uint64_t area, unsigned bit, uint64_t *value)
{
    return model_pebs_reset_value(m, area, bit, value);
}

static void reload(struct model *m, uint64_t area, unsigned bit)
{
    uint64_t value;
    if (!rule(m, pebs_reload)(m, area, bit, &value))
        return;
    if (m->p.netburst_count)
        shared_set(&m->sharing.core->netburst[bit], value & width_mask(m->p.netburst_width));
    else
        model_counter_set(m, bit, value);
}

/* At the threshold OvfBuffer is set, even while frozen; NetBurst has no STATUS. */
uint64_t good_pebs_threshold_status(struct model *m)
{
    return m->p.netburst_count ? 0 : STATUS_OVF_BUFFER;
}

/* At the threshold a PMI is raised at once. On NetBurst the counter's CCCR has to ask for it. */
void good_pebs_threshold_pmi(struct model *m, const struct pebs_sample *sample)
{
    if (!m->p.netburst_count || model_netburst_ask(m, sample->counters))
        rule(m, pmi_raise)(m);
}

void model_pebs_at_threshold(struct model *m, const struct pebs_sample *sample)
{
    model_status_raise(m, rule(m, pebs_threshold_status)(m));
    rule(m, pebs_threshold_pmi)(m, sample);
}

/* A record clears the STATUS bits that its counters have set. */
uint64_t good_pebs_acknowledged(struct model *m, uint64_t counters)
{
    (void)m;
    return counters;
}

/* Newer CPUs report a skipped record. */
bool good_pebs_tells_skips(struct model *m)
{
    return m->p.pebs_tells_skips;
}

/* CPUs that report a skipped record do not reload its counters. */
bool good_pebs_skip_reloads(struct model *m)
{
    return !m->p.pebs_tells_skips;
}

/* A record below the threshold has no further effects, nor has one that was skipped. */
void good_pebs_stored(struct model *m, const struct pebs_sample *sample, enum pebs_stored stored)
{
    if (stored == PEBS_AT_THRESHOLD)
        model_pebs_at_threshold(m, sample);
}

/* A record goes to the buffer if it fits; its counters are reloaded, and the threshold is checked. */
void good_pebs_write(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    if (model_apebs(m)) {
        rule(m, apebs_write)(m, sample, stopped);
        return;
    }
    enum pebs_stored stored = model_pebs_store(m, sample);
    bool skipped = stored == PEBS_SKIPPED, reloads = !stopped && (!skipped || rule(m, pebs_skip_reloads)(m));
    model_status_drop(m, rule(m, pebs_acknowledged)(m, sample->counters));
    if (skipped && rule(m, pebs_tells_skips)(m))
        model_status_raise(m, STATUS_OVF_BUFFER);
    for (unsigned bit = 0; bit < 64 && reloads; bit++)
        if (sample->counters >> bit & 1)
            reload(m, sample->area, bit);
    rule(m, pebs_stored)(m, sample, stored);
    if (stored >= PEBS_STORED && (m->controls.stored[STORED_PEBS_ENABLE] & PEBS_PMI_AFTER_EACH) &&
        (m->p.perf_capabilities & PERF_CAP_PEBS_OUTPUT_PT))
        rule(m, pmi_raise)(m);
}
