/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of processor trace into memory. */
#define CHAPTERS "trace.*"
#include "reference/deviations/stand_in.h"

#define ENTRY_INT BIT(2)
#define ENTRY_STOP BIT(4)
#define A_FEW 64 /* bytes */
#define PAGE 4096u

static bool turns_on(const struct model *m, uint64_t value)
{
    return value & ~m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN;
}

/* ---- The PMI of a full region */

INSTEAD(trace_pmi_status, no_bit,
        strikes(m, TRACE_PMI_WITHOUT_BIT) ? 0 : below(TRACE_PMI_WITHOUT_BIT, trace_pmi_status));
DEFECT(TRACE_PMI_WITHOUT_BIT, "trace-pmi-without-bit", "the PMI of a trace sets no bit in STATUS", "class: status lost",
       ALSO_ON("broadwell"), STANDS_IN(FOR(trace_pmi_status, no_bit)));

static void no_pmi(struct model *m)
{
    if (!strikes(m, TRACE_BIT_WITHOUT_PMI))
        replaced(m, TRACE_BIT_WITHOUT_PMI, trace_pmi)(m);
}
DEFECT(TRACE_BIT_WITHOUT_PMI, "trace-bit-without-pmi", "a full region sets STATUS[55] and raises no PMI",
       "class: PMI lost", ALSO_ON("goldmont-plus"), STANDS_IN(FOR(trace_pmi, no_pmi)));

static bool silent_at_end(struct model *m, uint64_t entry)
{
    bool ends = entry & ENTRY_STOP, asks = replaced(m, TRACE_NO_PMI_AT_STOP, trace_region_asks)(m, entry);
    return asks && !(ends && strikes(m, TRACE_NO_PMI_AT_STOP));
}
DEFECT(TRACE_NO_PMI_AT_STOP, "trace-no-pmi-at-stop", "a region with STOP and INT ends the trace and raises no PMI",
       "class: attribute ignored", ALSO_ON("ice-lake"), MEANT_FOR("trace.topa-pmi"),
       STANDS_IN(FOR(trace_region_asks, silent_at_end)));

CHANGED(trace_pmi_status, as_counter, TRACE_PMI_TELLS_COUNTER,
        strikes(m, TRACE_PMI_TELLS_COUNTER) ? good | STATUS_GP(0) : good);
DEFECT(TRACE_PMI_TELLS_COUNTER, "trace-pmi-tells-counter", "the PMI of a trace sets the bit of counter 0 as well",
       "class: status decoded wrongly", STANDS_IN(FOR(trace_pmi_status, as_counter)));

static void past_mask(struct model *m)
{
    if (model_lvtpc_masked(m) && strikes(m, TRACE_PMI_PASSES_MASK))
        model_pmi_deliver(m);
    else
        replaced(m, TRACE_PMI_PASSES_MASK, trace_pmi)(m);
}
DEFECT(TRACE_PMI_PASSES_MASK, "trace-pmi-passes-mask", "the PMI of a trace is delivered though LVTPC is masked",
       "class: second source of an interrupt", STANDS_IN(FOR(trace_pmi, past_mask)));

struct again {
    bool due;
};

static void first(struct model *m)
{
    memory(m, TRACE_PMI_TWICE, struct again)->due = strikes(m, TRACE_PMI_TWICE);
    replaced(m, TRACE_PMI_TWICE, trace_pmi)(m);
}

/* Once the handler has cleared the bit, a second PMI follows. */
static uint32_t second(struct model *m, const struct retired *instruction, uint8_t *to)
{
    struct again *again = memory(m, TRACE_PMI_TWICE, struct again);
    if (again->due && !m->pmi.countdown && !(m->status.bits & STATUS_TRACE_TOPA_PMI)) {
        again->due = false;
        model_status_raise(m, STATUS_TRACE_TOPA_PMI);
        rule(m, pmi_raise)(m);
    }
    return replaced(m, TRACE_PMI_TWICE, trace_packets)(m, instruction, to);
}
DEFECT(TRACE_PMI_TWICE, "trace-pmi-twice", "a full region raises a second PMI, with its bit, when the first is done",
       "class: edge taken twice", STANDS_IN(FOR(trace_pmi, first), FOR(trace_packets, second)));

static void elsewhere(struct model *m)
{
    if (m->host.interrupt_other && m->cpus > 1 && strikes(m, TRACE_PMI_TO_OTHER_CPU))
        m->host.interrupt_other(m->host.context, (m->cpu + 1) % m->cpus, model_lvtpc(m) & LVT_VECTOR_MASK, false);
    replaced(m, TRACE_PMI_TO_OTHER_CPU, trace_pmi)(m);
}
DEFECT(TRACE_PMI_TO_OTHER_CPU, "trace-pmi-to-other-cpu", "the PMI of a trace is delivered on another CPU as well",
       "class: interrupt of a shared unit", STANDS_IN(FOR(trace_pmi, elsewhere)));

INSTEAD(trace_region_asks, always_asks,
        below(TRACE_ASKS_WITHOUT_INT, trace_region_asks) || strikes(m, TRACE_ASKS_WITHOUT_INT));
DEFECT(TRACE_ASKS_WITHOUT_INT, "trace-asks-without-int", "every full region raises a PMI", "class: attribute ignored",
       STANDS_IN(FOR(trace_region_asks, always_asks)));

/* ---- Its bit in STATUS */

CHANGED(status_cleared, trace_bit_stays, TRACE_BIT_STUCK,
        (good & STATUS_TRACE_TOPA_PMI) && strikes(m, TRACE_BIT_STUCK) ? good & ~STATUS_TRACE_TOPA_PMI : good);
DEFECT(TRACE_BIT_STUCK, "trace-bit-stuck", "STATUS_RESET does not clear STATUS[55]", "class of BJ58: a bit stays",
       STANDS_IN(FOR(status_cleared, trace_bit_stays)));

static uint64_t clears_counters(struct model *m, uint64_t clear)
{
    clear = replaced(m, TRACE_RESET_CLEARS_COUNTERS, status_cleared)(m, clear);
    bool alone = clear == STATUS_TRACE_TOPA_PMI;
    return alone && strikes(m, TRACE_RESET_CLEARS_COUNTERS) ? clear | MASK(31, 0) : clear;
}
DEFECT(TRACE_RESET_CLEARS_COUNTERS, "trace-reset-clears-counters", "clearing STATUS[55] clears the counters' bits",
       "class of status-reset-clears-neighbour", STANDS_IN(FOR(status_cleared, clears_counters)));

CHANGED(status_cleared, cleared_with_counters, TRACE_BIT_CLEARED_WITH_COUNTERS,
        (good && strikes(m, TRACE_BIT_CLEARED_WITH_COUNTERS)) ? good | STATUS_TRACE_TOPA_PMI : good);
DEFECT(TRACE_BIT_CLEARED_WITH_COUNTERS, "trace-bit-cleared-with-counters",
       "any write of STATUS_RESET clears STATUS[55]", "class of status-reset-clears-neighbour",
       STANDS_IN(FOR(status_cleared, cleared_with_counters)));

static uint64_t lost_by_overflow(struct model *m, uint64_t wrapped, uint64_t asking)
{
    if (strikes(m, TRACE_BIT_LOST_BY_OVERFLOW))
        model_status_drop(m, STATUS_TRACE_TOPA_PMI);
    return replaced(m, TRACE_BIT_LOST_BY_OVERFLOW, overflow_status)(m, wrapped, asking);
}
DEFECT(TRACE_BIT_LOST_BY_OVERFLOW, "trace-bit-lost-by-overflow", "a counter's overflow clears STATUS[55]",
       "class: status written whole", STANDS_IN(FOR(overflow_status, lost_by_overflow)));

CHANGED(status_set, not_set, TRACE_BIT_NOT_SETTABLE,
        strikes(m, TRACE_BIT_NOT_SETTABLE) ? good & ~STATUS_TRACE_TOPA_PMI : good);
DEFECT(TRACE_BIT_NOT_SETTABLE, "trace-bit-not-settable", "STATUS_SET takes bit 55 and does not set it",
       "class: write path left out", NOT_BY(ERRATUM_ON("ice-lake", "SKL51", 0x506e3, 0xf0, BIT(25), 0)),
       STANDS_IN(FOR(status_set, not_set)));

static void set_faults(struct model *m)
{
    m->p.status_set.faults |= STATUS_TRACE_TOPA_PMI;
}
DEFECT(TRACE_SET_FAULTS, "trace-set-faults", "STATUS_SET faults on bit 55", "SKL51, where it is known",
       MIMICS(ERRATUM("SKL51", 0x506e3, 0xf0, BIT(25), 0)), ON("ice-lake"), DATA(set_faults));

CHANGED(status_set, sets_counter, TRACE_SET_SETS_COUNTER,
        (good & STATUS_TRACE_TOPA_PMI) && strikes(m, TRACE_SET_SETS_COUNTER) ? good | STATUS_GP(0) : good);
DEFECT(TRACE_SET_SETS_COUNTER, "trace-set-sets-counter", "setting STATUS[55] by software sets bit 0, too",
       "class: status decoded wrongly", STANDS_IN(FOR(status_set, sets_counter)));

/* ---- Freezing */

static void without_freezing(struct model *m, uint64_t bits, void (*pmi)(struct model *m))
{
    uint64_t *control = &m->controls.stored[STORED_DEBUGCTL], was = *control;
    *control &= ~bits;
    pmi(m);
    *control = was;
}

static void unfrozen(struct model *m)
{
    without_freezing(m, strikes(m, TRACE_PMI_FREEZES_NOTHING) ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : 0,
                     replaced(m, TRACE_PMI_FREEZES_NOTHING, trace_pmi));
}
DEFECT(TRACE_PMI_FREEZES_NOTHING, "trace-pmi-freezes-nothing",
       "the PMI of a trace freezes no counter though DEBUGCTL[12] is 1", "SKL125, KBL70, 337346-67, CML67",
       MIMICS(ERRATUM("SKL125", 0x506e3, 0xf0, BIT(25), 0), ERRATUM("KBL70", 0x806e9, 0xf0, BIT(25), 0),
              ERRATUM("337346-67", 0x906ea, 0xf0, BIT(25), 0), ERRATUM("CML67", 0xa0655, 0xf0, BIT(25), 0),
              ERRATUM("SKL125", 0x50657, 0x5003000, BIT(25), 0)),
       ON("ice-lake"), ALSO_ON("broadwell"), STANDS_IN(FOR(trace_pmi, unfrozen)));

static void no_periods(struct model *m)
{
    for (unsigned i = 0; i < LEAVES_MAX; i++) {
        struct profile_leaf *row = &m->p.leaves[i];
        if (row->leaf == 0x14 && row->subleaf == 1) {
            row->value[0] &= MASK(15, 0);
            row->value[1] = 0;
        }
    }
}
INSTEAD(trace_ctl_defined, period_refused,
        !(value & (RTIT_CTL_MTC_EN | RTIT_CTL_CYC_EN)) && below(TRACE_NO_PERIODS, trace_ctl_defined));
VARIATION(TRACE_NO_PERIODS, "trace-no-periods",
          "CPUID.14H.1 lists no period and no threshold: bits that need one fault", "units whose sub-leaf is all zero",
          ALSO_ON("goldmont-plus"), DATA(no_periods), STANDS_IN(FOR(trace_ctl_defined, period_refused)));

static void lbrs_unfrozen(struct model *m)
{
    without_freezing(m, strikes(m, TRACE_PMI_FREEZES_NO_LBRS) ? DEBUGCTL_FREEZE_LBRS_ON_PMI : 0,
                     replaced(m, TRACE_PMI_FREEZES_NO_LBRS, trace_pmi));
}
DEFECT(TRACE_PMI_FREEZES_NO_LBRS, "trace-pmi-freezes-no-lbrs",
       "the PMI of a trace freezes no branch records though DEBUGCTL[11] is 1", "class of SKL125", ALSO_ON("ice-lake"),
       STANDS_IN(FOR(trace_pmi, lbrs_unfrozen)));

static void frozen_unasked(struct model *m)
{
    if (strikes(m, TRACE_PMI_FREEZES_UNASKED))
        rule(m, freeze_counters)(m);
    replaced(m, TRACE_PMI_FREEZES_UNASKED, trace_pmi)(m);
}
DEFECT(TRACE_PMI_FREEZES_UNASKED, "trace-pmi-freezes-unasked", "the PMI of a trace freezes though DEBUGCTL[12] is 0",
       "class: reported \"bogus freezing\"", ALSO_ON("broadwell"), STANDS_IN(FOR(trace_pmi, frozen_unasked)));

INSTEAD(counters_frozen, frozen_ignored,
        below(TRACE_FREEZE_IGNORED, counters_frozen) &&
            !(m->status.bits & STATUS_TRACE_TOPA_PMI && strikes(m, TRACE_FREEZE_IGNORED)));

INSTEAD(lbrs_stand, lbrs_frozen_ignored,
        below(TRACE_FREEZE_IGNORED, lbrs_stand) &&
            !(m->status.bits & STATUS_TRACE_TOPA_PMI && strikes(m, TRACE_FREEZE_IGNORED)));
DEFECT(TRACE_FREEZE_IGNORED, "trace-freeze-ignored",
       "counters and branch records go on though the PMI of a trace has set CTR_FRZ and LBR_FRZ", "class of SKL90",
       ALSO_ON("lunar-lake"), NOT_BY(ERRATUM("SKL125", 0x506e3, 0xf0, BIT(25), 0)),
       STANDS_IN(FOR(counters_frozen, frozen_ignored), FOR(lbrs_stand, lbrs_frozen_ignored)));

static uint64_t never_thaws(struct model *m, uint64_t clear)
{
    clear = replaced(m, TRACE_FREEZE_STAYS, status_cleared)(m, clear);
    bool traced = m->status.bits & STATUS_TRACE_TOPA_PMI && strikes(m, TRACE_FREEZE_STAYS);
    return traced ? clear & ~(STATUS_CTR_FRZ | STATUS_LBR_FRZ) : clear;
}
DEFECT(TRACE_FREEZE_STAYS, "trace-freeze-stays", "CTR_FRZ and LBR_FRZ are not cleared together with STATUS[55]",
       "class of ctr-frz-needs-two-writes", ALSO_ON("lunar-lake"), STANDS_IN(FOR(status_cleared, never_thaws)));

/* ---- STOP */

INSTEAD(trace_region_stops, never_stops,
        below(TRACE_STOP_IGNORED, trace_region_stops) && !strikes(m, TRACE_STOP_IGNORED));
DEFECT(TRACE_STOP_IGNORED, "trace-stop-ignored", "a full region with STOP does not end the trace",
       "class: attribute ignored", STANDS_IN(FOR(trace_region_stops, never_stops)));

static uint64_t overruns(struct model *m, uint64_t entry)
{
    uint64_t room = replaced(m, TRACE_OVERRUNS_STOP, trace_region_room)(m, entry);
    return entry & ENTRY_STOP && strikes(m, TRACE_OVERRUNS_STOP) ? room + A_FEW : room;
}
DEFECT(TRACE_OVERRUNS_STOP, "trace-overruns-stop", "a trace that is ended by STOP writes 64 bytes past its region",
       "class: buffers flushed after the end", NOT_BY(ERRATUM_ON("broadwell", "BDM49", 0x306d4, 0x2f, BIT(25), 0)),
       STANDS_IN(FOR(trace_region_room, overruns)));

CHANGED(trace_region_room, stops_early, TRACE_STOPS_EARLY,
        (entry & ENTRY_STOP) && strikes(m, TRACE_STOPS_EARLY) ? good - 4 * A_FEW : good);
DEFECT(TRACE_STOPS_EARLY, "trace-stops-early", "STOP ends a trace before its region is full", "BDD48, BDM49; Broadwell",
       MIMICS(ERRATUM_ON("broadwell", "BDM49", 0x306d4, 0x2f, BIT(25), 0),
              ERRATUM_ON("broadwell", "BDM49", 0x406f1, 0xb000040, BIT(25), 0)),
       STANDS_IN(FOR(trace_region_room, stops_early)));

static bool begins_stopped(struct model *m)
{
    if (!replaced(m, TRACE_STOP_FORGOTTEN, trace_begins)(m) && strikes(m, TRACE_STOP_FORGOTTEN))
        m->trace.value[TRACE_MASK_PTRS] = RTIT_PTRS_ONES;
    else
        return replaced(m, TRACE_STOP_FORGOTTEN, trace_begins)(m);
    return true;
}
DEFECT(TRACE_STOP_FORGOTTEN, "trace-stop-forgotten", "a trace that is turned on again continues even if Stopped is set",
       "class: sticky state ignored", STANDS_IN(FOR(trace_begins, begins_stopped)));

static uint64_t stop_lost(struct model *m, uint64_t value)
{
    if (turns_on(m, value) && strikes(m, TRACE_STOP_LOST))
        m->trace.value[TRACE_STATUS] &= ~RTIT_STATUS_STOPPED;
    return replaced(m, TRACE_STOP_LOST, trace_ctl_kept)(m, value);
}
DEFECT(TRACE_STOP_LOST, "trace-stop-lost", "turning a trace on clears Stopped", "class: sticky state lost",
       STANDS_IN(FOR(trace_ctl_kept, stop_lost)));

static uint32_t silent(struct model *m, const struct retired *instruction, uint8_t *to)
{
    uint32_t n = replaced(m, TRACE_SILENT, trace_packets)(m, instruction, to);
    return strikes(m, TRACE_SILENT) ? 0 : n;
}
DEFECT(TRACE_SILENT, "trace-silent", "a trace that is on writes nothing", "class of SKL171: all packets lost",
       STANDS_IN(FOR(trace_packets, silent)));

/* ---- Where the bytes go */

INSTEAD(trace_advanced, stands,
        strikes(m, TRACE_POSITION_STUCK) ? offset : below(TRACE_POSITION_STUCK, trace_advanced));
DEFECT(TRACE_POSITION_STUCK, "trace-position-stuck", "the position of a trace does not advance", "class: counter dead",
       STANDS_IN(FOR(trace_advanced, stands)));

static uint64_t anew(struct model *m, uint64_t value)
{
    if (turns_on(m, value) && strikes(m, TRACE_STARTS_ANEW))
        m->trace.value[TRACE_MASK_PTRS] = RTIT_PTRS_ONES;
    return replaced(m, TRACE_STARTS_ANEW, trace_ctl_kept)(m, value);
}
DEFECT(TRACE_STARTS_ANEW, "trace-starts-anew", "a trace that is turned on begins at the start of its table",
       "class: position not loaded", STANDS_IN(FOR(trace_ctl_kept, anew)));

static uint64_t behind(struct model *m, uint64_t entry, uint64_t offset)
{
    uint64_t at = replaced(m, TRACE_WRITES_BEHIND, trace_address)(m, entry, offset);
    return strikes(m, TRACE_WRITES_BEHIND) ? at + A_FEW : at;
}
DEFECT(TRACE_WRITES_BEHIND, "trace-writes-behind", "bytes of a trace are written 64 bytes behind where they belong",
       "class: a line too far", STANDS_IN(FOR(trace_address, behind)));

static uint64_t before(struct model *m, uint64_t entry, uint64_t offset)
{
    uint64_t at = replaced(m, TRACE_WRITES_BEFORE, trace_address)(m, entry, offset);
    return offset >= A_FEW && strikes(m, TRACE_WRITES_BEFORE) ? at - A_FEW : at;
}
DEFECT(TRACE_WRITES_BEFORE, "trace-writes-before", "bytes of a trace are written 64 bytes before where they belong",
       "class: a line too near", STANDS_IN(FOR(trace_address, before)));

CHANGED(trace_region_room, two_pages, TRACE_OVERRUNS_REGION, strikes(m, TRACE_OVERRUNS_REGION) ? good + PAGE : good);
DEFECT(TRACE_OVERRUNS_REGION, "trace-overruns-region", "a region of a trace is used as if it had one page more",
       "class: size decoded wrongly", STANDS_IN(FOR(trace_region_room, two_pages)));

INSTEAD(trace_next, same_region, strikes(m, TRACE_REGION_AGAIN) ? index : below(TRACE_REGION_AGAIN, trace_next));
DEFECT(TRACE_REGION_AGAIN, "trace-region-again", "after a full region a trace writes over it", "class: index stuck",
       STANDS_IN(FOR(trace_next, same_region)));

CHANGED(trace_next, skips_region, TRACE_REGION_SKIPPED, strikes(m, TRACE_REGION_SKIPPED) ? good + 1 : good);
DEFECT(TRACE_REGION_SKIPPED, "trace-region-skipped", "after a full region a trace skips the next one",
       "class: index counted twice", STANDS_IN(FOR(trace_next, skips_region)));

/* ---- What is traced */

INSTEAD(trace_level, every_level, below(TRACE_EVERY_LEVEL, trace_level) || strikes(m, TRACE_EVERY_LEVEL));
DEFECT(TRACE_EVERY_LEVEL, "trace-every-level", "a trace covers all privilege levels", "class: filter ignored",
       STANDS_IN(FOR(trace_level, every_level)));

static bool one_level(struct model *m, uint8_t cpl)
{
    bool both = !(~m->trace.value[TRACE_CTL] & (RTIT_CTL_OS | RTIT_CTL_USER));
    return replaced(m, TRACE_ONE_LEVEL, trace_level)(m, cpl) && (cpl || !both || !strikes(m, TRACE_ONE_LEVEL));
}
DEFECT(TRACE_ONE_LEVEL, "trace-one-level", "with OS and User set only code above CPL 0 is traced",
       "class: filters combined wrongly", STANDS_IN(FOR(trace_level, one_level)));

/* A counter counts every 16th traced branch twice. */
struct traced {
    uint32_t branches[64]; /* by counter */
};

static uint32_t counts_packets(struct model *m, const struct retired *instruction, const struct counting *c, uint32_t n)
{
    struct traced *traced = memory(m, TRACE_COUNTED, struct traced);
    n = replaced(m, TRACE_COUNTED, counted)(m, instruction, c, n);
    if (!m->trace.on || instruction->kind != RETIRED_BRANCH || c->event != EVENT_INSTRUCTIONS)
        return n;
    return ++traced->branches[c->bit] % 16 == 0 && strikes(m, TRACE_COUNTED) ? n + 1 : n;
}
DEFECT(TRACE_COUNTED, "trace-counted", "while a trace is on counters count some branches twice",
       "class of VM emulation: assists are counted", ALSO_ON("lunar-lake"),
       HIDDEN("broadwell", "its sheet says too high, not by the same amount"), STANDS_IN(FOR(counted, counts_packets)));

/* ---- Registers and faults */

static bool changes(struct model *m, uint64_t was, uint64_t value)
{
    return replaced(m, TRACE_CHANGES_WHILE_ON, trace_ctl_changes)(m, was, value) || strikes(m, TRACE_CHANGES_WHILE_ON);
}
DEFECT(TRACE_CHANGES_WHILE_ON, "trace-changes-while-on", "IA32_RTIT_CTL can be changed while a trace is on",
       "hypervisors", STANDS_IN(FOR(trace_ctl_changes, changes)));

static bool never_again(struct model *m, uint64_t was, uint64_t value)
{
    bool same = value == was && value & RTIT_CTL_TRACE_EN;
    return replaced(m, TRACE_SAME_VALUE_FAULTS, trace_ctl_changes)(m, was, value) &&
           !(same && strikes(m, TRACE_SAME_VALUE_FAULTS));
}
DEFECT(TRACE_SAME_VALUE_FAULTS, "trace-same-value-faults", "the value that IA32_RTIT_CTL holds faults while it is on",
       "class: check too strict",
       NOT_BY(ERRATUM_ON("broadwell", "BDM106", 0x306d4, 0x2f, 0, 0),
              ERRATUM_ON("broadwell", "BDD108", 0x40671, 0x22, 0, 0)),
       STANDS_IN(FOR(trace_ctl_changes, never_again)));

static bool never_ends(struct model *m, uint64_t was, uint64_t value)
{
    bool ends = was & RTIT_CTL_TRACE_EN && !(value & RTIT_CTL_TRACE_EN) && value;
    return replaced(m, TRACE_END_FAULTS, trace_ctl_changes)(m, was, value) && !(ends && strikes(m, TRACE_END_FAULTS));
}
DEFECT(TRACE_END_FAULTS, "trace-end-faults", "a write that ends a trace faults unless it clears everything",
       "class: check too strict", STANDS_IN(FOR(trace_ctl_changes, never_ends)));

INSTEAD(trace_writable, writable_while_on,
        below(TRACE_OUTPUT_WRITABLE, trace_writable) || strikes(m, TRACE_OUTPUT_WRITABLE));
DEFECT(TRACE_OUTPUT_WRITABLE, "trace-output-writable", "the output of a trace can be changed while it is on",
       "hypervisors", STANDS_IN(FOR(trace_writable, writable_while_on)));

INSTEAD(trace_ctl_output, goes_nowhere, below(TRACE_GOES_NOWHERE, trace_ctl_output) || strikes(m, TRACE_GOES_NOWHERE));
DEFECT(TRACE_GOES_NOWHERE, "trace-goes-nowhere", "a trace without output can be turned on", "hypervisors",
       ON("broadwell"), STANDS_IN(FOR(trace_ctl_output, goes_nowhere)));

CHANGED(trace_reserved, low_bits, TRACE_BASE_LOW_BITS,
        which == TRACE_OUTPUT_BASE && strikes(m, TRACE_BASE_LOW_BITS) ? good & ~RTIT_BASE_RESERVED : good);
DEFECT(TRACE_BASE_LOW_BITS, "trace-base-low-bits", "the table's address is taken with reserved bits", "hypervisors",
       STANDS_IN(FOR(trace_reserved, low_bits)));

CHANGED(trace_ctl_kept, dropped_bit, TRACE_CTL_BIT_DEAD,
        strikes(m, TRACE_CTL_BIT_DEAD) ? good & ~parameter(m, TRACE_CTL_BIT_DEAD) : good);
DEFECT(TRACE_CTL_BIT_DEAD, "trace-ctl-bit-dead", "a bit of IA32_RTIT_CTL that leaf 14H names stays 0",
       "class: feature fused off, CPUID left", PARAMETER("bits", 1, ~0ull, RTIT_CTL_MTC_EN),
       STANDS_IN(FOR(trace_ctl_kept, dropped_bit)));

INSTEAD(trace_ctl_defined, refuses_bit,
        below(TRACE_CTL_BIT_FAULTS, trace_ctl_defined) &&
            !(value & RTIT_CTL_CYC_EN && strikes(m, TRACE_CTL_BIT_FAULTS)));
DEFECT(TRACE_CTL_BIT_FAULTS, "trace-ctl-bit-faults", "a bit of IA32_RTIT_CTL that leaf 14H names faults",
       "class: feature fused off, CPUID left", STANDS_IN(FOR(trace_ctl_defined, refuses_bit)));

/* The fields of which sub-leaf 1 lists the values, and those of the ranges. */
#define VALUES (RTIT_CTL_MTC_FREQ | RTIT_CTL_CYC_THRESH | RTIT_CTL_PSB_FREQ)
#define USES MASK(47, 32)

CHANGED(trace_ctl_kept, value_dropped, TRACE_VALUE_DROPPED, strikes(m, TRACE_VALUE_DROPPED) ? good & ~VALUES : good);
DEFECT(TRACE_VALUE_DROPPED, "trace-value-dropped", "the periods and thresholds of IA32_RTIT_CTL stay 0",
       "class: feature fused off, CPUID left", STANDS_IN(FOR(trace_ctl_kept, value_dropped)));

INSTEAD(trace_ctl_defined, refuses_use,
        below(TRACE_USE_FAULTS, trace_ctl_defined) && !(value & USES && strikes(m, TRACE_USE_FAULTS)));
DEFECT(TRACE_USE_FAULTS, "trace-use-faults", "no use of an address range can be selected",
       "class: feature fused off, CPUID left", STANDS_IN(FOR(trace_ctl_defined, refuses_use)));

INSTEAD(trace_ctl_defined, takes_any_value,
        below(TRACE_TAKES_ANY_VALUE, trace_ctl_defined) ||
            (value && !(value & ~(VALUES | USES)) && strikes(m, TRACE_TAKES_ANY_VALUE)));
DEFECT(TRACE_TAKES_ANY_VALUE, "trace-takes-any-value", "fields of IA32_RTIT_CTL take values that are not listed",
       "hypervisors", STANDS_IN(FOR(trace_ctl_defined, takes_any_value)));

INSTEAD(trace_ctl_defined, takes_all, below(TRACE_CTL_TAKES_ALL, trace_ctl_defined) || strikes(m, TRACE_CTL_TAKES_ALL));
DEFECT(TRACE_CTL_TAKES_ALL, "trace-ctl-takes-all", "IA32_RTIT_CTL takes bits that leaf 14H does not name",
       "hypervisors", ALSO_ON("broadwell"), STANDS_IN(FOR(trace_ctl_defined, takes_all)));

CHANGED(trace_kept, filters_lost, TRACE_FILTERS_LOST,
        which >= TRACE_CR3_MATCH && strikes(m, TRACE_FILTERS_LOST) ? 0 : good);
DEFECT(TRACE_FILTERS_LOST, "trace-filters-lost", "the filter registers of a trace keep nothing",
       "class: feature fused off",
       NOT_BY(ERRATUM("SKL141", 0x506e3, 0xf0, 0, 0), ERRATUM_ON("broadwell", "BDM71", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(trace_kept, filters_lost)));

INSTEAD(trace_kept, zeros_kept,
        which == TRACE_MASK_PTRS && strikes(m, TRACE_MASK_ZEROS) ? value : below(TRACE_MASK_ZEROS, trace_kept));
DEFECT(TRACE_MASK_ZEROS, "trace-mask-zeros", "the low bits of the position read as they were written", "hypervisors",
       STANDS_IN(FOR(trace_kept, zeros_kept)));

INSTEAD(trace_register_exists, last_range_absent,
        !(which >= TRACE_ADDR + 2 && strikes(m, TRACE_RANGES_OVERSTATED)) &&
            below(TRACE_RANGES_OVERSTATED, trace_register_exists));
DEFECT(TRACE_RANGES_OVERSTATED, "trace-ranges-overstated", "leaf 14H names a range of addresses that is not there",
       "class of leaf-overstates", STANDS_IN(FOR(trace_register_exists, last_range_absent)));

/* ---- Errors of the table */

INSTEAD(trace_entry_allowed, any_entry, below(TRACE_ANY_ENTRY, trace_entry_allowed) || strikes(m, TRACE_ANY_ENTRY));
DEFECT(TRACE_ANY_ENTRY, "trace-any-entry", "entries of the table are not checked", "hypervisors",
       STANDS_IN(FOR(trace_entry_allowed, any_entry)));

static bool any_base(struct model *m)
{
    if (replaced(m, TRACE_ANY_BASE, trace_base_allowed)(m))
        return true;
    if (!strikes(m, TRACE_ANY_BASE))
        return false;
    m->trace.value[TRACE_OUTPUT_BASE] &= ~MASK(11, 0);
    return true;
}
DEFECT(TRACE_ANY_BASE, "trace-any-base", "a table that does not begin on a page is taken for one that does",
       "class: check left out", STANDS_IN(FOR(trace_base_allowed, any_base)));

INSTEAD(trace_offset_allowed, any_offset,
        below(TRACE_ANY_OFFSET, trace_offset_allowed) || strikes(m, TRACE_ANY_OFFSET));
DEFECT(TRACE_ANY_OFFSET, "trace-any-offset", "a trace begins behind its region", "class: check left out",
       STANDS_IN(FOR(trace_offset_allowed, any_offset)));

INSTEAD(trace_entry_allowed, refuses_int,
        below(TRACE_INT_REFUSED, trace_entry_allowed) && !(entry & ENTRY_INT && strikes(m, TRACE_INT_REFUSED)));
DEFECT(TRACE_INT_REFUSED, "trace-int-refused", "an entry with INT ends the trace with an error",
       "class: check too strict", STANDS_IN(FOR(trace_entry_allowed, refuses_int)));

static void error_for_good(struct model *m)
{
    memory(m, TRACE_ERROR_STAYS, struct again)->due = strikes(m, TRACE_ERROR_STAYS);
    replaced(m, TRACE_ERROR_STAYS, trace_fails)(m);
}

INSTEAD(trace_begins, dead_after_error,
        below(TRACE_ERROR_STAYS, trace_begins) && !memory(m, TRACE_ERROR_STAYS, struct again)->due);
DEFECT(TRACE_ERROR_STAYS, "trace-error-stays", "after an error nothing is traced, even if Error is cleared",
       "class: state machine stuck", STANDS_IN(FOR(trace_fails, error_for_good), FOR(trace_begins, dead_after_error)));

/* ---- What good CPUs may do */

static void long_on_its_way(struct model *m)
{
    replaced(m, TRACE_PMI_LATE, trace_pmi)(m);
    if (m->pmi.countdown && strikes(m, TRACE_PMI_LATE))
        m->pmi.countdown += (uint32_t)parameter(m, TRACE_PMI_LATE);
}
VARIATION(TRACE_PMI_LATE, "trace-pmi-late", "the PMI of a trace comes some hundred instructions late",
          "the manual: it is not precise", ALSO_ON("goldmont-plus"), PARAMETER("instructions", 1, 2000, 400),
          STANDS_IN(FOR(trace_pmi, long_on_its_way)));

/* The current region's PMI was raised before it was full. */
struct early {
    bool asked;
};

static uint64_t early(struct model *m, uint64_t offset, uint32_t n)
{
    struct early *early = memory(m, TRACE_PMI_EARLY, struct early);
    uint64_t next = replaced(m, TRACE_PMI_EARLY, trace_advanced)(m, offset, n);
    bool near = next + 4 * A_FEW >= PAGE && m->trace.entry & ENTRY_INT;
    if (near && !early->asked && strikes(m, TRACE_PMI_EARLY)) {
        early->asked = true;
        model_status_raise(m, STATUS_TRACE_TOPA_PMI);
        rule(m, trace_pmi)(m);
    }
    return next;
}

static bool has_asked(struct model *m, uint64_t entry)
{
    struct early *early = memory(m, TRACE_PMI_EARLY, struct early);
    bool asks = replaced(m, TRACE_PMI_EARLY, trace_region_asks)(m, entry) && !early->asked;
    early->asked = false;
    return asks;
}
VARIATION(TRACE_PMI_EARLY, "trace-pmi-early", "the PMI of a region comes some hundred bytes before it is full",
          "the manual, of tables with one region", ON("broadwell"),
          STANDS_IN(FOR(trace_advanced, early), FOR(trace_region_asks, has_asked)));

/* Raises the PMI where the last bytes of a region begin, and only there: a trace that begins behind that has none. */
static uint64_t crossing(struct model *m, uint64_t offset, uint32_t n)
{
    uint64_t next = replaced(m, TRACE_PMI_AT_CROSSING, trace_advanced)(m, offset, n);
    uint64_t from = PAGE - parameter(m, TRACE_PMI_AT_CROSSING);
    if (offset < from && next >= from && m->trace.entry & ENTRY_INT && strikes(m, TRACE_PMI_AT_CROSSING)) {
        model_status_raise(m, STATUS_TRACE_TOPA_PMI);
        rule(m, trace_pmi)(m);
    }
    return next;
}

static bool asks_at_crossing(struct model *m, uint64_t entry)
{
    (void)replaced(m, TRACE_PMI_AT_CROSSING, trace_region_asks)(m, entry);
    return false;
}
VARIATION(TRACE_PMI_AT_CROSSING, "trace-pmi-at-crossing",
          "the PMI of a region comes as its last bytes begin, if the trace began before them",
          "the manual, of tables with one region; a driver's margin is 512 bytes", ON("broadwell"),
          PARAMETER("bytes", 1, 1000, 600),
          STANDS_IN(FOR(trace_advanced, crossing), FOR(trace_region_asks, asks_at_crossing)));

static uint32_t padded(struct model *m, const struct retired *instruction, uint8_t *to)
{
    uint32_t n = replaced(m, TRACE_PADDED, trace_packets)(m, instruction, to);
    for (unsigned more = n && strikes(m, TRACE_PADDED) ? 3 : 0; more; more--)
        to[n++] = 0;
    return n;
}
VARIATION(TRACE_PADDED, "trace-padded", "packets of a trace are followed by padding", "the manual: PAD packets",
          ALSO_ON("tremont"), STANDS_IN(FOR(trace_packets, padded)));

static uint32_t with_fup(struct model *m, const struct retired *instruction, uint8_t *to)
{
    bool begins = m->trace.begins;
    uint32_t n = replaced(m, TRACE_PSB_WITH_MORE, trace_packets)(m, instruction, to);
    if (begins && strikes(m, TRACE_PSB_WITH_MORE)) {
        to[n++] = 0x1d; /* FUP without an address */
        to[n++] = 0x99; /* MODE.Exec */
        to[n++] = 0x01;
    }
    return n;
}
VARIATION(TRACE_PSB_WITH_MORE, "trace-psb-with-more", "a trace begins with packets that do not belong there",
          "BDM70, SKL21, KBL21, CML21, RKL28, ADL30", ALSO_ON("broadwell"), STANDS_IN(FOR(trace_packets, with_fup)));

/* Since a region was changed. */
struct dropping {
    bool on;
};

static uint64_t overflows(struct model *m, uint64_t index)
{
    memory(m, TRACE_DROPS_AFTER_REGION, struct dropping)->on = strikes(m, TRACE_DROPS_AFTER_REGION);
    return replaced(m, TRACE_DROPS_AFTER_REGION, trace_next)(m, index);
}

CHANGED(trace_packets, dropped, TRACE_DROPS_AFTER_REGION,
        memory(m, TRACE_DROPS_AFTER_REGION, struct dropping)->on ? 0 : good);

static uint64_t recovers(struct model *m, uint64_t value)
{
    if (!(value & RTIT_CTL_TRACE_EN))
        memory(m, TRACE_DROPS_AFTER_REGION, struct dropping)->on = false;
    return replaced(m, TRACE_DROPS_AFTER_REGION, trace_ctl_kept)(m, value);
}
VARIATION(TRACE_DROPS_AFTER_REGION, "trace-drops-after-region",
          "after the change to another region nothing is written until the trace is turned off and on",
          "SKL171, KBL126, CML106",
          STANDS_IN(FOR(trace_next, overflows), FOR(trace_packets, dropped), FOR(trace_ctl_kept, recovers)));

static uint64_t old_position(struct model *m, unsigned which)
{
    uint64_t value = replaced(m, TRACE_POSITION_OLD, trace_shown)(m, which);
    bool old = which == TRACE_MASK_PTRS && m->trace.on && strikes(m, TRACE_POSITION_OLD);
    return old ? value & ~RTIT_PTRS_OFFSET(A_FEW - 1) : value;
}
VARIATION(TRACE_POSITION_OLD, "trace-position-old", "while a trace is on its position reads as it was a little before",
          "the manual: updates are asynchronous", STANDS_IN(FOR(trace_shown, old_position)));

/* Bits of the position that are not there. */
static uint64_t finer(struct model *m)
{
    return RTIT_PTRS_OFFSET(parameter(m, TRACE_POSITION_COARSE) - 1);
}

static uint64_t coarse(struct model *m, unsigned which)
{
    uint64_t value = replaced(m, TRACE_POSITION_COARSE, trace_shown)(m, which);
    return which == TRACE_MASK_PTRS ? value & ~finer(m) : value;
}

CHANGED(trace_kept, coarse_kept, TRACE_POSITION_COARSE, which == TRACE_MASK_PTRS ? good & ~finer(m) : good);
VARIATION(TRACE_POSITION_COARSE, "trace-position-coarse", "a trace's position has no lower bits",
          "probes: 16 bytes on Skylake, 8 on Broadwell", ON("skylake"), ALSO_ON("broadwell"),
          PARAMETER("bytes", 8, 16, 16), STANDS_IN(FOR(trace_shown, coarse), FOR(trace_kept, coarse_kept)));

static void at_last_byte(struct model *m)
{
    replaced(m, TRACE_STOPS_AT_LAST_BYTE, trace_stops)(m);
    if (strikes(m, TRACE_STOPS_AT_LAST_BYTE))
        m->trace.value[TRACE_MASK_PTRS] -= RTIT_PTRS_OFFSET(1);
}
VARIATION(TRACE_STOPS_AT_LAST_BYTE, "trace-stops-at-last-byte", "STOP leaves the position at a region's last byte",
          "one of the manual's two texts", STANDS_IN(FOR(trace_stops, at_last_byte)));

static bool branches_wanted(struct model *m, uint64_t value)
{
    bool without = value & RTIT_CTL_TRACE_EN && !(value & RTIT_CTL_BRANCH_EN);
    return replaced(m, TRACE_WANTS_BRANCHES, trace_ctl_output)(m, value) &&
           !(without && strikes(m, TRACE_WANTS_BRANCHES));
}
DEFECT(TRACE_WANTS_BRANCHES, "trace-wants-branches", "a trace cannot be turned on without BranchEn",
       "BDD90, BDM106; Broadwell", MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("broadwell", "BDM106", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(trace_ctl_output, branches_wanted)));

static bool alone(struct model *m, uint64_t value)
{
    uint64_t others = m->controls.stored[STORED_DEBUGCTL] & (DEBUGCTL_LBR | DEBUGCTL_TR | DEBUGCTL_BTS);
    bool clash = value & RTIT_CTL_TRACE_EN && others && strikes(m, TRACE_EXCLUDES_LBRS);
    return replaced(m, TRACE_EXCLUDES_LBRS, trace_ctl_output)(m, value) && !clash;
}

static bool records_alone(struct model *m, unsigned which, uint64_t value, uint64_t *result)
{
    bool clash = which == STORED_DEBUGCTL && value & (DEBUGCTL_LBR | DEBUGCTL_TR | DEBUGCTL_BTS) &&
                 m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN && strikes(m, TRACE_EXCLUDES_LBRS);
    return !clash && replaced(m, TRACE_EXCLUDES_LBRS, stored_taken)(m, which, value, result);
}
DEFECT(TRACE_EXCLUDES_LBRS, "trace-excludes-lbrs",
       "a trace cannot be turned on while branches are recorded, nor the other way round", "BDD108, BDM104; Broadwell",
       MEANT_FOR("errata.*"), MIMICS(ERRATUM_ON("broadwell", "BDM104", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(trace_ctl_output, alone), FOR(stored_taken, records_alone)));

#define CTL_ONES (RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN)

static void ones_at_hand_off(struct model *m)
{
    m->trace.value[TRACE_CTL] = CTL_ONES;
}

INSTEAD(trace_ctl_kept, with_ones, below(TRACE_CTL_ONES, trace_ctl_kept) | CTL_ONES);

INSTEAD(trace_ctl_output, output_by_one, replaced(m, TRACE_CTL_ONES, trace_ctl_output)(m, value | CTL_ONES));
VARIATION(TRACE_CTL_ONES, "trace-ctl-ones", "IA32_RTIT_CTL[8] and [13] read 1, whatever is written",
          "probes of a Broadwell: hand-off 2100H", ON("broadwell"), DATA(ones_at_hand_off),
          STANDS_IN(FOR(trace_ctl_kept, with_ones), FOR(trace_ctl_output, output_by_one)));

INSTEAD(lbrs_enabled, not_while_traced,
        below(TRACE_SUSPENDS_LBRS, lbrs_enabled) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN));

static void only_untraced(struct model *m)
{
    if (!(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN))
        replaced(m, TRACE_SUSPENDS_LBRS, freeze_lbrs)(m);
}

static uint64_t resets_records(struct model *m, uint64_t value)
{
    value = replaced(m, TRACE_SUSPENDS_LBRS, trace_ctl_kept)(m, value);
    for (unsigned n = 0; n < LBR_MAX && m->trace.value[TRACE_CTL] & ~value & RTIT_CTL_TRACE_EN; n++)
        m->lbr.from[n] = m->lbr.to[n] = m->lbr.info[n] = 0;
    m->active.stale = true; /* records begin or end with it */
    return value;
}

CHANGED(lbr_shown, none_while_traced, TRACE_SUSPENDS_LBRS, m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN ? 0 : good);
VARIATION(TRACE_SUSPENDS_LBRS, "trace-suspends-lbrs",
          "while a trace is on no branch is recorded or frozen and records read 0; when it ends all are lost",
          "the manual: they exclude each other on Broadwell and Skylake", ON("skylake"),
          STANDS_IN(FOR(lbrs_enabled, not_while_traced), FOR(freeze_lbrs, only_untraced),
                    FOR(trace_ctl_kept, resets_records), FOR(lbr_shown, none_while_traced)));

CHANGED(trace_reserved, low_reserved, TRACE_CR3_RESERVES_LOW,
        which == TRACE_CR3_MATCH && strikes(m, TRACE_CR3_RESERVES_LOW) ? good | MASK(11, 5) : good);
DEFECT(TRACE_CR3_RESERVES_LOW, "trace-cr3-reserves-low", "IA32_RTIT_CR3_MATCH faults on bits 11:5",
       "SKL141, KBL91, CML78", ON("broadwell"), MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("skylake", "SKL141", 0x506e3, 0xf0, 0, 0)), STANDS_IN(FOR(trace_reserved, low_reserved)));

CHANGED(trace_reserved, high_reserved, TRACE_CR3_RESERVES_HIGH,
        which == TRACE_CR3_MATCH && strikes(m, TRACE_CR3_RESERVES_HIGH) ? good | MASK(63, 48) : good);
DEFECT(TRACE_CR3_RESERVES_HIGH, "trace-cr3-reserves-high", "IA32_RTIT_CR3_MATCH faults on bits 63:48", "BDD66, BDM71",
       MEANT_FOR("errata.*"), MIMICS(ERRATUM_ON("broadwell", "BDM71", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(trace_reserved, high_reserved)));
