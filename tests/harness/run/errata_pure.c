#include "harness/run/errata.h"
#include "pmu/registers.h"

/* A signature without its stepping, and a whole one; of a hybrid CPU its Crestmont cores only,
 * Atoms (20H) of native model 2. */
#define MODEL(of)                             \
    {                                         \
        .signature = (of), .mask = 0x0fff0ff0 \
    }
#define STEPPING(of)                          \
    {                                         \
        .signature = (of), .mask = 0x0fff0fff \
    }
#define CRESTMONT(of)                                                               \
    {                                                                               \
        .signature = (of), .mask = 0x0fff0ff0, .core_type = 0x20, .native_model = 2 \
    }

const struct erratum_sheet erratum_sheets[ERRATUM_SHEETS] = {
#define SHEET(name, number, of, ...) [SHEET_##name] = {.document = (number), .product = (of), .cpus = {__VA_ARGS__}},
#define FACT(...)
#include "harness/run/errata_facts.def"
#undef SHEET
#undef FACT
};

#define IN(sheet, number)     \
    {                         \
        SHEET_##sheet, number \
    }
#define NUMBERS(...) .numbers = {__VA_ARGS__}
#define FIXED(...) .fixed = {__VA_ARGS__}

const struct erratum_fact erratum_facts[ERRATUM_FACTS] = {
#define SHEET(...)
#define FACT(name, does, ...) [FACT_##name] = {.what = (does), __VA_ARGS__},
#include "harness/run/errata_facts.def"
#undef SHEET
#undef FACT
};

/* What an erratum excuses: checks that ask one of these aspects and fail within its bound, and within this one. */
struct excuse {
    enum erratum_fact_id fact;
    u32 aspects;
    struct erratum_bound bound;
};

/* Where no bound is published: miscounts are of a few instructions in a hundred; a filter that leaks a whole block is
 * none of them. */
#define INEXACT_MOST 16
#define OVERFLOW_BITS (MASK(31, 0) | MASK(47, 32))

/*
 * Only what tests can run into: errata of instructions that no counted block contains (REP, VMASKMOV, far
 * transfers, IRET, TSX), and of what is measured only, excuse nothing.
 */
static const struct excuse excuses[] = {
    {FACT_INCONSISTENT, ASPECT_INSTRUCTIONS, {.most = INEXACT_MOST}},
    {FACT_INACCURATE, ASPECT_INSTRUCTIONS, {.most = INEXACT_MOST}},
    /* Exact counts are of starts in the order that avoids it; users of Linux have met it in that order, too. */
    {FACT_START_OVERCOUNT, ASPECT_INSTRUCTIONS, {0}},
    {FACT_BRANCH_OVERCOUNT, ASPECT_BRANCHES, {.most = INEXACT_MOST}},
    {FACT_NO_USR, ASPECT_USR_ALONE, {0}},
    {FACT_ASTRAY, ASPECT_OWN_EVENTS, {0}},
    {FACT_CORRUPT, ASPECT_COUNTER_VALUE, {0}},
    {FACT_READS_WRONG, ASPECT_EVENT_SELECT, {0}},
    {FACT_FOREIGN, ASPECT_IN_USE, {.bits = INUSE_GP(3)}},
    {FACT_FOREIGN, ASPECT_CONTROL_SEEN, {.msr = MSR_PERFEVTSEL(3)}},
    /* A bit that stays shows wherever it should be 0, not only in the test that made it stay. */
    {FACT_STUCK, ASPECT_STATUS_BIT, {.bits = OVERFLOW_BITS}},
    {FACT_DROPPED, ASPECT_FIXED_OVERFLOW, {0}},
    {FACT_LOST_IN_C6, ASPECT_PMI_IN_HALT, {0}},
    {FACT_NEW_VECTOR, ASPECT_MASKED_VECTOR, {0}},
    {FACT_SMI_CLEARS, ASPECT_FREEZE_ENABLE, {0}},
    {FACT_FROZEN_4_7, ASPECT_STAYS_FROZEN, {0}},
    {FACT_UNFROZEN, ASPECT_FREEZE | ASPECT_STAYS_FROZEN, {0}},
    {FACT_ALL_RINGS, ASPECT_SAMPLED_LEVEL, {0}},
    {FACT_ONE_LATE, ASPECT_THRESHOLD_PMI, {0}},
    {FACT_NO_BUFFER_BIT, ASPECT_BUFFER_BIT, {0}},
    {FACT_PMI_WHEN_FULL, ASPECT_FULL_BUFFER, {0}},
    {FACT_REDUNDANT, ASPECT_ODD_PERIOD, {0}},
    {FACT_AFTER_DISABLE, ASPECT_DISABLED_RECORDS, {0}},
    /* Such a record is counted with those of the next set-up; one that is lost is another failure. */
    {FACT_AFTER_DISABLE, ASPECT_EACH_RECORD, {.most = 1}},
};

static bool concerns(const struct erratum_sheet *sheet, const struct pmu_caps *caps)
{
    for_each_row (sheet->cpus, cpus)
        if (cpus->mask && (caps->signature & cpus->mask) == cpus->signature &&
            (!cpus->core_type || (cpus->core_type == caps->core_type && cpus->native_model == caps->native_model)))
            return true;
    return false;
}

static bool fixed(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    for_each_row (fact->fixed, fix)
        if (fix->signature && fix->signature == caps->signature)
            return caps->microcode >= fix->microcode;
    return false;
}

static bool shows(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    return !fixed(fact, caps) && (!fact->eight_counters || caps->gp_count == 8) &&
           (!fact->smt || caps->threads_per_core != 1) && (!fact->rtm || caps->rtm);
}

const char *erratum_number(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    if (!caps->intel || !shows(fact, caps))
        return NULL;
    for_each_row (fact->numbers, number)
        if (number->id && concerns(&erratum_sheets[number->sheet], caps))
            return number->id;
    return NULL;
}

/* Is it the register of a GP counter from this one on? Each has three. */
static bool of_counter(u32 msr, u32 from)
{
    static const u32 first[] = {MSR_PERFEVTSEL(0), MSR_PMC(0), MSR_A_PMC(0)};
    for_each_row (first, base)
        if (msr >= *base + from && msr < *base + GP_COUNTERS_MAX)
            return true;
    return false;
}

static bool within(const struct erratum_bound *bound, const struct symptom *symptom)
{
    return (!bound->msr || symptom->msr == bound->msr) &&
           (!bound->gp_from || of_counter(symptom->msr, bound->gp_from)) &&
           (symptom->in_words ||
            ((!bound->most || symptom->distance <= bound->most) && (!bound->more || !symptom->less) &&
             (!bound->bits || (!symptom->clear && !(symptom->set & ~bound->bits)))));
}

const char *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom)
{
    for_each_row (excuses, row) {
        const struct erratum_fact *fact = &erratum_facts[row->fact];
        const char *number = erratum_number(fact, caps);
        if (number && (symptom->aspects & row->aspects) && within(&fact->bound, symptom) &&
            within(&row->bound, symptom))
            return number;
    }
    return NULL;
}
