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

DEFECT(trace_pmi_without_bit, INSTEAD(trace_pmi_status, true, 0), "the PMI of a trace sets no bit in STATUS",
       "class: status lost", ALSO_ON("broadwell"));
DEFECT(trace_bit_without_pmi, LOST(trace_pmi, true), "a full region sets STATUS[55] and raises no PMI",
       "class: PMI lost", ALSO_ON("goldmont-plus"));
DEFECT(trace_bit_of_pages_alone,
       ALL(NOTES(trace_region_asks, true, noted = FIELD_GET(entry, 9, 6)), CHANGED(trace_pmi_status, noted, 0)),
       "the PMI of a region of more than 4 KiB does not set STATUS[55]", "class: status lost", ALSO_ON("broadwell"),
       MEANT_FOR("trace.topa-pmi"));
DEFECT(trace_pmi_of_pages_alone,
       ALL(NOTES(trace_region_asks, true, noted = FIELD_GET(entry, 9, 6)), LOST(trace_pmi, noted)),
       "a full region of more than 4 KiB raises no PMI", "class: PMI lost", ALSO_ON("broadwell"),
       MEANT_FOR("trace.topa-pmi"));

DEFECT(trace_no_pmi_at_stop, CHANGED(trace_region_asks, good && (entry & ENTRY_STOP), false),
       "a region with STOP and INT ends the trace and raises no PMI", "class: attribute ignored", ALSO_ON("ice-lake"),
       MEANT_FOR("trace.topa-pmi"));
DEFECT(trace_pmi_tells_counter, CHANGED(trace_pmi_status, true, good | STATUS_GP(0)),
       "the PMI of a trace sets the bit of counter 0 as well", "class: status decoded wrongly");

STAND_IN(trace_pmi_passes_mask, trace_pmi)
{
    if (model_lvtpc_masked(m) && strikes())
        model_pmi_deliver(m);
    else
        below(trace_pmi);
}
DEFECT(trace_pmi_passes_mask, FUNCTIONS, "the PMI of a trace is delivered though LVTPC is masked",
       "class: second source of an interrupt");

/* Once the handler has cleared the bit, a second PMI follows. */
DEFECT(trace_pmi_twice,
       ALL(NOTES(trace_pmi, true, noted = strikes()),
           NOTES(trace_packets, noted && !m->pmi.countdown && !(m->status.bits & STATUS_TRACE_TOPA_PMI), noted = false;
                 model_status_raise(m, STATUS_TRACE_TOPA_PMI); rule(m, pmi_raise)(m))),
       "a full region raises a second PMI, with its bit, when the first is done", "class: edge taken twice");
DEFECT(trace_pmi_to_other_cpu,
       BEFORE(trace_pmi, m->host.interrupt_other && m->cpus > 1,
              m->host.interrupt_other(m->host.context, (m->cpu + 1) % m->cpus, model_lvtpc(m) & LVT_VECTOR_MASK,
                                      false)),
       "the PMI of a trace is delivered on another CPU as well", "class: interrupt of a shared unit");
DEFECT(trace_asks_without_int, CHANGED(trace_region_asks, !good, true), "every full region raises a PMI",
       "class: attribute ignored");

/* ---- Its bit in STATUS */

DEFECT(trace_bit_stuck, CHANGED(status_cleared, (good & STATUS_TRACE_TOPA_PMI), good & ~STATUS_TRACE_TOPA_PMI),
       "STATUS_RESET does not clear STATUS[55]", "class of BJ58: a bit stays");
DEFECT(trace_reset_clears_counters, CHANGED(status_cleared, (good == STATUS_TRACE_TOPA_PMI), good | MASK(31, 0)),
       "clearing STATUS[55] clears the counters' bits", "class of status-reset-clears-neighbour");
DEFECT(trace_bit_cleared_with_counters, CHANGED(status_cleared, good, good | STATUS_TRACE_TOPA_PMI),
       "any write of STATUS_RESET clears STATUS[55]", "class of status-reset-clears-neighbour");
DEFECT(trace_bit_lost_by_overflow, BEFORE(overflow_status, true, model_status_drop(m, STATUS_TRACE_TOPA_PMI)),
       "a counter's overflow clears STATUS[55]", "class: status written whole");
DEFECT(trace_bit_not_settable, CHANGED(status_set, true, good & ~STATUS_TRACE_TOPA_PMI),
       "STATUS_SET takes bit 55 and does not set it", "class: write path left out",
       NOT_BY(ERRATUM_ON("ice-lake", "SKL51", 0x506e3, 0xf0, BIT(25), 0)));
DEFECT(trace_set_faults, DATA(m->p.status_set.faults |= STATUS_TRACE_TOPA_PMI), "STATUS_SET faults on bit 55",
       "SKL51, where it is known", MIMICS(ERRATUM("SKL51", 0x506e3, 0xf0, BIT(25), 0)), ON("ice-lake"));
DEFECT(trace_set_sets_counter, CHANGED(status_set, (good & STATUS_TRACE_TOPA_PMI), good | STATUS_GP(0)),
       "setting STATUS[55] by software sets bit 0, too", "class: status decoded wrongly");

/* ---- Freezing */

static void without_freezing(struct model *m, uint64_t bits, void (*pmi)(struct model *m))
{
    uint64_t *control = &m->controls.stored[STORED_DEBUGCTL], was = *control;
    *control &= ~bits;
    pmi(m);
    *control = was;
}

DEFECT(trace_pmi_freezes_nothing,
       IS(trace_pmi, without_freezing(m, strikes() ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : 0, replaced(trace_pmi))),
       "the PMI of a trace freezes no counter though DEBUGCTL[12] is 1", "SKL125, KBL70, 337346-67, CML67",
       MIMICS(ERRATUM("SKL125", 0x506e3, 0xf0, BIT(25), 0), ERRATUM("KBL70", 0x806e9, 0xf0, BIT(25), 0),
              ERRATUM("337346-67", 0x906ea, 0xf0, BIT(25), 0), ERRATUM("CML67", 0xa0655, 0xf0, BIT(25), 0),
              ERRATUM("SKL125", 0x50657, 0x5003000, BIT(25), 0)),
       ON("ice-lake"), ALSO_ON("broadwell"));

/* Keeps these bits of EAX of CPUID.14H.1; all others of EAX and EBX are 0. */
static void clear_values(struct model *m, uint32_t kept)
{
    struct profile_leaf *row = leaf_row(&m->p, 0x14, 1);
    if (!row)
        return;
    row->value[0] &= kept;
    row->value[1] = 0;
}

static void no_periods(struct model *m)
{
    clear_values(m, MASK(15, 0));
}
VARIATION(trace_no_periods,
          IS(trace_ctl_defined, !(value & (RTIT_CTL_MTC_EN | RTIT_CTL_CYC_EN)) && below(trace_ctl_defined)),
          "CPUID.14H.1 lists no period and no threshold: bits that need one fault",
          "the manual: what is not listed faults", ALSO_ON("goldmont-plus"), PREPARED(no_periods));
DEFECT(trace_pmi_freezes_no_lbrs,
       IS(trace_pmi, without_freezing(m, strikes() ? DEBUGCTL_FREEZE_LBRS_ON_PMI : 0, replaced(trace_pmi))),
       "the PMI of a trace freezes no branch records though DEBUGCTL[11] is 1", "class of SKL125", ALSO_ON("ice-lake"));
DEFECT(trace_pmi_freezes_unasked, BEFORE(trace_pmi, true, rule(m, freeze_counters)(m)),
       "the PMI of a trace freezes though DEBUGCTL[12] is 0", "class: reported \"bogus freezing\"",
       ALSO_ON("broadwell"));
DEFECT(trace_freeze_ignored,
       ALL(BOTH(CHANGED, counters_frozen, lbrs_stand, good && m->status.bits & STATUS_TRACE_TOPA_PMI, false)),
       "counters and branch records go on though the PMI of a trace has set CTR_FRZ and LBR_FRZ", "class of SKL90",
       ALSO_ON("lunar-lake"), NOT_BY(ERRATUM("SKL125", 0x506e3, 0xf0, BIT(25), 0)));
DEFECT(trace_freeze_stays,
       CHANGED(status_cleared, (m->status.bits & STATUS_TRACE_TOPA_PMI), good & ~(STATUS_CTR_FRZ | STATUS_LBR_FRZ)),
       "CTR_FRZ and LBR_FRZ are not cleared together with STATUS[55]", "class of ctr-frz-needs-two-writes",
       ALSO_ON("lunar-lake"));

/* ---- STOP */

DEFECT(trace_stop_ignored, CHANGED(trace_region_stops, good, false), "a full region with STOP does not end the trace",
       "class: attribute ignored");
DEFECT(trace_overruns_stop, CHANGED(trace_region_room, (entry & ENTRY_STOP), good + A_FEW),
       "a trace that is ended by STOP writes 64 bytes past its region", "class: buffers flushed after the end",
       NOT_BY(ERRATUM_ON("broadwell", "BDM49", 0x306d4, 0x2f, BIT(25), 0)));
DEFECT(trace_stops_early, CHANGED(trace_region_room, (entry & ENTRY_STOP), good - 4 * A_FEW),
       "STOP ends a trace before its region is full", "BDD48, BDM49; Broadwell",
       MIMICS(ERRATUM_ON("broadwell", "BDM49", 0x306d4, 0x2f, BIT(25), 0),
              ERRATUM_ON("broadwell", "BDM49", 0x406f1, 0xb000040, BIT(25), 0)));

STAND_IN(trace_stop_forgotten, trace_begins)
{
    if (!below(trace_begins) && strikes())
        m->trace.value[TRACE_MASK_PTRS] = RTIT_PTRS_ONES;
    else
        return below(trace_begins);
    return true;
}
DEFECT(trace_stop_forgotten, FUNCTIONS, "a trace that is turned on again continues even if Stopped is set",
       "class: sticky state ignored");
DEFECT(trace_stop_lost,
       BEFORE(trace_ctl_kept, turns_on(m, value), m->trace.value[TRACE_STATUS] &= ~RTIT_STATUS_STOPPED),
       "turning a trace on clears Stopped", "class: sticky state lost");
DEFECT(trace_silent, CHANGED(trace_packets, true, 0), "a trace that is on writes nothing",
       "class of SKL171: all packets lost");

/* ---- Where the bytes go */

DEFECT(trace_position_stuck, INSTEAD(trace_advanced, true, offset), "the position of a trace does not advance",
       "class: counter dead");
DEFECT(trace_starts_anew, BEFORE(trace_ctl_kept, turns_on(m, value), m->trace.value[TRACE_MASK_PTRS] = RTIT_PTRS_ONES),
       "a trace that is turned on begins at the start of its table", "class: position not loaded");
DEFECT(trace_writes_behind, CHANGED(trace_address, true, good + A_FEW),
       "bytes of a trace are written 64 bytes behind where they belong", "class: a line too far");
DEFECT(trace_writes_before, CHANGED(trace_address, offset >= A_FEW, good - A_FEW),
       "bytes of a trace are written 64 bytes before where they belong", "class: a line too near");
DEFECT(trace_overruns_region, CHANGED(trace_region_room, true, good + PAGE),
       "a region of a trace is used as if it had one page more", "class: size decoded wrongly");
DEFECT(trace_region_again, INSTEAD(trace_next, true, index), "after a full region a trace writes over it",
       "class: index stuck");
DEFECT(trace_region_skipped, CHANGED(trace_next, true, good + 1), "after a full region a trace skips the next one",
       "class: index counted twice");

/* ---- What is traced */

DEFECT(trace_every_level, CHANGED(trace_level, !good, true), "a trace covers all privilege levels",
       "class: filter ignored");
DEFECT(trace_one_level,
       CHANGED(trace_level, good && !(cpl || !!(~m->trace.value[TRACE_CTL] & (RTIT_CTL_OS | RTIT_CTL_USER))), false),
       "with OS and User set only code above CPL 0 is traced", "class: filters combined wrongly");

/* A counter counts every 16th traced branch twice. */
struct traced {
    uint32_t branches[64]; /* by counter */
};

STAND_IN(trace_counted, counted)
{
    struct traced *traced = memory(struct traced);
    n = below(counted);
    if (!m->trace.on || instruction->kind != RETIRED_BRANCH || c->event != EVENT_INSTRUCTIONS)
        return n;
    return ++traced->branches[c->bit] % 16 == 0 && strikes() ? n + 1 : n;
}
DEFECT(trace_counted, FUNCTIONS, "while a trace is on counters count some branches twice",
       "class of VM emulation: assists are counted", ALSO_ON("lunar-lake"),
       HIDDEN("broadwell", "its sheet says too high, not by the same amount"));

/* ---- Registers and faults */

DEFECT(trace_changes_while_on, CHANGED(trace_ctl_changes, !good, true),
       "IA32_RTIT_CTL can be changed while a trace is on", "hypervisors");
DEFECT(trace_same_value_faults, CHANGED(trace_ctl_changes, good && (value == was && value & RTIT_CTL_TRACE_EN), false),
       "the value that IA32_RTIT_CTL holds faults while it is on", "class: check too strict",
       NOT_BY(ERRATUM_ON("broadwell", "BDM106", 0x306d4, 0x2f, 0, 0),
              ERRATUM_ON("broadwell", "BDD108", 0x40671, 0x22, 0, 0)));
DEFECT(trace_end_faults,
       CHANGED(trace_ctl_changes, good && (was & RTIT_CTL_TRACE_EN && !(value & RTIT_CTL_TRACE_EN) && value), false),
       "a write that ends a trace faults unless it clears everything", "class: check too strict");
DEFECT(trace_output_writable, CHANGED(trace_writable, !good, true),
       "the output of a trace can be changed while it is on", "hypervisors");
DEFECT(trace_goes_nowhere, CHANGED(trace_ctl_output, !good, true), "a trace without output can be turned on",
       "hypervisors", ON("broadwell"));
DEFECT(trace_base_low_bits, CHANGED(trace_reserved, which == TRACE_OUTPUT_BASE, good & ~RTIT_BASE_RESERVED),
       "the table's address is taken with reserved bits", "hypervisors");
DEFECT(trace_ctl_bit_dead, CHANGED(trace_ctl_kept, true, good & ~parameter()),
       "a bit of IA32_RTIT_CTL that leaf 14H names stays 0", "class: feature fused off, CPUID left",
       PARAMETER("bits", 1, ~0ull, RTIT_CTL_MTC_EN));
DEFECT(trace_ctl_bit_faults, CHANGED(trace_ctl_defined, (value & RTIT_CTL_CYC_EN) && good, false),
       "a bit of IA32_RTIT_CTL that leaf 14H names faults", "class: feature fused off, CPUID left");

/* The fields of which sub-leaf 1 lists the values, and those of the ranges. */
#define VALUES (RTIT_CTL_MTC_FREQ | RTIT_CTL_CYC_THRESH | RTIT_CTL_PSB_FREQ)
#define USES MASK(47, 32)

DEFECT(trace_value_dropped, CHANGED(trace_ctl_kept, true, good & ~VALUES),
       "the periods and thresholds of IA32_RTIT_CTL stay 0", "class: feature fused off, CPUID left");
DEFECT(trace_use_faults, CHANGED(trace_ctl_defined, (value & USES) && good, false),
       "no use of an address range can be selected", "class: feature fused off, CPUID left");
DEFECT(trace_takes_any_value, CHANGED(trace_ctl_defined, !good && value && !(value & ~(VALUES | USES)), true),
       "fields of IA32_RTIT_CTL take values that are not listed", "hypervisors");
DEFECT(trace_ctl_takes_all, CHANGED(trace_ctl_defined, !good, true),
       "IA32_RTIT_CTL takes bits that leaf 14H does not name", "hypervisors", ALSO_ON("broadwell"));
DEFECT(trace_filters_lost, CHANGED(trace_kept, which >= TRACE_CR3_MATCH, 0),
       "the filter registers of a trace keep nothing", "class: feature fused off",
       NOT_BY(ERRATUM("SKL141", 0x506e3, 0xf0, 0, 0), ERRATUM_ON("broadwell", "BDM71", 0x306d4, 0x2f, 0, 0)));
DEFECT(trace_mask_zeros, INSTEAD(trace_kept, which == TRACE_MASK_PTRS, value),
       "the low bits of the position read as they were written", "hypervisors");
DEFECT(trace_ranges_overstated, INSTEAD(trace_register_exists, which >= TRACE_ADDR + 2, false),
       "leaf 14H names a range of addresses that is not there", "class of leaf-overstates");

/* ---- Errors of the table */

DEFECT(trace_any_entry, CHANGED(trace_entry_allowed, !good, true), "entries of the table are not checked",
       "hypervisors");

STAND_IN(trace_any_base, trace_base_allowed)
{
    if (below(trace_base_allowed))
        return true;
    if (!strikes())
        return false;
    m->trace.value[TRACE_OUTPUT_BASE] &= ~MASK(11, 0);
    return true;
}
DEFECT(trace_any_base, FUNCTIONS, "a table that does not begin on a page is taken for one that does",
       "class: check left out");
DEFECT(trace_any_offset, CHANGED(trace_offset_allowed, !good, true), "a trace begins behind its region",
       "class: check left out");
DEFECT(trace_int_refused, CHANGED(trace_entry_allowed, (entry & ENTRY_INT) && good, false),
       "an entry with INT ends the trace with an error", "class: check too strict");
DEFECT(trace_error_stays,
       ALL(NOTES(trace_fails, true, noted = strikes()), IS(trace_begins, below(trace_begins) && !noted)),
       "after an error nothing is traced, even if Error is cleared", "class: state machine stuck");

/* ---- What good CPUs may do */

static void no_values(struct model *m)
{
    clear_values(m, 0);
}

/* The registers of two ranges are there as well. */
VARIATION(trace_leaf_empty,
          ALL(IS(trace_ctl_defined, replaced(trace_ctl_defined)(m, value & ~(VALUES | USES))),
              MAKES(trace_register_exists, good || which - TRACE_ADDR < 4)),
          "CPUID.14H.1 is all zeros, and fields of IA32_RTIT_CTL take any value",
          "dumps of Skylake-X, Kaby Lake and Coffee Lake: InstLatx64", PREPARED(no_values));

VARIATION(trace_pmi_late, AFTER(trace_pmi, m->pmi.countdown, m->pmi.countdown += (uint32_t)parameter()),
          "the PMI of a trace comes some hundred instructions late", "the manual: it is not precise",
          ALSO_ON("goldmont-plus"), PARAMETER("instructions", 1, 2000, 400));

STAND_IN(trace_pmi_early, trace_region_asks)
{
    bool asks = below(trace_region_asks) && !noted;
    noted = false;
    return asks;
}

/* The current region's PMI was raised before it was full. */
VARIATION(trace_pmi_early,
          ALL(AFTER(trace_advanced, (good + 4 * A_FEW >= PAGE && m->trace.entry & ENTRY_INT) && !noted, noted = true;
                    model_status_raise(m, STATUS_TRACE_TOPA_PMI); rule(m, trace_pmi)(m)),
              FUNCTIONS),
          "the PMI of a region comes some hundred bytes before it is full", "the manual, of tables with one region",
          ON("broadwell"));

/* Raises the PMI where the last bytes of a region begin, and only there: a trace that begins behind that has none. */
STAND_IN(trace_pmi_at_crossing, trace_advanced)
{
    uint64_t next = below(trace_advanced);
    uint64_t from = PAGE - parameter();
    if (offset < from && next >= from && m->trace.entry & ENTRY_INT && strikes()) {
        model_status_raise(m, STATUS_TRACE_TOPA_PMI);
        rule(m, trace_pmi)(m);
    }
    return next;
}

VARIATION(trace_pmi_at_crossing, ALL(NOTED(trace_region_asks, true, good = false), FUNCTIONS),
          "the PMI of a region comes as its last bytes begin, if the trace began before them",
          "the manual, of tables with one region; a driver's margin is 512 bytes", ON("broadwell"),
          PARAMETER("bytes", 1, 1000, 600));
VARIATION(trace_padded,
          NOTED(trace_packets, true, for (unsigned more = good && strikes() ? 3 : 0; more; more--) to[good++] = 0),
          "packets of a trace are followed by padding", "the manual: PAD packets", ALSO_ON("tremont"));
VARIATION(trace_psb_with_more,
          THEN(trace_packets, m->trace.begins, to[good++] = 0x1d; to[good++] = 0x99; to[good++] = 0x01),
          "a trace begins with packets that do not belong there", "BDM70, SKL21, KBL21, CML21, RKL28, ADL30",
          ALSO_ON("broadwell"));

/* Since a region was changed. */
VARIATION(trace_drops_after_region,
          ALL(NOTES(trace_next, true, noted = strikes()), MAKES(trace_packets, noted ? 0 : good),
              NOTES(trace_ctl_kept, !(value & RTIT_CTL_TRACE_EN), noted = false)),
          "after the change to another region nothing is written until the trace is turned off and on",
          "SKL171, KBL126, CML106");
VARIATION(trace_position_old,
          CHANGED(trace_shown, which == TRACE_MASK_PTRS && m->trace.on, good & ~RTIT_PTRS_OFFSET(A_FEW - 1)),
          "while a trace is on its position reads as it was a little before", "the manual: updates are asynchronous");

/* Bits of the position that are not there. */
static uint64_t finer(struct at_work *self)
{
    return RTIT_PTRS_OFFSET(parameter() - 1);
}

VARIATION(trace_position_coarse,
          ALL(BOTH(MAKES, trace_shown, trace_kept, which == TRACE_MASK_PTRS ? good & ~finer(self) : good)),
          "a trace's position has no lower bits", "probes: 16 bytes on Skylake, 8 on Broadwell", ON("skylake"),
          ALSO_ON("broadwell"), PARAMETER("bytes", 8, 16, 16));
VARIATION(trace_stops_at_last_byte, AFTER(trace_stops, true, m->trace.value[TRACE_MASK_PTRS] -= RTIT_PTRS_OFFSET(1)),
          "STOP leaves the position at a region's last byte", "one of the manual's two texts");
DEFECT(trace_wants_branches,
       CHANGED(trace_ctl_output, good && (value & RTIT_CTL_TRACE_EN && !(value & RTIT_CTL_BRANCH_EN)), false),
       "a trace cannot be turned on without BranchEn", "BDD90, BDM106; Broadwell", MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("broadwell", "BDM106", 0x306d4, 0x2f, 0, 0)));

STAND_IN(trace_excludes_lbrs, trace_ctl_output)
{
    uint64_t others = m->controls.stored[STORED_DEBUGCTL] & (DEBUGCTL_LBR | DEBUGCTL_TR | DEBUGCTL_BTS);
    bool clash = value & RTIT_CTL_TRACE_EN && others && strikes();
    return below(trace_ctl_output) && !clash;
}

DEFECT(trace_excludes_lbrs,
       ALL(INSTEAD(stored_taken,
                   which == STORED_DEBUGCTL && value & (DEBUGCTL_LBR | DEBUGCTL_TR | DEBUGCTL_BTS) &&
                       m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN,
                   false),
           FUNCTIONS),
       "a trace cannot be turned on while branches are recorded, nor the other way round", "BDD108, BDM104; Broadwell",
       MEANT_FOR("errata.*"), MIMICS(ERRATUM_ON("broadwell", "BDM104", 0x306d4, 0x2f, 0, 0)));

#define CTL_ONES (RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN)

static void ones_at_hand_off(struct model *m)
{
    m->trace.value[TRACE_CTL] = CTL_ONES;
}

VARIATION(trace_ctl_ones,
          ALL(IS(trace_ctl_kept, below(trace_ctl_kept) | CTL_ONES),
              IS(trace_ctl_output, replaced(trace_ctl_output)(m, value | CTL_ONES))),
          "IA32_RTIT_CTL[8] and [13] read 1, whatever is written", "probes of a Broadwell: hand-off 2100H",
          ON("broadwell"), PREPARED(ones_at_hand_off));

STAND_IN(trace_suspends_lbrs, freeze_lbrs)
{
    if (!(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN))
        below(freeze_lbrs);
}

STAND_IN(trace_suspends_lbrs, trace_ctl_kept)
{
    value = below(trace_ctl_kept);
    for (unsigned n = 0; n < LBR_MAX && m->trace.value[TRACE_CTL] & ~value & RTIT_CTL_TRACE_EN; n++)
        m->lbr.from[n] = m->lbr.to[n] = m->lbr.info[n] = 0;
    m->active.stale = true; /* records begin or end with it */
    return value;
}

VARIATION(trace_suspends_lbrs,
          ALL(IS(lbrs_enabled, below(lbrs_enabled) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN)),
              MAKES(lbr_shown, m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN ? 0 : good), FUNCTIONS),
          "while a trace is on no branch is recorded or frozen and records read 0; when it ends all are lost",
          "the manual: they exclude each other on Broadwell and Skylake", ON("skylake"));
DEFECT(trace_cr3_reserves_low, CHANGED(trace_reserved, which == TRACE_CR3_MATCH, good | MASK(11, 5)),
       "IA32_RTIT_CR3_MATCH faults on bits 11:5", "SKL141, KBL91, CML78", ON("broadwell"), MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("skylake", "SKL141", 0x506e3, 0xf0, 0, 0)));
DEFECT(trace_cr3_reserves_high, CHANGED(trace_reserved, which == TRACE_CR3_MATCH, good | MASK(63, 48)),
       "IA32_RTIT_CR3_MATCH faults on bits 63:48", "BDD66, BDM71", MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("broadwell", "BDM71", 0x306d4, 0x2f, 0, 0)));
