/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the DS area: where a record goes, the value that the counter is reloaded with, and the threshold. */
#define CHAPTERS "pebs.*,netburst.*"
#include "reference/deviations/stand_in.h"

/* ---- The buffer */

struct cached {
    struct pebs_buffer buffer; /* of the last record */
};

DEFECT(pebs_caches_management,
       ALL(AFTER(pebs_buffer, good && !buffer->maximum, *buffer = memory(struct cached)->buffer),
           NOTED(pebs_fits, good, memory(struct cached)->buffer = *buffer)),
       "with a DS area of zeros records go to the buffer used last", "class: a cached descriptor");

/* Not below the base, and not wrapping around. */
static bool from_base_up(const struct pebs_buffer *buffer, uint32_t size)
{
    return buffer->index >= buffer->base && buffer->index + size >= buffer->index;
}

DEFECT(threshold_0_overruns,
       ALL(AFTER(pebs_buffer, good && buffer->threshold < buffer->base,
                 buffer->index += buffer->maximum - buffer->base),
           IS(pebs_fits, from_base_up(buffer, size) || below(pebs_fits))),
       "with the threshold below the base records start at the absolute maximum", "class");
DEFECT(pebs_wraps_at_maximum,
       AFTER(pebs_buffer, good && buffer->index >= buffer->maximum, buffer->index = buffer->base),
       "at the absolute maximum the index goes back to the base", "BTS's circular mode",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ101", 0x206a7, 0x2f, 0, 0)));

STAND_IN(pebs_base_ignored, pebs_fits)
{
    struct pebs_buffer without = *buffer;
    if (buffer->index < buffer->base && strikes())
        without.base = buffer->index;
    return replaced(pebs_fits)(m, &without, size);
}
DEFECT(pebs_base_ignored, FUNCTIONS, "a record is written although the index is below the base", "class");
DEFECT(pebs_maximum_ignored, INSTEAD(pebs_fits, from_base_up(buffer, size), true),
       "records go on past the absolute maximum", "class: KVM 7099e2e1 wrote elsewhere");
DEFECT(pebs_stops_at_threshold, CHANGED(pebs_fits, good && buffer->index >= buffer->threshold, false),
       "no record is written once the threshold is reached", "class");
DEFECT(pebs_index_stays, INSTEAD(pebs_advance, true, 0), "a record does not advance the index", "class");
DEFECT(pebs_index_stays_now_and_then, INSTEAD(pebs_advance, m->pebs.records % parameter() == 0, 0),
       "every third record does not advance the index", "class", NOT_BY(ERRATUM("SKL104", 0x506e3, 0x7b, 0, 0)),
       PARAMETER("every", 2, 1000, 3));
DEFECT(pebs_index_one_more, CHANGED(pebs_advance, true, good + 8), "a record advances the index by 8 bytes too many",
       "class: the size of another format");

/* The place of a record that crosses a page, and the bytes on the second page. */
#define TAIL_WORDS 62 /* for the longest record that this handles */
struct across {
    uint64_t index, bytes;
    uint64_t before[TAIL_WORDS]; /* what the second page had there */
};

STAND_IN(pebs_stays_in_page, pebs_fits)
{
    struct across *across = memory(struct across);
    uint64_t last = buffer->index + size, second = last & ~MASK(11, 0);
    bool fits = below(pebs_fits), crosses = fits && second > buffer->index;
    across->index = buffer->index;
    across->bytes = crosses && last - second <= sizeof(across->before) ? last - second : 0;
    m->host.memory_read(m->host.context, second, across->before, (uint32_t)across->bytes);
    return fits;
}

STAND_IN(pebs_stays_in_page, pebs_advance)
{
    const struct across *across = memory(struct across);
    uint64_t tail[TAIL_WORDS], second = (across->index + size) & ~MASK(11, 0);
    uint32_t bytes = (uint32_t)across->bytes;
    if (bytes && strikes() && m->host.memory_read(m->host.context, second, tail, bytes)) {
        m->host.memory_write(m->host.context, across->index & ~MASK(11, 0), tail, bytes);
        m->host.memory_write(m->host.context, second, across->before, bytes);
    }
    return below(pebs_advance);
}
DEFECT(pebs_stays_in_page, FUNCTIONS,
       "the part of a record that crosses its page goes to the start of that page, not to the next one",
       "class: an address that is counted in the lower bits alone", ALSO_ON("sandy-bridge", "ice-lake"));

/* ---- Reloading */

DEFECT(pebs_no_reload, INSTEAD(pebs_reload, true, false), "a record does not reload its counter", "class",
       ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"));

/* Further reloads with a record. */
STAND_IN(pebs_reloads_all, pebs_write)
{
    uint64_t value = 0;
    below(pebs_write);
    if (!stopped && strikes())
        for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
            if (!(m->pebs.sampling >> c->bit & 1) && model_pebs_reset_value(m, sample->area, c->bit, &value))
                model_counter_set(m, c->bit, value);
}
DEFECT(pebs_reloads_all, FUNCTIONS, "a record loads the counters that do not sample, too", "class");

/* A word of the DS area that is kept until IA32_DS_AREA is written; 0: none. */
static uint64_t forgets(struct at_work *self, struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_DS_AREA)
        noted = 0;
    return below(stored_kept);
}

STAND_IN(pebs_keeps_index, pebs_buffer)
{
    if (!below(pebs_buffer))
        return false;
    if (noted && buffer->index < noted && strikes())
        buffer->index = noted;
    noted = buffer->index;
    return true;
}

DEFECT(pebs_keeps_index, ALL(IS(stored_kept, forgets(self, m, which, was, value)), FUNCTIONS),
       "an index that software sets back is not seen until IA32_DS_AREA is written", "class: a cached descriptor");

/* The threshold at the first record. */
STAND_IN(pebs_keeps_threshold, pebs_buffer)
{
    if (!below(pebs_buffer))
        return false;
    if (!noted)
        noted = buffer->threshold;
    if (buffer->threshold != noted && strikes())
        buffer->threshold = noted;
    return true;
}

DEFECT(pebs_keeps_threshold, ALL(IS(stored_kept, forgets(self, m, which, was, value)), FUNCTIONS),
       "a threshold that software changes is not seen until IA32_DS_AREA is written", "class: a cached descriptor",
       ALSO_ON("nehalem", "ice-lake"), MEANT_FOR("pebs.threshold"));
DEFECT(pebs_reload_of_counter_0, BEFORE(pebs_reset_slot, true, bit = 0),
       "every counter is reloaded with the reset value of PMC0", "class: a wrong offset");

/* The counters of the record that is being written. */
STAND_IN(pebs_reload_of_lowest, pebs_write)
{
    noted = sample->counters;
    below(pebs_write);
    noted = 0;
}

DEFECT(pebs_reload_of_lowest,
       ALL(BEFORE(pebs_reload, (noted & (noted - 1)), bit = (unsigned)__builtin_ctzll(noted)), FUNCTIONS),
       "counters that share a record are all reloaded with the reset value of the lowest one", "class: a wrong offset",
       ALSO_ON("nehalem", "ice-lake"), MEANT_FOR("pebs.several"));
DEFECT(pebs_fixed_reload_slot, BEFORE(pebs_reset_slot, bit >= 32, bit -= 32),
       "a fixed counter is reloaded with the value of a GP counter",
       "class: a wrong offset; the slots moved with format 5", ON("ice-lake"));
DEFECT(pebs_reload_32_bits, AFTER(pebs_reload, good, *value &= MASK(31, 0)),
       "only 32 bits of the reset value are loaded", "class: the legacy width");
VARIATION(pebs_period_exact, AFTER(pebs_reload, good, ++*value),
          "the occurrence that is sampled counts towards the next period", "no manual says");

/* ---- STATUS */

DEFECT(pebs_status_stays, INSTEAD(pebs_acknowledged, true, 0), "a record leaves the STATUS bit of its counter set",
       "class of #58, Skylake", ALSO_ON("sapphire-rapids"));
DEFECT(pebs_skip_untold, CHANGED(pebs_tells_skips, good, false), "a record that does not fit sets no STATUS[62]",
       "CPUs before Goldmont", ON("goldmont-plus"));
VARIATION(pebs_skip_of_old, ALL(CHANGED(pebs_tells_skips, good, false), CHANGED(pebs_skip_reloads, !good, true)),
          "a record that does not fit sets no STATUS[62], and reloads its counter", "known of Goldmont only",
          ON("ice-lake"));
DEFECT(pebs_skip_reloads, CHANGED(pebs_skip_reloads, !good, true), "a record that does not fit reloads its counter",
       "CPUs before Goldmont", ON("goldmont-plus"));
VARIATION(pebs_whole_records_alone, CHANGED(pebs_fits, good && (buffer->index + size > buffer->maximum), false),
          "a record that would end above the absolute maximum is skipped", "no source tells which end is compared",
          ON("goldmont-plus"));
DEFECT(pebs_full_after_two, CHANGED(pebs_fits, buffer->index == buffer->base + 2 * (uint64_t)size, false),
       "a buffer that holds two records takes no third one", "class: a bound that is compared with a number");
DEFECT(ovfbuf_missing, INSTEAD(pebs_threshold_status, true, 0), "the threshold does not set STATUS[62]", "class");
DEFECT(ovfbuf_needs_freeze, INSTEAD(pebs_threshold_status, !freezes(m), 0),
       "the threshold sets STATUS[62] only with DEBUGCTL[12]", "AG69, AJ69; Core 2",
       MIMICS(ERRATUM("AJ69", 0x6f7, 0x6a, 0, 0)));
DEFECT(ovfbuf_early, BEFORE(pebs_stored, stored == PEBS_STORED, m->status.bits |= STATUS_OVF_BUFFER),
       "every record sets STATUS[62]; the PMI comes at the threshold", "class",
       NOT_BY(ERRATUM("AJ69", 0x6f7, 0x6a, 0, 0)));

/* Does a counter that does not sample overflow, while others sample? */
static bool plain_beside_sampling(const struct model *m, uint64_t wrapped)
{
    return m->pebs.sampling && (wrapped & ~m->pebs.sampling);
}

DEFECT(ovfbuf_at_plain_overflow, CHANGED(overflow_status, plain_beside_sampling(m, wrapped), good | STATUS_OVF_BUFFER),
       "while a counter samples, any other's overflow sets STATUS[62]", "class");
VARIATION(pebs_counter_status_leftover,
          CHANGED(overflow_status, plain_beside_sampling(m, wrapped), good | m->pebs.sampling),
          "another counter's overflow sets the STATUS bits of those that sample", "Skylake, a comment in Linux");

/* ---- PMIs */

DEFECT(sampling_loses_pmi, INSTEAD(overflows_asking, m->pebs.sampling, 0),
       "while a counter samples, overflows of the others raise no PMI", "class");
DEFECT(pebs_counter_pmi, CHANGED(overflows_asking, m->pebs.sampling, good | (wrapped & m->pebs.sampling)),
       "the overflow that arms PEBS raises a PMI though INT is clear", "class");
DEFECT(sampled_counter_stays_silent,
       ALL(NOTED(pebs_sampling, true, noted |= good), CHANGED(overflows_asking, true, good & ~noted)),
       "a counter that has sampled raises no PMI of its own any more", "class: an enable bit that is kept twice",
       ALSO_ON("nehalem", "lunar-lake", "clearwater-forest"));
DEFECT(threshold_pmi_lost, LOST(pebs_threshold_pmi, true), "the threshold raises no PMI", "class of AAJ113",
       NOT_BY(ERRATUM("AJ68", 0x6f7, 0x6a, 0, 0)));

/* Notes the number of the record that raised the PMI; 0: no PMI is due. */
STAND_IN(threshold_pmi_one_late, pebs_threshold_pmi)
{
    bool due = noted && m->pebs.records == noted + 1;
    noted = !due && strikes() ? m->pebs.records : 0;
    if (!noted)
        below(pebs_threshold_pmi);
}
DEFECT(threshold_pmi_one_late, FUNCTIONS, "the threshold's PMI comes with the record after it",
       "AJ68, AR64, W127; Core 2", MIMICS(ERRATUM("AJ68", 0x6f7, 0x6a, 0, 0), ERRATUM("AR64", 0x10661, 0x43, 0, 0)));
DEFECT(threshold_early, AFTER(pebs_stored, stored == PEBS_STORED, model_pebs_at_threshold(m, sample)),
       "every record acts as if the threshold were reached", "class: an ignored threshold");
DEFECT(pmi_at_buffer_full, AFTER(pebs_stored, stored == PEBS_SKIPPED, rule(m, pmi_raise)(m)),
       "a record that does not fit raises a PMI", "BJ101, BV51; Sandy Bridge, Ivy Bridge",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ101", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV51", 0x306a9, 0x21, 0, 0)));

DEFECT(ovfbuf_counts_on,
       CHANGED(globally_enabled, !good && (m->status.bits & STATUS_OVF_BUFFER),
               m->controls.stored[STORED_PEBS_ENABLE] & MASK(9, 0)),
       "while OvfBuffer is set IA32_PERF_GLOBAL_CTRL does not stop the counters that sample",
       "class: an assist that enables again");
DEFECT(ovfbuf_until_disabled,
       CHANGED(status_cleared, (clear & STATUS_OVF_BUFFER) && m->controls.stored[STORED_PEBS_ENABLE],
               good & ~STATUS_OVF_BUFFER),
       "OvfBuffer cannot be cleared while a counter is enabled for sampling", "class: a level, not an edge");

/* The PMI arrives some periods later, and the counter goes on meanwhile. */
static uint32_t further_way(struct at_work *self, struct model *m, const struct pebs_sample *sample)
{
    uint64_t reset = 0, most = parameter();
    for (unsigned bit = 0; bit < 64; bit++)
        if (sample->counters >> bit & 1)
            model_pebs_reset_value(m, sample->area, bit, &reset);
    uint64_t way = -reset * (1 + m->pebs.records % 8);
    return (uint32_t)(way < most ? way : most);
}

STAND_IN(pebs_extra_records, pebs_threshold_pmi)
{
    bool on_its_way = m->pmi.countdown;
    below(pebs_threshold_pmi);
    if (!on_its_way && m->pmi.countdown && strikes())
        m->pmi.countdown += further_way(self, m, sample);
}
VARIATION(pebs_extra_records, FUNCTIONS, "the threshold's PMI comes 1 to 8 periods later, at most 4000 instructions",
          "records come until the handler stops them", PARAMETER("instructions", 1, 1000000, 4000));

/* ---- IA32_DS_AREA */

DEFECT(ds_area_anywhere, DATA(m->p.stored[STORED_DS_AREA].canonical = false),
       "IA32_DS_AREA takes an address that is not canonical", "class of SKL47, of another register");
