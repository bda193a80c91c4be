/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of where records of architectural PEBS go, and of what follows: the buffer, the reload, the threshold. */
#define CHAPTERS "apebs.*,pebs.*,enum.*"
#include "reference/deviations/stand_in.h"

#define HERE ON("panther-lake")
#define UNIT 16 /* in bytes, the unit of the buffer */

/* ---- The buffer */

DEFECT(apebs_index_stays, BEFORE(apebs_advanced, true, size = 0), "a record does not advance WR",
       "class of pebs-index-stays", HERE);
DEFECT(apebs_index_one_more, BEFORE(apebs_advanced, true, size += UNIT), "a record advances WR by 16 bytes too many",
       "class of pebs-index-one-more", HERE);
DEFECT(apebs_writes_further_on, CHANGED(apebs_address, true, good + UNIT), "records lie 16 bytes above where WR says",
       "class: off by one", HERE);

STAND_IN(apebs_base_stale, apebs_address)
{
    uint64_t now = below(apebs_address), before = noted;
    noted = now;
    return before && strikes() ? before : now;
}
DEFECT(apebs_base_stale, FUNCTIONS, "the first record after a write of IA32_PEBS_BASE goes to the buffer before",
       "class of record-old-size", HERE);

/* Once, and by less than a record: the memory behind the buffer is not ours. */
DEFECT(apebs_past_end, CHANGED(apebs_fits, !good && offset < rule(m, apebs_room)(m), true),
       "a record that fits in part is written past the end of the buffer", "class of pebs-maximum-ignored", HERE);
DEFECT(apebs_one_page, INSTEAD(apebs_room, true, 4096), "the buffer has one page whatever SIZE says",
       "class: a field left out", HERE);
DEFECT(apebs_full_untold, LOST(apebs_overruns, true), "a record that does not fit does not set FULL",
       "class of pebs-skip-untold", HERE);

STAND_IN(apebs_wraps, apebs_overruns)
{
    uint64_t index = m->controls.stored[STORED_PEBS_INDEX];
    if (strikes())
        model_stored_set(m, STORED_PEBS_INDEX, index & ~APEBS_INDEX_WR);
    else
        below(apebs_overruns);
}
DEFECT(apebs_wraps, FUNCTIONS, "a record that does not fit sets WR to 0 and not FULL", "class of pebs-wraps-at-maximum",
       HERE);

STAND_IN(apebs_record_lost, apebs_write)
{
    struct pebs_sample none = *sample;
    bool lost = ++noted % 8 == 0 && strikes();
    if (!lost)
        replaced(apebs_write)(m, &none, stopped);
    else
        for (uint64_t left = sample->counters, value; left; left &= left - 1)
            if (rule(m, apebs_reload)(m, (unsigned)__builtin_ctzll(left), &value))
                model_counter_set(m, (unsigned)__builtin_ctzll(left), value);
}
DEFECT(apebs_record_lost, FUNCTIONS, "every eighth record is lost", "class", HERE);
DEFECT(apebs_record_twice, AFTER(apebs_write, true, below(apebs_write)), "each record is written twice",
       "class of redundant records", HERE);
DEFECT(apebs_record_clears_others, CHANGED(pebs_acknowledged, true, all_counters(m)),
       "a record clears the STATUS bits of counters that do not sample as well", "class: one acknowledge for all",
       HERE);

/* ---- Reload */

DEFECT(apebs_reload_not_extended, AFTER(apebs_reload, true, *value &= APEBS_RELOAD),
       "RELOAD goes to the counter with zeros above it", "class: extension left out", HERE);
DEFECT(apebs_reload_missing, CHANGED(apebs_reload, good, false), "a record does not reload its counter", "class", HERE);

/* ---- The threshold */

DEFECT(apebs_threshold_late, BEFORE(apebs_reached, true, offset -= UNIT),
       "the threshold is reported when WR is above it, not at it", "class: off by one", HERE);
DEFECT(apebs_threshold_early, CHANGED(apebs_reached, !good, true),
       "every record is taken for one that reaches the threshold", "class of threshold-early", HERE);
DEFECT(apebs_pmi_without_bit, INSTEAD(apebs_threshold_status, true, 0),
       "the PMI at the threshold sets no bit in STATUS", "class: status lost", HERE);
DEFECT(apebs_bit_of_before, INSTEAD(apebs_threshold_status, true, STATUS_OVF_BUFFER),
       "the threshold sets STATUS[62] and not STATUS[54]", "class: the bit of the generation before", HERE);
DEFECT(apebs_bit_without_pmi, LOST(apebs_threshold_pmi, true), "the threshold sets STATUS[54] and raises no PMI",
       "class: PMI lost", HERE);

STAND_IN(apebs_pmi_once, apebs_held_back)
{
    bool held = below(apebs_held_back) || (noted && strikes());
    noted = 1;
    return held;
}
DEFECT(apebs_pmi_once, FUNCTIONS, "after the first PMI at the threshold there is no second", "class: PMI lost", HERE);
DEFECT(apebs_bit_stuck, CHANGED(status_cleared, (good & STATUS_ARCH_PEBS), good & ~STATUS_ARCH_PEBS),
       "STATUS_RESET does not clear STATUS[54]", "class of BJ58: a bit stays", HERE);
