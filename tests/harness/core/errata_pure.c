/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/errata.h"
#include "harness/core/errata_entries.h"
#include "kernel/text/string.h"
#include "pmu/cpu/class.h"
#include "pmu/registers.h"

const struct erratum_sheet erratum_sheets[ERRATUM_SHEETS] = {
#define SHEET(name, document, product, ...) [SHEET_##name] = {SHEET_CPUS(__VA_ARGS__)},
#define FACT(...)
#define OTHER(...)
#include "harness/core/errata_facts.def"
#undef SHEET
#undef FACT
#undef OTHER
};

const struct erratum_fact erratum_facts[ERRATUM_FACTS] = {
#define SHEET(...)
#define FACT(name, of, what, when, ...) [FACT_##name] = {.area = #of, __VA_ARGS__},
#define OTHER(...)
#include "harness/core/errata_facts.def"
#undef SHEET
#undef FACT
#undef OTHER
};

const struct erratum_other erratum_others[] = {
#define SHEET(...)
#define FACT(...)
#define OTHER(of, what, when, why, details, ...) {why, {.area = #of, __VA_ARGS__}},
#include "harness/core/errata_facts.def"
#undef SHEET
#undef FACT
#undef OTHER
};
const unsigned erratum_other_count = ARRAY_SIZE(erratum_others);

/* For errata without a published bound: miscounts are of a few instructions in a hundred, so a filter that leaks a
 * whole block is not covered. Neither is a constant difference in all repeats: the sheets speak of counts that differ
 * between runs. */
#define INEXACT_MOST 16
#define INEXACT_LONG 64 /* per thousand */
/* Where a sheet says that something is counted too often, and not how often: it is provoked four times, and may count
 * five times each. */
#define PROBED_RUNS 4
#define PROBED_NOTHING (6 * PROBED_RUNS) /* all instructions of the run */
#define PROBED_MOST (4 * PROBED_RUNS)
/* Instructions in a "brief period", which has no published bound: far fewer than a block of two thousand. */
#define BRIEF_MOST 500
#define OVERFLOW_BITS (MASK(31, 0) | MASK(47, 32))

const struct erratum_excuse erratum_excuses[] = {
    {FACT_INCONSISTENT, ASPECT_INSTRUCTIONS, {.most = INEXACT_MOST, .unsteady = true}},
    {FACT_INCONSISTENT, ASPECT_LONG_COUNT, {.most = INEXACT_LONG, .unsteady = true}},
    {FACT_INACCURATE, ASPECT_INSTRUCTIONS, {.most = INEXACT_MOST, .less = true}},
    {FACT_INACCURATE, ASPECT_LONG_COUNT, {.most = INEXACT_LONG, .less = true}},
    /* Tests of exact counts start in the order that avoids it; users of Linux have seen it in that order too. */
    {FACT_START_OVERCOUNT, ASPECT_INSTRUCTIONS, {0}},
    {FACT_BRANCH_OVERCOUNT, ASPECT_BRANCHES, {.most = INEXACT_MOST}},
    /* Includes failures in words: a PMI that should come does not. */
    {FACT_NO_USR, ASPECT_USR_ALONE, {.less = true, .words = true}},
    {FACT_ASTRAY, ASPECT_OWN_EVENTS, {0}},
    {FACT_IRET, ASPECT_IRET, {.most = PROBED_MOST}},
    {FACT_CALL_NEXT, ASPECT_CALL_NEXT, {.most = PROBED_RUNS}},
    {FACT_FAR_BRANCHES, ASPECT_FAR_BRANCHES, {.most = PROBED_MOST}},
    {FACT_FAR_INSTRUCTIONS, ASPECT_FAR_INSTRUCTIONS, {.most = PROBED_MOST}},
    {FACT_FAR_KIND, ASPECT_FAR_KIND, {.most = PROBED_MOST}},
    {FACT_NEAR_KINDS, ASPECT_NEAR_KINDS, {.most = PROBED_MOST}},
    {FACT_INVERTED, ASPECT_INVERTED, {0}},
    {FACT_ANY_THREAD, ASPECT_ANY_THREAD, {0}},
    {FACT_ANY_IN_RING, ASPECT_ANY_IN_RING, {0}},
    /* Other instructions, and those of the run may each be counted once. */
    {FACT_SIMD, ASPECT_SIMD, {.most = PROBED_NOTHING}},
    {FACT_MISALIGNED, ASPECT_MISALIGNED, {.most = PROBED_NOTHING}},
    {FACT_STORES, ASPECT_STORES, {.most = PROBED_NOTHING}},
    {FACT_EPT_MISSES, ASPECT_EPT_MISSES, {.most = PROBED_NOTHING}},
    {FACT_PREFETCH_HITS, ASPECT_PREFETCH_HITS, {.most = PROBED_NOTHING}},
    {FACT_STRINGS, ASPECT_STRINGS, {.most = 2 * PROBED_MOST}},
    {FACT_RING_ENTRY, ASPECT_RING_ENTRY, {.most = BRIEF_MOST, .less = true}},
    {FACT_CORRUPT, ASPECT_COUNTER_VALUE, {.written = MASK(31, 1)}},
    {FACT_READS_WRONG, ASPECT_EVENT_SELECT, {0}},
    {FACT_FOREIGN, ASPECT_IN_USE, {.bits = INUSE_GP(3)}},
    {FACT_FOREIGN, ASPECT_CONTROL_SEEN, {.msr = MSR_PERFEVTSEL(3)}},
    /* A bit that stays set shows wherever it should be 0, not only in the test that caused it. */
    {FACT_STUCK, ASPECT_STATUS_BIT, {.bits = OVERFLOW_BITS, .beside_stop = true}},
    {FACT_DROPPED, ASPECT_FIXED_OVERFLOW, {0}},
    {FACT_WRITE_RAISES, ASPECT_WRITE_SILENT, {.most = 1}},
    {FACT_NEW_VECTOR, ASPECT_MASKED_VECTOR, {0}},
    {FACT_SMI_CLEARS, ASPECT_FREEZE_ENABLE, {.cleared = DEBUGCTL_FREEZE_PERFMON_ON_PMI, .after_smi = true}},
    {FACT_TRACE_UNFROZEN, ASPECT_TRACE_FREEZE, {0}},
    {FACT_TRACE_SET, ASPECT_TRACE_SET, {0}},
    {FACT_TRACE_STOPS, ASPECT_TRACE_WHOLE, {.less = true}},
    {FACT_CR3_LOW, ASPECT_CR3_LOW, {.msr = MSR_RTIT_CR3_MATCH}},
    {FACT_CR3_HIGH, ASPECT_CR3_HIGH, {.msr = MSR_RTIT_CR3_MATCH}},
    {FACT_WANTS_BRANCHES, ASPECT_TRACE_ALONE, {.msr = MSR_RTIT_CTL}},
    {FACT_TRACE_EXCLUDES, ASPECT_TRACE_BESIDE, {0}},
    {FACT_TRACE_HIDES, ASPECT_RECORDS_TRACED, {0}},
    {FACT_FROZEN_4_7, ASPECT_STAYS_FROZEN, {0}},
    {FACT_UNFROZEN, ASPECT_FREEZE | ASPECT_STAYS_FROZEN, {0}},
    {FACT_ALL_RINGS, ASPECT_SAMPLED_LEVEL, {.more = true, .words = true}},
    {FACT_ONE_LATE, ASPECT_THRESHOLD_PMI, {0}},
    {FACT_NO_BUFFER_BIT, ASPECT_BUFFER_BIT, {0}},
    {FACT_PMI_WHEN_FULL, ASPECT_FULL_BUFFER, {.more = true}},
    {FACT_REDUNDANT, ASPECT_ODD_PERIOD, {.more = true}},
    {FACT_AFTER_DISABLE, ASPECT_DISABLED_RECORDS, {0}},
    /* Such a record counts among those of the next set-up; a lost record is a different failure. */
    {FACT_AFTER_DISABLE, ASPECT_EACH_RECORD, {.most = 1}},
    {FACT_LATENCY_STOPS, ASPECT_LATENCY, {.words = true}},
    {FACT_REDUNDANT_BY_CYCLES, ASPECT_CYCLES_RECORD, {.more = true}},
    /* Includes records of other code. */
    {FACT_SHORT_PRECISE, ASPECT_SHORT_PRECISE, {.more = true, .words = true}},
    {FACT_LOAD_SIGN, ASPECT_LOAD_SIGN, {.cleared = MASK(63, 48)}},
    {FACT_GUEST_LVTPC_OPEN, ASPECT_PMI_MASKS, {0}},
    /* The counter stands still, but counts alone: low counts, and failures with the others off, are not covered. */
    {FACT_GUEST_COUNTER_HELD, ASPECT_ALL_AT_ONCE, {.nothing = true}},
    {FACT_GUEST_FREEZE_REFUSED, ASPECT_ANSWERS, {0}},
    {FACT_GUEST_STATUS_SET, ASPECT_ANSWERS, {0}},
    {FACT_GUEST_INUSE, ASPECT_ANSWERS, {0}},
    /* VM exits come at random: the same surplus in each repeat is not caused by the hypervisor. */
    {FACT_GUEST_COUNTS_HOST, ASPECT_INSTRUCTIONS | ASPECT_LONG_COUNT | ASPECT_BRANCHES, {.unsteady = true}},
};
const unsigned erratum_excuse_count = ARRAY_SIZE(erratum_excuses);

/* A hypervisor's name is compared as a whole; the CPU that it shows does not matter to its sheet. */
static bool is_one(const struct erratum_cpus *cpus, const struct pmu_caps *caps)
{
    if (cpus->hypervisor)
        return !strcmp(caps->hypervisor_name, cpus->hypervisor);
    return (caps->signature & cpus->mask) == cpus->signature &&
           (!cpus->core_type || (cpus->core_type == caps->core_type && cpus->native_model == caps->native_model));
}

static bool concerns(const struct erratum_sheet *sheet, const struct pmu_caps *caps, bool core)
{
    for (const struct erratum_cpus *cpus = sheet->cpus; cpus->mask || cpus->hypervisor; cpus++)
        if (cpus->core == core && is_one(cpus, caps))
            return true;
    return false;
}

bool erratum_fixed(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    for (const struct erratum_fix *fix = fact->fixed; fix && fix->signature; fix++)
        if (fix->signature == caps->signature)
            return caps->microcode >= fix->microcode;
    return false;
}

bool erratum_in_state(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    return caps->version >= fact->shown_from && (!fact->eight_counters || caps->gp_count == 8) &&
           (!fact->smt || class_may_share_core(caps)) && (!fact->counter_held || caps->counter_held) &&
           (!fact->tsx_takes_pmc3 || (caps->rtm && caps->tsx_takes_pmc3));
}

static const char *listed(const struct erratum_fact *fact, const struct pmu_caps *caps, bool core)
{
    for (const struct erratum_number *number = fact->numbers; caps->intel && number->id; number++)
        if (concerns(&erratum_sheets[number->sheet], caps, core))
            return number->id;
    return NULL;
}

const char *erratum_listed(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    const char *own = listed(fact, caps, false);
    return own ? own : listed(fact, caps, true);
}

/*
 * Sheets that were read in full, in revisions of the last years of these CPUs: what they do not list no CPU of theirs
 * is known for. Excerpts, citations and early revisions tell only what they list.
 */
static const enum erratum_sheet_id whole[] = {SHEET_AAJ, SHEET_AAT, SHEET_BJ,  SHEET_BK,  SHEET_BV,
                                              SHEET_BU,  SHEET_HSD, SHEET_HSM, SHEET_BDD, SHEET_BDM,
                                              SHEET_SKL, SHEET_KBL, SHEET_CFL, SHEET_CML};

bool erratum_all_told(const struct pmu_caps *caps)
{
    for_each_row (whole, sheet)
        if (caps->intel && concerns(&erratum_sheets[*sheet], caps, false))
            return true;
    return false;
}

bool erratum_told(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    return erratum_listed(fact, caps) || erratum_all_told(caps);
}

const char *erratum_number(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    return erratum_fixed(fact, caps) || !erratum_in_state(fact, caps) ? NULL : erratum_listed(fact, caps);
}

/* Is it a register of a GP counter from this one on? Each counter has three. */
static bool of_counter(u32 msr, u32 from)
{
    static const u32 first[] = {MSR_PERFEVTSEL(0), MSR_PMC(0), MSR_A_PMC(0)};
    for_each_row (first, base)
        if (msr >= *base + from && msr < *base + GP_COUNTERS_MAX)
            return true;
    return false;
}

/* Either of two runs may have been counted too low, so their difference is wrong now and then, in either direction. */
static bool too_low(const struct symptom *symptom)
{
    return symptom->difference ? symptom->less || !symptom->steady : symptom->less && !symptom->more;
}

/* Bounds in numbers: for counters, registers and other values. */
static bool within_values(const struct erratum_bound *bound, const struct symptom *symptom)
{
    u64 bits = bound->beside_stop ? bound->bits & symptom->beside_stop : bound->bits;
    return (!bound->most || symptom->distance <= bound->most) && (!bound->more || !symptom->less) &&
           (!bound->less || too_low(symptom)) &&
           (!bound->cleared || (!symptom->set && !(symptom->clear & ~bound->cleared))) &&
           (!bound->bits || (!symptom->clear && !(symptom->set & ~bits))) && !(bound->written & ~symptom->wanted);
}

static bool has_values(const struct erratum_bound *bound)
{
    return bound->most || bound->more || bound->less || bound->cleared || bound->bits || bound->written;
}

/* The sheet's conditions on the check itself and on the run around it. */
static bool within_place(const struct erratum_bound *bound, const struct symptom *symptom)
{
    return (!bound->msr || symptom->msr == bound->msr) &&
           (!bound->gp_from || of_counter(symptom->msr, bound->gp_from)) && (!bound->after_smi || symptom->smi) &&
           (!bound->beside_stop || symptom->beside_stop);
}

static bool within(const struct erratum_bound *bound, const struct symptom *symptom)
{
    return within_place(bound, symptom) && (!bound->unsteady || !symptom->steady) &&
           (!bound->nothing || symptom->nothing) &&
           (symptom->in_words ? bound->words || !has_values(bound) : within_values(bound, symptom));
}

static bool asks(const struct erratum_excuse *row, const struct symptom *symptom)
{
    return (symptom->aspects & row->aspects) && within_place(&erratum_facts[row->fact].bound, symptom) &&
           within_place(&row->bound, symptom);
}

static bool excuses(const struct erratum_excuse *row, const struct symptom *symptom)
{
    return (symptom->aspects & row->aspects) && within(&erratum_facts[row->fact].bound, symptom) &&
           within(&row->bound, symptom);
}

bool erratum_asked(enum erratum_fact_id fact, const struct symptom *symptom)
{
    for_each_row (erratum_excuses, row)
        if (row->fact == fact && asks(row, symptom))
            return true;
    return false;
}

bool erratum_explains(enum erratum_fact_id fact, const struct symptom *symptom)
{
    for_each_row (erratum_excuses, row)
        if (row->fact == fact && excuses(row, symptom))
            return true;
    return false;
}

bool erratum_may_excuse(const struct pmu_caps *caps, u64 aspects)
{
    for_each_row (erratum_excuses, row)
        if ((aspects & row->aspects) && erratum_number(&erratum_facts[row->fact], caps))
            return true;
    return false;
}

const char *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom)
{
    for_each_row (erratum_excuses, row) {
        const char *number = erratum_number(&erratum_facts[row->fact], caps);
        if (number && excuses(row, symptom))
            return number;
    }
    return NULL;
}
