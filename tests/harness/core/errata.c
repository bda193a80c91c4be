/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/errata.h"
#include "harness/core/errata_entries.h"
#include "kernel/text/text.h"
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
    return fact->mended && caps->guest.host_kernel >= fact->mended;
}

bool erratum_in_state(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    return caps->version >= fact->shown_from && (!fact->eight_counters || caps->gp_count == 8) &&
           (!fact->smt || class_may_share_core(caps)) && (!fact->counter_held || caps->guest.counter_held) &&
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

bool erratum_sheet_complete(const struct pmu_caps *caps)
{
    for_each_row (whole, sheet)
        if (caps->intel && concerns(&erratum_sheets[*sheet], caps, false))
            return true;
    return false;
}

bool erratum_documented(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    return erratum_listed(fact, caps) || erratum_sheet_complete(caps);
}

static bool of_hypervisor(const struct erratum_fact *fact)
{
    return erratum_sheets[fact->numbers->sheet].cpus->hypervisor;
}

const char *erratum_number(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    bool unexcused = caps->guest.strict && of_hypervisor(fact);
    return unexcused || erratum_fixed(fact, caps) || !erratum_in_state(fact, caps) ? NULL : erratum_listed(fact, caps);
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

bool erratum_would_show(enum erratum_fact_id fact, const struct symptom *symptom)
{
    const struct erratum_fact *row = &erratum_facts[fact];
    for_each_excuse (row, excuse)
        if ((symptom->aspects & excuse->aspects) && within_place(&row->bound, symptom) &&
            within_place(&excuse->bound, symptom))
            return true;
    return false;
}

bool erratum_explains(enum erratum_fact_id fact, const struct symptom *symptom)
{
    const struct erratum_fact *row = &erratum_facts[fact];
    for_each_excuse (row, excuse)
        if ((symptom->aspects & excuse->aspects) && within(&row->bound, symptom) && within(&excuse->bound, symptom))
            return true;
    return false;
}

static bool may_excuse(const struct erratum_fact *row, u64 aspects)
{
    for_each_excuse (row, excuse)
        if (aspects & excuse->aspects)
            return true;
    return false;
}

bool erratum_may_excuse(const struct pmu_caps *caps, u64 aspects)
{
    for_each_row (erratum_facts, row)
        if (may_excuse(row, aspects) && erratum_number(row, caps))
            return true;
    return false;
}

const char *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom)
{
    for (unsigned fact = 0; fact < ERRATUM_FACTS; fact++) {
        const char *number = erratum_explains(fact, symptom) ? erratum_number(&erratum_facts[fact], caps) : NULL;
        if (number)
            return number;
    }
    return NULL;
}
