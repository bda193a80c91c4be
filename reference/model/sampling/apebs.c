/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Architectural PEBS: which counters write records, where the records go, and their effects. SDM 3B, "Architectural
 * PEBS". apebs_record.c builds the records; apebs.h lists what the manual leaves open.
 */
#include "reference/model/model_state.h"

static uint64_t index_of(const struct model *m)
{
    return m->controls.stored[STORED_PEBS_INDEX];
}

/* ---- Which counters write records. */

/* The buffer takes records only while IA32_PEBS_INDEX.EN is set. */
bool good_apebs_on(struct model *m)
{
    return index_of(m) & APEBS_INDEX_EN;
}

bool model_apebs_usable(struct model *m)
{
    return m->host.physical_write && m->host.registers && rule(m, apebs_on)(m);
}

/* A counter writes records if it counts and PEBS_EN is set in its own CFG_C. */
bool good_apebs_enabled(struct model *m, unsigned bit)
{
    return model_apebs_config(m, bit) & APEBS_EN;
}

/* A record has all groups that its counters' CFG_C select, and the most branch records that one asks for. */
uint64_t good_apebs_groups(struct model *m, uint64_t counters)
{
    uint64_t groups = 0, entries = 0;
    for (; counters; counters &= counters - 1) {
        uint64_t config = model_apebs_config(m, (unsigned)__builtin_ctzll(counters));
        groups |= config & (APEBS_GROUPS & ~APEBS_LBR);
        entries = (config & APEBS_LBR) > entries ? config & APEBS_LBR : entries;
    }
    return groups | entries;
}

/* ---- The buffer. */

/* The buffer begins on a page, at a physical address. */
uint64_t good_apebs_address(struct model *m)
{
    return m->controls.stored[STORED_PEBS_BASE] & APEBS_BASE_ADDRESS;
}

/* The buffer has 1 << SIZE consecutive pages. */
uint64_t good_apebs_room(struct model *m)
{
    return 4096ull << (m->controls.stored[STORED_PEBS_BASE] & APEBS_BASE_SIZE);
}

/* A record fits as a whole or is not written. */
bool good_apebs_fits(struct model *m, uint64_t offset, uint32_t size)
{
    return offset + size <= rule(m, apebs_room)(m);
}

/* While FULL is set nothing is written. */
bool good_apebs_stopped(struct model *m)
{
    return index_of(m) & APEBS_INDEX_FULL;
}

/* A record for which there is no room sets FULL. */
void good_apebs_overruns(struct model *m)
{
    model_stored_set(m, STORED_PEBS_INDEX, index_of(m) | APEBS_INDEX_FULL);
}

/* A record advances WR by its size. */
uint64_t good_apebs_advanced(struct model *m, uint64_t offset, uint32_t size)
{
    (void)m;
    return offset + size;
}

/* The threshold is reached by the record that brings WR up to it. */
bool good_apebs_reached(struct model *m, uint64_t offset)
{
    return offset >= FIELD_GET(index_of(m), 58, 36) * 16;
}

static enum pebs_stored store(struct model *m, const struct pebs_sample *sample)
{
    uint64_t offset = index_of(m) & APEBS_INDEX_WR;
    if (!rule(m, apebs_on)(m))
        return PEBS_NOWHERE;
    if (rule(m, apebs_stopped)(m))
        return PEBS_SKIPPED;
    uint32_t size = model_apebs_build(m, sample);
    if (!rule(m, apebs_fits)(m, offset, size)) {
        rule(m, apebs_overruns)(m);
        return PEBS_SKIPPED;
    }
    m->pebs.records++;
    if (!m->host.physical_write(m->host.context, rule(m, apebs_address)(m) + offset, m->pebs.record, size))
        return PEBS_NOWHERE;
    offset = rule(m, apebs_advanced)(m, offset, size);
    model_stored_set(m, STORED_PEBS_INDEX, (index_of(m) & ~APEBS_INDEX_WR) | (offset & APEBS_INDEX_WR));
    return rule(m, apebs_reached)(m, offset) ? PEBS_AT_THRESHOLD : PEBS_STORED;
}

/* ---- The effects of a record. */

/* A record reloads its counters with the low half of their CFG_C, and ones above it; 0: no reload. */
bool good_apebs_reload(struct model *m, unsigned bit, uint64_t *value)
{
    uint64_t low = model_apebs_config(m, bit) & APEBS_RELOAD;
    *value = low | ~APEBS_RELOAD;
    return low;
}

/* A record for which there is no room reloads its counters, too. */
bool good_apebs_skip_reloads(struct model *m)
{
    (void)m;
    return true;
}

/* At the threshold a bit of IA32_PERF_GLOBAL_STATUS is set that no other facility uses. */
uint64_t good_apebs_threshold_status(struct model *m)
{
    (void)m;
    return STATUS_ARCH_PEBS;
}

/* At the threshold a PMI is raised, which is like any other. */
void good_apebs_threshold_pmi(struct model *m)
{
    rule(m, pmi_raise)(m);
}

/* While the bit of the last PMI is set, the threshold raises no other. */
bool good_apebs_held_back(struct model *m)
{
    return m->status.bits & STATUS_ARCH_PEBS;
}

static void at_threshold(struct model *m)
{
    if (rule(m, apebs_held_back)(m))
        return;
    model_status_raise(m, rule(m, apebs_threshold_status)(m));
    rule(m, apebs_threshold_pmi)(m);
    mark_stale(m);
}

static void reload(struct model *m, uint64_t counters)
{
    uint64_t value;
    for (; counters; counters &= counters - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(counters);
        if (rule(m, apebs_reload)(m, bit, &value))
            model_counter_set(m, bit, value);
    }
}

/* The record goes to the buffer, its counters are reloaded unless they were stopped, and the threshold is checked. */
void good_apebs_write(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    enum pebs_stored stored = store(m, sample);
    model_status_drop(m, rule(m, pebs_acknowledged)(m, sample->counters));
    if (!stopped && (stored != PEBS_SKIPPED || rule(m, apebs_skip_reloads)(m)))
        reload(m, sample->counters);
    if (stored == PEBS_AT_THRESHOLD)
        at_threshold(m);
}
