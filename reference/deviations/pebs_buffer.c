/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the DS area: where a record goes, the value that the counter is reloaded with, and the threshold. */
#define CHAPTERS "pebs.*,netburst.*"
#include "reference/deviations/stand_in.h"

/* ---- The buffer */

struct cached {
    struct pebs_buffer buffer; /* of the last record */
};

static bool cached(struct model *m, uint64_t area, struct pebs_buffer *buffer)
{
    if (!replaced(m, PEBS_CACHES_MANAGEMENT, pebs_buffer)(m, area, buffer))
        return false;
    if (!buffer->maximum && strikes(m, PEBS_CACHES_MANAGEMENT))
        *buffer = memory(m, PEBS_CACHES_MANAGEMENT, struct cached)->buffer;
    return true;
}

static bool cache_used(struct model *m, const struct pebs_buffer *buffer, uint32_t size)
{
    if (!replaced(m, PEBS_CACHES_MANAGEMENT, pebs_fits)(m, buffer, size))
        return false;
    memory(m, PEBS_CACHES_MANAGEMENT, struct cached)->buffer = *buffer;
    return true;
}
DEFECT(PEBS_CACHES_MANAGEMENT, "pebs-caches-management", "with a DS area of zeros records go to the buffer used last",
       "class: a cached descriptor", STANDS_IN(FOR(pebs_buffer, cached), FOR(pebs_fits, cache_used)));

static bool starts_at_maximum(struct model *m, uint64_t area, struct pebs_buffer *buffer)
{
    if (!replaced(m, THRESHOLD_0_OVERRUNS, pebs_buffer)(m, area, buffer))
        return false;
    if (buffer->threshold < buffer->base && strikes(m, THRESHOLD_0_OVERRUNS))
        buffer->index += buffer->maximum - buffer->base;
    return true;
}

/* Not below the base, and not wrapping around. */
static bool from_base_up(const struct pebs_buffer *buffer, uint32_t size)
{
    return buffer->index >= buffer->base && buffer->index + size >= buffer->index;
}

static bool overruns(struct model *m, const struct pebs_buffer *buffer, uint32_t size)
{
    return from_base_up(buffer, size) || replaced(m, THRESHOLD_0_OVERRUNS, pebs_fits)(m, buffer, size);
}
DEFECT(THRESHOLD_0_OVERRUNS, "threshold-0-overruns",
       "with the threshold below the base records start at the absolute maximum", "class",
       STANDS_IN(FOR(pebs_buffer, starts_at_maximum), FOR(pebs_fits, overruns)));

static bool wraps_to_base(struct model *m, uint64_t area, struct pebs_buffer *buffer)
{
    if (!replaced(m, PEBS_WRAPS_AT_MAXIMUM, pebs_buffer)(m, area, buffer))
        return false;
    if (buffer->index >= buffer->maximum && strikes(m, PEBS_WRAPS_AT_MAXIMUM))
        buffer->index = buffer->base;
    return true;
}
DEFECT(PEBS_WRAPS_AT_MAXIMUM, "pebs-wraps-at-maximum", "at the absolute maximum the index goes back to the base",
       "BTS's circular mode", NOT_BY(ERRATUM_ON("sandy-bridge", "BJ101", 0x206a7, 0x2f, 0, 0)),
       STANDS_IN(FOR(pebs_buffer, wraps_to_base)));

static bool below_base_too(struct model *m, const struct pebs_buffer *buffer, uint32_t size)
{
    struct pebs_buffer without = *buffer;
    if (buffer->index < buffer->base && strikes(m, PEBS_BASE_IGNORED))
        without.base = buffer->index;
    return replaced(m, PEBS_BASE_IGNORED, pebs_fits)(m, &without, size);
}
DEFECT(PEBS_BASE_IGNORED, "pebs-base-ignored", "a record is written although the index is below the base", "class",
       STANDS_IN(FOR(pebs_fits, below_base_too)));

INSTEAD(pebs_fits, beyond_maximum_too,
        (from_base_up(buffer, size) && strikes(m, PEBS_MAXIMUM_IGNORED)) || below(PEBS_MAXIMUM_IGNORED, pebs_fits));
DEFECT(PEBS_MAXIMUM_IGNORED, "pebs-maximum-ignored", "records go on past the absolute maximum",
       "class: KVM 7099e2e1 wrote elsewhere", STANDS_IN(FOR(pebs_fits, beyond_maximum_too)));

INSTEAD(pebs_fits, stops_at_threshold,
        below(PEBS_STOPS_AT_THRESHOLD, pebs_fits) &&
            !(buffer->index >= buffer->threshold && strikes(m, PEBS_STOPS_AT_THRESHOLD)));
DEFECT(PEBS_STOPS_AT_THRESHOLD, "pebs-stops-at-threshold", "no record is written once the threshold is reached",
       "class", STANDS_IN(FOR(pebs_fits, stops_at_threshold)));

INSTEAD(pebs_advance, index_stays, strikes(m, PEBS_INDEX_STAYS) ? 0 : below(PEBS_INDEX_STAYS, pebs_advance));
DEFECT(PEBS_INDEX_STAYS, "pebs-index-stays", "a record does not advance the index", "class",
       STANDS_IN(FOR(pebs_advance, index_stays)));

static uint32_t third_index_stays(struct model *m, uint32_t size)
{
    uint64_t every = parameter(m, PEBS_INDEX_STAYS_NOW_AND_THEN);
    bool stays = m->pebs.records % every == 0 && strikes(m, PEBS_INDEX_STAYS_NOW_AND_THEN);
    return stays ? 0 : replaced(m, PEBS_INDEX_STAYS_NOW_AND_THEN, pebs_advance)(m, size);
}
DEFECT(PEBS_INDEX_STAYS_NOW_AND_THEN, "pebs-index-stays-now-and-then", "every third record does not advance the index",
       "class", NOT_BY(ERRATUM("SKL104", 0x506e3, 0x7b, 0, 0)), PARAMETER("every", 2, 1000, 3),
       STANDS_IN(FOR(pebs_advance, third_index_stays)));

CHANGED(pebs_advance, index_one_more, PEBS_INDEX_ONE_MORE, strikes(m, PEBS_INDEX_ONE_MORE) ? good + 8 : good);
DEFECT(PEBS_INDEX_ONE_MORE, "pebs-index-one-more", "a record advances the index by 8 bytes too many",
       "class: the size of another format", STANDS_IN(FOR(pebs_advance, index_one_more)));

/* The place of a record that crosses a page, and the bytes on the second page. */
#define TAIL_WORDS 62 /* for the longest record that this handles */
struct across {
    uint64_t index, bytes;
    uint64_t before[TAIL_WORDS]; /* what the second page had there */
};

static bool notes_crossing(struct model *m, const struct pebs_buffer *buffer, uint32_t size)
{
    struct across *across = memory(m, PEBS_STAYS_IN_PAGE, struct across);
    uint64_t last = buffer->index + size, second = last & ~MASK(11, 0);
    bool fits = replaced(m, PEBS_STAYS_IN_PAGE, pebs_fits)(m, buffer, size), crosses = fits && second > buffer->index;
    across->index = buffer->index;
    across->bytes = crosses && last - second <= sizeof(across->before) ? last - second : 0;
    m->host.memory_read(m->host.context, second, across->before, (uint32_t)across->bytes);
    return fits;
}

static uint32_t tail_moved(struct model *m, uint32_t size)
{
    const struct across *across = memory(m, PEBS_STAYS_IN_PAGE, struct across);
    uint64_t tail[TAIL_WORDS], second = (across->index + size) & ~MASK(11, 0);
    uint32_t bytes = (uint32_t)across->bytes;
    if (bytes && strikes(m, PEBS_STAYS_IN_PAGE) && m->host.memory_read(m->host.context, second, tail, bytes)) {
        m->host.memory_write(m->host.context, across->index & ~MASK(11, 0), tail, bytes);
        m->host.memory_write(m->host.context, second, across->before, bytes);
    }
    return replaced(m, PEBS_STAYS_IN_PAGE, pebs_advance)(m, size);
}
DEFECT(PEBS_STAYS_IN_PAGE, "pebs-stays-in-page",
       "the part of a record that crosses its page goes to the start of that page, not to the next one",
       "class: an address that is counted in the lower bits alone", ALSO_ON("sandy-bridge", "ice-lake"),
       STANDS_IN(FOR(pebs_fits, notes_crossing), FOR(pebs_advance, tail_moved)));

/* ---- Reloading */

INSTEAD(pebs_reload, no_reload, !strikes(m, PEBS_NO_RELOAD) && below(PEBS_NO_RELOAD, pebs_reload));
DEFECT(PEBS_NO_RELOAD, "pebs-no-reload", "a record does not reload its counter", "class",
       ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"), STANDS_IN(FOR(pebs_reload, no_reload)));

/* Further reloads with a record. */
static void reloads_all(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    uint64_t value = 0;
    replaced(m, PEBS_RELOADS_ALL, pebs_write)(m, sample, stopped);
    if (!stopped && strikes(m, PEBS_RELOADS_ALL))
        for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
            if (!(m->pebs.sampling >> c->bit & 1) && model_pebs_reset_value(m, sample->area, c->bit, &value))
                model_counter_set(m, c->bit, value);
}
DEFECT(PEBS_RELOADS_ALL, "pebs-reloads-all", "a record loads the counters that do not sample, too", "class",
       STANDS_IN(FOR(pebs_write, reloads_all)));

/* A word of the DS area that is kept until IA32_DS_AREA is written; 0: none. */
struct kept_word {
    uint64_t value;
};

static uint64_t forgets(struct model *m, const struct deviation *by, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_DS_AREA)
        ((struct kept_word *)deviation_memory(m, by))->value = 0;
    return at_work(m, by)->replaced.stored_kept(m, which, was, value);
}

static bool index_kept(struct model *m, uint64_t area, struct pebs_buffer *buffer)
{
    struct kept_word *kept = memory(m, PEBS_KEEPS_INDEX, struct kept_word);
    if (!replaced(m, PEBS_KEEPS_INDEX, pebs_buffer)(m, area, buffer))
        return false;
    if (kept->value && buffer->index < kept->value && strikes(m, PEBS_KEEPS_INDEX))
        buffer->index = kept->value;
    kept->value = buffer->index;
    return true;
}

INSTEAD(stored_kept, index_forgotten, forgets(m, &deviation_PEBS_KEEPS_INDEX, which, was, value));
DEFECT(PEBS_KEEPS_INDEX, "pebs-keeps-index",
       "an index that software sets back is not seen until IA32_DS_AREA is written", "class: a cached descriptor",
       STANDS_IN(FOR(pebs_buffer, index_kept), FOR(stored_kept, index_forgotten)));

/* The threshold at the first record. */
static bool threshold_kept(struct model *m, uint64_t area, struct pebs_buffer *buffer)
{
    struct kept_word *kept = memory(m, PEBS_KEEPS_THRESHOLD, struct kept_word);
    if (!replaced(m, PEBS_KEEPS_THRESHOLD, pebs_buffer)(m, area, buffer))
        return false;
    if (!kept->value)
        kept->value = buffer->threshold;
    if (buffer->threshold != kept->value && strikes(m, PEBS_KEEPS_THRESHOLD))
        buffer->threshold = kept->value;
    return true;
}

INSTEAD(stored_kept, threshold_forgotten, forgets(m, &deviation_PEBS_KEEPS_THRESHOLD, which, was, value));
DEFECT(PEBS_KEEPS_THRESHOLD, "pebs-keeps-threshold",
       "a threshold that software changes is not seen until IA32_DS_AREA is written", "class: a cached descriptor",
       ALSO_ON("nehalem", "ice-lake"), MEANT_FOR("pebs.threshold"),
       STANDS_IN(FOR(pebs_buffer, threshold_kept), FOR(stored_kept, threshold_forgotten)));

INSTEAD(pebs_reset_slot, slot_of_gp0,
        replaced(m, PEBS_RELOAD_OF_COUNTER_0, pebs_reset_slot)(m, strikes(m, PEBS_RELOAD_OF_COUNTER_0) ? 0 : bit));
DEFECT(PEBS_RELOAD_OF_COUNTER_0, "pebs-reload-of-counter-0", "every counter is reloaded with the reset value of PMC0",
       "class: a wrong offset", STANDS_IN(FOR(pebs_reset_slot, slot_of_gp0)));

/* The counters of the record that is being written. */
static void together_noted(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    *memory(m, PEBS_RELOAD_OF_LOWEST, uint64_t) = sample->counters;
    replaced(m, PEBS_RELOAD_OF_LOWEST, pebs_write)(m, sample, stopped);
    *memory(m, PEBS_RELOAD_OF_LOWEST, uint64_t) = 0;
}

static bool lowest_of_all(struct model *m, uint64_t area, unsigned bit, uint64_t *value)
{
    uint64_t counters = *memory(m, PEBS_RELOAD_OF_LOWEST, uint64_t);
    if (counters & (counters - 1) && strikes(m, PEBS_RELOAD_OF_LOWEST))
        bit = (unsigned)__builtin_ctzll(counters);
    return replaced(m, PEBS_RELOAD_OF_LOWEST, pebs_reload)(m, area, bit, value);
}
DEFECT(PEBS_RELOAD_OF_LOWEST, "pebs-reload-of-lowest",
       "counters that share a record are all reloaded with the reset value of the lowest one", "class: a wrong offset",
       ALSO_ON("nehalem", "ice-lake"), MEANT_FOR("pebs.several"),
       STANDS_IN(FOR(pebs_write, together_noted), FOR(pebs_reload, lowest_of_all)));

static uint64_t fixed_slot_of_gp(struct model *m, unsigned bit)
{
    if (bit >= 32 && strikes(m, PEBS_FIXED_RELOAD_SLOT))
        bit -= 32;
    return replaced(m, PEBS_FIXED_RELOAD_SLOT, pebs_reset_slot)(m, bit);
}
DEFECT(PEBS_FIXED_RELOAD_SLOT, "pebs-fixed-reload-slot", "a fixed counter is reloaded with the value of a GP counter",
       "class: a wrong offset; the slots moved with format 5", ON("ice-lake"),
       STANDS_IN(FOR(pebs_reset_slot, fixed_slot_of_gp)));

static bool low_half_alone(struct model *m, uint64_t area, unsigned bit, uint64_t *value)
{
    if (!replaced(m, PEBS_RELOAD_32_BITS, pebs_reload)(m, area, bit, value))
        return false;
    if (strikes(m, PEBS_RELOAD_32_BITS))
        *value &= MASK(31, 0);
    return true;
}
DEFECT(PEBS_RELOAD_32_BITS, "pebs-reload-32-bits", "only 32 bits of the reset value are loaded",
       "class: the legacy width", STANDS_IN(FOR(pebs_reload, low_half_alone)));

static bool exact(struct model *m, uint64_t area, unsigned bit, uint64_t *value)
{
    if (!replaced(m, PEBS_PERIOD_EXACT, pebs_reload)(m, area, bit, value))
        return false;
    if (strikes(m, PEBS_PERIOD_EXACT))
        ++*value;
    return true;
}
VARIATION(PEBS_PERIOD_EXACT, "pebs-period-exact", "the occurrence that is sampled counts towards the next period",
          "no manual says", STANDS_IN(FOR(pebs_reload, exact)));

/* ---- STATUS */

INSTEAD(pebs_acknowledged, acknowledges_nothing,
        strikes(m, PEBS_STATUS_STAYS) ? 0 : below(PEBS_STATUS_STAYS, pebs_acknowledged));
DEFECT(PEBS_STATUS_STAYS, "pebs-status-stays", "a record leaves the STATUS bit of its counter set",
       "class of #58, Skylake", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(pebs_acknowledged, acknowledges_nothing)));

INSTEAD(pebs_tells_skips, skips_untold, below(PEBS_SKIP_UNTOLD, pebs_tells_skips) && !strikes(m, PEBS_SKIP_UNTOLD));
DEFECT(PEBS_SKIP_UNTOLD, "pebs-skip-untold", "a record that does not fit sets no STATUS[62]", "CPUs before Goldmont",
       ON("goldmont-plus"), STANDS_IN(FOR(pebs_tells_skips, skips_untold)));

INSTEAD(pebs_tells_skips, skips_silently, below(PEBS_SKIP_OF_OLD, pebs_tells_skips) && !strikes(m, PEBS_SKIP_OF_OLD));

INSTEAD(pebs_skip_reloads, reloads_always, below(PEBS_SKIP_OF_OLD, pebs_skip_reloads) || strikes(m, PEBS_SKIP_OF_OLD));
VARIATION(PEBS_SKIP_OF_OLD, "pebs-skip-of-old",
          "a record that does not fit sets no STATUS[62], and reloads its counter", "known of Goldmont only",
          ON("ice-lake"), STANDS_IN(FOR(pebs_tells_skips, skips_silently), FOR(pebs_skip_reloads, reloads_always)));

INSTEAD(pebs_skip_reloads, skip_reloads, below(PEBS_SKIP_RELOADS, pebs_skip_reloads) || strikes(m, PEBS_SKIP_RELOADS));
DEFECT(PEBS_SKIP_RELOADS, "pebs-skip-reloads", "a record that does not fit reloads its counter", "CPUs before Goldmont",
       ON("goldmont-plus"), STANDS_IN(FOR(pebs_skip_reloads, skip_reloads)));

static bool whole_ones_alone(struct model *m, const struct pebs_buffer *buffer, uint32_t size)
{
    bool crosses = buffer->index + size > buffer->maximum;
    return replaced(m, PEBS_WHOLE_RECORDS_ALONE, pebs_fits)(m, buffer, size) &&
           !(crosses && strikes(m, PEBS_WHOLE_RECORDS_ALONE));
}
VARIATION(PEBS_WHOLE_RECORDS_ALONE, "pebs-whole-records-alone",
          "a record that would end above the absolute maximum is skipped", "no source tells which end is compared",
          ON("goldmont-plus"), STANDS_IN(FOR(pebs_fits, whole_ones_alone)));

INSTEAD(pebs_threshold_status, no_ovf_buffer,
        strikes(m, OVFBUF_MISSING) ? 0 : below(OVFBUF_MISSING, pebs_threshold_status));
DEFECT(OVFBUF_MISSING, "ovfbuf-missing", "the threshold does not set STATUS[62]", "class",
       STANDS_IN(FOR(pebs_threshold_status, no_ovf_buffer)));

INSTEAD(pebs_threshold_status, ovf_buffer_with_freeze,
        !freezes(m) && strikes(m, OVFBUF_NEEDS_FREEZE) ? 0 : below(OVFBUF_NEEDS_FREEZE, pebs_threshold_status));
DEFECT(OVFBUF_NEEDS_FREEZE, "ovfbuf-needs-freeze", "the threshold sets STATUS[62] only with DEBUGCTL[12]",
       "AG69, AJ69; Core 2", MIMICS(ERRATUM("AJ69", 0x6f7, 0x6a, 0, 0)),
       STANDS_IN(FOR(pebs_threshold_status, ovf_buffer_with_freeze)));

static void ovf_buffer_each(struct model *m, const struct pebs_sample *sample, enum pebs_stored stored)
{
    if (stored == PEBS_STORED && strikes(m, OVFBUF_EARLY))
        m->status.bits |= STATUS_OVF_BUFFER;
    replaced(m, OVFBUF_EARLY, pebs_stored)(m, sample, stored);
}
DEFECT(OVFBUF_EARLY, "ovfbuf-early", "every record sets STATUS[62]; the PMI comes at the threshold", "class",
       NOT_BY(ERRATUM("AJ69", 0x6f7, 0x6a, 0, 0)), STANDS_IN(FOR(pebs_stored, ovf_buffer_each)));

/* Does a counter that does not sample overflow, while others sample? */
static bool plain_beside_sampling(const struct model *m, uint64_t wrapped)
{
    return m->pebs.sampling && (wrapped & ~m->pebs.sampling);
}

static uint64_t ovf_buffer_of_plain(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t status = replaced(m, OVFBUF_AT_PLAIN_OVERFLOW, overflow_status)(m, wrapped, asking);
    bool sets = plain_beside_sampling(m, wrapped) && strikes(m, OVFBUF_AT_PLAIN_OVERFLOW);
    return sets ? status | STATUS_OVF_BUFFER : status;
}
DEFECT(OVFBUF_AT_PLAIN_OVERFLOW, "ovfbuf-at-plain-overflow",
       "while a counter samples, any other's overflow sets STATUS[62]", "class",
       STANDS_IN(FOR(overflow_status, ovf_buffer_of_plain)));

static uint64_t sets_sampling_too(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t status = replaced(m, PEBS_COUNTER_STATUS_LEFTOVER, overflow_status)(m, wrapped, asking);
    bool sets = plain_beside_sampling(m, wrapped) && strikes(m, PEBS_COUNTER_STATUS_LEFTOVER);
    return sets ? status | m->pebs.sampling : status;
}
VARIATION(PEBS_COUNTER_STATUS_LEFTOVER, "pebs-counter-status-leftover",
          "another counter's overflow sets the STATUS bits of those that sample", "Skylake, a comment in Linux",
          STANDS_IN(FOR(overflow_status, sets_sampling_too)));

/* ---- PMIs */

INSTEAD(overflows_asking, none_asks,
        (m->pebs.sampling && strikes(m, SAMPLING_LOSES_PMI)) ? 0 : below(SAMPLING_LOSES_PMI, overflows_asking));
DEFECT(SAMPLING_LOSES_PMI, "sampling-loses-pmi", "while a counter samples, overflows of the others raise no PMI",
       "class", STANDS_IN(FOR(overflows_asking, none_asks)));

CHANGED(overflows_asking, sampling_asks, PEBS_COUNTER_PMI,
        (m->pebs.sampling && strikes(m, PEBS_COUNTER_PMI)) ? good | (wrapped & m->pebs.sampling) : good);
DEFECT(PEBS_COUNTER_PMI, "pebs-counter-pmi", "the overflow that arms PEBS raises a PMI though INT is clear", "class",
       STANDS_IN(FOR(overflows_asking, sampling_asks)));

static uint64_t noted_sampling(struct model *m)
{
    uint64_t counters = replaced(m, SAMPLED_COUNTER_STAYS_SILENT, pebs_sampling)(m);
    *memory(m, SAMPLED_COUNTER_STAYS_SILENT, uint64_t) |= counters;
    return counters;
}

CHANGED(overflows_asking, sampled_silent, SAMPLED_COUNTER_STAYS_SILENT,
        strikes(m, SAMPLED_COUNTER_STAYS_SILENT) ? good & ~*memory(m, SAMPLED_COUNTER_STAYS_SILENT, uint64_t) : good);
DEFECT(SAMPLED_COUNTER_STAYS_SILENT, "sampled-counter-stays-silent",
       "a counter that has sampled raises no PMI of its own any more", "class: an enable bit that is kept twice",
       ALSO_ON("nehalem", "lunar-lake", "clearwater-forest"),
       STANDS_IN(FOR(pebs_sampling, noted_sampling), FOR(overflows_asking, sampled_silent)));

static void threshold_pmi_lost(struct model *m, const struct pebs_sample *sample)
{
    if (!strikes(m, THRESHOLD_PMI_LOST))
        replaced(m, THRESHOLD_PMI_LOST, pebs_threshold_pmi)(m, sample);
}
DEFECT(THRESHOLD_PMI_LOST, "threshold-pmi-lost", "the threshold raises no PMI", "class of AAJ113",
       NOT_BY(ERRATUM("AJ68", 0x6f7, 0x6a, 0, 0)), STANDS_IN(FOR(pebs_threshold_pmi, threshold_pmi_lost)));

struct owed {
    uint64_t since; /* number of the record that raised the PMI; 0: no PMI is due */
};

static void one_late(struct model *m, const struct pebs_sample *sample)
{
    struct owed *owed = memory(m, THRESHOLD_PMI_ONE_LATE, struct owed);
    bool due = owed->since && m->pebs.records == owed->since + 1;
    owed->since = !due && strikes(m, THRESHOLD_PMI_ONE_LATE) ? m->pebs.records : 0;
    if (!owed->since)
        replaced(m, THRESHOLD_PMI_ONE_LATE, pebs_threshold_pmi)(m, sample);
}
DEFECT(THRESHOLD_PMI_ONE_LATE, "threshold-pmi-one-late", "the threshold's PMI comes with the record after it",
       "AJ68, AR64, W127; Core 2", MIMICS(ERRATUM("AJ68", 0x6f7, 0x6a, 0, 0), ERRATUM("AR64", 0x10661, 0x43, 0, 0)),
       STANDS_IN(FOR(pebs_threshold_pmi, one_late)));

static void threshold_each(struct model *m, const struct pebs_sample *sample, enum pebs_stored stored)
{
    replaced(m, THRESHOLD_EARLY, pebs_stored)(m, sample, stored);
    if (stored == PEBS_STORED && strikes(m, THRESHOLD_EARLY))
        model_pebs_at_threshold(m, sample);
}
DEFECT(THRESHOLD_EARLY, "threshold-early", "every record acts as if the threshold were reached",
       "class: an ignored threshold", STANDS_IN(FOR(pebs_stored, threshold_each)));

static void pmi_when_full(struct model *m, const struct pebs_sample *sample, enum pebs_stored stored)
{
    replaced(m, PMI_AT_BUFFER_FULL, pebs_stored)(m, sample, stored);
    if (stored == PEBS_SKIPPED && strikes(m, PMI_AT_BUFFER_FULL))
        rule(m, pmi_raise)(m);
}
DEFECT(PMI_AT_BUFFER_FULL, "pmi-at-buffer-full", "a record that does not fit raises a PMI",
       "BJ101, BV51; Sandy Bridge, Ivy Bridge",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ101", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV51", 0x306a9, 0x21, 0, 0)),
       STANDS_IN(FOR(pebs_stored, pmi_when_full)));

/* The PMI arrives some periods later, and the counter goes on meanwhile. */
static uint32_t further_way(struct model *m, const struct pebs_sample *sample)
{
    uint64_t reset = 0, most = parameter(m, PEBS_EXTRA_RECORDS);
    for (unsigned bit = 0; bit < 64; bit++)
        if (sample->counters >> bit & 1)
            model_pebs_reset_value(m, sample->area, bit, &reset);
    uint64_t way = -reset * (1 + m->pebs.records % 8);
    return (uint32_t)(way < most ? way : most);
}

static void some_records_late(struct model *m, const struct pebs_sample *sample)
{
    bool on_its_way = m->pmi.countdown;
    replaced(m, PEBS_EXTRA_RECORDS, pebs_threshold_pmi)(m, sample);
    if (!on_its_way && m->pmi.countdown && strikes(m, PEBS_EXTRA_RECORDS))
        m->pmi.countdown += further_way(m, sample);
}
VARIATION(PEBS_EXTRA_RECORDS, "pebs-extra-records",
          "the threshold's PMI comes 1 to 8 periods later, at most 4000 instructions",
          "records come until the handler stops them", PARAMETER("instructions", 1, 1000000, 4000),
          STANDS_IN(FOR(pebs_threshold_pmi, some_records_late)));

/* ---- IA32_DS_AREA */

static void any_address(struct model *m)
{
    m->p.stored[STORED_DS_AREA].canonical = false;
}
DEFECT(DS_AREA_ANYWHERE, "ds-area-anywhere", "IA32_DS_AREA takes an address that is not canonical",
       "class of SKL47, of another register", DATA(any_address));
