/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of where records of architectural PEBS go, and of what follows: the buffer, the reload, the threshold. */
#define CHAPTERS "apebs.*,pebs.*,enum.*"
#include "reference/deviations/stand_in.h"

#define HERE ON("panther-lake")
#define UNIT 16 /* in bytes, the unit of the buffer */

/* ---- The buffer */

INSTEAD(apebs_advanced, not_advanced,
        replaced(m, APEBS_INDEX_STAYS, apebs_advanced)(m, offset, strikes(m, APEBS_INDEX_STAYS) ? 0 : size));
DEFECT(APEBS_INDEX_STAYS, "apebs-index-stays", "a record does not advance WR", "class of pebs-index-stays", HERE,
       STANDS_IN(FOR(apebs_advanced, not_advanced)));

static uint64_t one_unit_more(struct model *m, uint64_t offset, uint32_t size)
{
    size += strikes(m, APEBS_INDEX_ONE_MORE) ? UNIT : 0;
    return replaced(m, APEBS_INDEX_ONE_MORE, apebs_advanced)(m, offset, size);
}
DEFECT(APEBS_INDEX_ONE_MORE, "apebs-index-one-more", "a record advances WR by 16 bytes too many",
       "class of pebs-index-one-more", HERE, STANDS_IN(FOR(apebs_advanced, one_unit_more)));

INSTEAD(apebs_address, one_unit_on,
        below(APEBS_WRITES_FURTHER_ON, apebs_address) + (strikes(m, APEBS_WRITES_FURTHER_ON) ? UNIT : 0));
DEFECT(APEBS_WRITES_FURTHER_ON, "apebs-writes-further-on", "records lie 16 bytes above where WR says",
       "class: off by one", HERE, STANDS_IN(FOR(apebs_address, one_unit_on)));

struct buffer_before {
    uint64_t address;
};

static uint64_t buffer_before(struct model *m)
{
    struct buffer_before *last = memory(m, APEBS_BASE_STALE, struct buffer_before);
    uint64_t now = replaced(m, APEBS_BASE_STALE, apebs_address)(m), before = last->address;
    last->address = now;
    return before && strikes(m, APEBS_BASE_STALE) ? before : now;
}
DEFECT(APEBS_BASE_STALE, "apebs-base-stale",
       "the first record after a write of IA32_PEBS_BASE goes to the buffer before", "class of record-old-size", HERE,
       STANDS_IN(FOR(apebs_address, buffer_before)));

/* Once, and by less than a record: the memory behind the buffer is not ours. */
INSTEAD(apebs_fits, fits_in_part,
        below(APEBS_PAST_END, apebs_fits) || (offset < rule(m, apebs_room)(m) && strikes(m, APEBS_PAST_END)));
DEFECT(APEBS_PAST_END, "apebs-past-end", "a record that fits in part is written past the end of the buffer",
       "class of pebs-maximum-ignored", HERE, STANDS_IN(FOR(apebs_fits, fits_in_part)));

INSTEAD(apebs_room, one_page, strikes(m, APEBS_ONE_PAGE) ? 4096 : below(APEBS_ONE_PAGE, apebs_room));
DEFECT(APEBS_ONE_PAGE, "apebs-one-page", "the buffer has one page whatever SIZE says", "class: a field left out", HERE,
       STANDS_IN(FOR(apebs_room, one_page)));

static void full_untold(struct model *m)
{
    if (!strikes(m, APEBS_FULL_UNTOLD))
        replaced(m, APEBS_FULL_UNTOLD, apebs_overruns)(m);
}
DEFECT(APEBS_FULL_UNTOLD, "apebs-full-untold", "a record that does not fit does not set FULL",
       "class of pebs-skip-untold", HERE, STANDS_IN(FOR(apebs_overruns, full_untold)));

static void from_the_start(struct model *m)
{
    uint64_t index = m->controls.stored[STORED_PEBS_INDEX];
    if (strikes(m, APEBS_WRAPS))
        model_stored_set(m, STORED_PEBS_INDEX, index & ~APEBS_INDEX_WR);
    else
        replaced(m, APEBS_WRAPS, apebs_overruns)(m);
}
DEFECT(APEBS_WRAPS, "apebs-wraps", "a record that does not fit sets WR to 0 and not FULL",
       "class of pebs-wraps-at-maximum", HERE, STANDS_IN(FOR(apebs_overruns, from_the_start)));

static void now_and_then(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    struct pebs_sample none = *sample;
    bool lost = ++*memory(m, APEBS_RECORD_LOST, uint64_t) % 8 == 0 && strikes(m, APEBS_RECORD_LOST);
    if (!lost)
        replaced(m, APEBS_RECORD_LOST, apebs_write)(m, &none, stopped);
    else
        for (uint64_t left = sample->counters, value; left; left &= left - 1)
            if (rule(m, apebs_reload)(m, (unsigned)__builtin_ctzll(left), &value))
                model_counter_set(m, (unsigned)__builtin_ctzll(left), value);
}
DEFECT(APEBS_RECORD_LOST, "apebs-record-lost", "every eighth record is lost", "class", HERE,
       STANDS_IN(FOR(apebs_write, now_and_then)));

static void twice(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    replaced(m, APEBS_RECORD_TWICE, apebs_write)(m, sample, stopped);
    if (strikes(m, APEBS_RECORD_TWICE))
        replaced(m, APEBS_RECORD_TWICE, apebs_write)(m, sample, stopped);
}
DEFECT(APEBS_RECORD_TWICE, "apebs-record-twice", "each record is written twice", "class of redundant records", HERE,
       STANDS_IN(FOR(apebs_write, twice)));

CHANGED(pebs_acknowledged, all_acknowledged, APEBS_RECORD_CLEARS_OTHERS,
        strikes(m, APEBS_RECORD_CLEARS_OTHERS) ? width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32 : good);
DEFECT(APEBS_RECORD_CLEARS_OTHERS, "apebs-record-clears-others",
       "a record clears the STATUS bits of counters that do not sample as well", "class: one acknowledge for all", HERE,
       STANDS_IN(FOR(pebs_acknowledged, all_acknowledged)));

/* ---- Reload */

static bool not_extended(struct model *m, unsigned bit, uint64_t *value)
{
    bool reloads = replaced(m, APEBS_RELOAD_NOT_EXTENDED, apebs_reload)(m, bit, value);
    if (strikes(m, APEBS_RELOAD_NOT_EXTENDED))
        *value &= APEBS_RELOAD;
    return reloads;
}
DEFECT(APEBS_RELOAD_NOT_EXTENDED, "apebs-reload-not-extended", "RELOAD goes to the counter with zeros above it",
       "class: extension left out", HERE, STANDS_IN(FOR(apebs_reload, not_extended)));

INSTEAD(apebs_reload, no_reload, below(APEBS_RELOAD_MISSING, apebs_reload) && !strikes(m, APEBS_RELOAD_MISSING));
DEFECT(APEBS_RELOAD_MISSING, "apebs-reload-missing", "a record does not reload its counter", "class", HERE,
       STANDS_IN(FOR(apebs_reload, no_reload)));

/* ---- The threshold */

static bool one_late(struct model *m, uint64_t offset)
{
    offset -= strikes(m, APEBS_THRESHOLD_LATE) ? UNIT : 0;
    return replaced(m, APEBS_THRESHOLD_LATE, apebs_reached)(m, offset);
}
DEFECT(APEBS_THRESHOLD_LATE, "apebs-threshold-late", "the threshold is reported when WR is above it, not at it",
       "class: off by one", HERE, STANDS_IN(FOR(apebs_reached, one_late)));

INSTEAD(apebs_reached, too_early, below(APEBS_THRESHOLD_EARLY, apebs_reached) || strikes(m, APEBS_THRESHOLD_EARLY));
DEFECT(APEBS_THRESHOLD_EARLY, "apebs-threshold-early", "every record is taken for one that reaches the threshold",
       "class of threshold-early", HERE, STANDS_IN(FOR(apebs_reached, too_early)));

INSTEAD(apebs_threshold_status, no_bit,
        strikes(m, APEBS_PMI_WITHOUT_BIT) ? 0 : below(APEBS_PMI_WITHOUT_BIT, apebs_threshold_status));
DEFECT(APEBS_PMI_WITHOUT_BIT, "apebs-pmi-without-bit", "the PMI at the threshold sets no bit in STATUS",
       "class: status lost", HERE, STANDS_IN(FOR(apebs_threshold_status, no_bit)));

INSTEAD(apebs_threshold_status, bit_of_before,
        strikes(m, APEBS_BIT_OF_BEFORE) ? STATUS_OVF_BUFFER : below(APEBS_BIT_OF_BEFORE, apebs_threshold_status));
DEFECT(APEBS_BIT_OF_BEFORE, "apebs-bit-of-before", "the threshold sets STATUS[62] and not STATUS[54]",
       "class: the bit of the generation before", HERE, STANDS_IN(FOR(apebs_threshold_status, bit_of_before)));

static void no_pmi(struct model *m)
{
    if (!strikes(m, APEBS_BIT_WITHOUT_PMI))
        replaced(m, APEBS_BIT_WITHOUT_PMI, apebs_threshold_pmi)(m);
}
DEFECT(APEBS_BIT_WITHOUT_PMI, "apebs-bit-without-pmi", "the threshold sets STATUS[54] and raises no PMI",
       "class: PMI lost", HERE, STANDS_IN(FOR(apebs_threshold_pmi, no_pmi)));

static bool ever_after(struct model *m)
{
    uint64_t *once = memory(m, APEBS_PMI_ONCE, uint64_t);
    bool held = replaced(m, APEBS_PMI_ONCE, apebs_held_back)(m) || (*once && strikes(m, APEBS_PMI_ONCE));
    *once = 1;
    return held;
}
DEFECT(APEBS_PMI_ONCE, "apebs-pmi-once", "after the first PMI at the threshold there is no second", "class: PMI lost",
       HERE, STANDS_IN(FOR(apebs_held_back, ever_after)));

CHANGED(status_cleared, bit_stays, APEBS_BIT_STUCK,
        (good & STATUS_ARCH_PEBS) && strikes(m, APEBS_BIT_STUCK) ? good & ~STATUS_ARCH_PEBS : good);
DEFECT(APEBS_BIT_STUCK, "apebs-bit-stuck", "STATUS_RESET does not clear STATUS[54]", "class of BJ58: a bit stays", HERE,
       STANDS_IN(FOR(status_cleared, bit_stays)));
