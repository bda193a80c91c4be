/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of pmumodel_lab.h: deviations, and what a second instance in lockstep needs. */
#include "reference/library/instance.h"

#define SAME(name, own) _Static_assert((int)PMUMODEL_LAB_##name == (int)(own), "the header's number of " #name)
SAME(DEFECT, KIND_DEFECT);
SAME(VARIATION, KIND_VARIATION);
SAME(HAZARD, KIND_HAZARD);
SAME(NO_COUNTER, MODEL_NO_COUNTER);
SAME(RULES_MOST, MODEL_RULES_MOST);
_Static_assert(sizeof(struct pmumodel_lab_reached) == sizeof(struct model_reached), "the same struct");

/* ---- Deviations */

static const struct deviation *own(const struct pmumodel_lab_deviation *deviation)
{
    return (const struct deviation *)(const void *)deviation;
}

static const struct pmumodel_lab_deviation *shown(const struct deviation *deviation)
{
    return (const struct pmumodel_lab_deviation *)(const void *)deviation;
}

const struct pmumodel_lab_deviation *pmumodel_lab_deviation(const char *name)
{
    int n = deviation_find(name);
    return n < 0 ? NULL : shown(deviations[n]);
}

const struct pmumodel_lab_deviation *pmumodel_lab_deviation_at(unsigned n)
{
    return n < deviation_count ? shown(deviations[n]) : NULL;
}

const char *pmumodel_lab_deviation_name(const struct pmumodel_lab_deviation *deviation)
{
    return own(deviation)->name;
}

enum pmumodel_lab_kind pmumodel_lab_deviation_kind(const struct pmumodel_lab_deviation *deviation)
{
    return (enum pmumodel_lab_kind)own(deviation)->kind;
}

const char *pmumodel_lab_deviation_what(const struct pmumodel_lab_deviation *deviation)
{
    return own(deviation)->what;
}

const char *pmumodel_lab_deviation_source(const struct pmumodel_lab_deviation *deviation)
{
    return own(deviation)->source;
}

const char *pmumodel_lab_deviation_profile(const struct pmumodel_lab_deviation *deviation)
{
    return own(deviation)->profile;
}

/* ---- An instance for a laboratory */

const char *pmumodel_lab_rule_name(unsigned number)
{
    return model_rule_name(number);
}

/* Can the deviation be shown at that place alone? */
static bool place_exists(const struct pmumodel_lab *lab)
{
    if (!lab->counter && !lab->rings)
        return true;
    return lab->deviation && lab->counter <= 64 && lab->rings <= 2 &&
           deviation_narrows(own(lab->deviation), lab->counter, lab->rings);
}

enum pmumodel_error pmumodel_lab_reset(struct pmumodel *pmu, const struct pmumodel_setup *setup,
                                       const struct pmumodel_host *host, const struct pmumodel_lab *lab)
{
    enum pmumodel_error error = library_take(&pmu->lab, lab, sizeof(pmu->lab), offsetof(struct pmumodel_lab, also));
    if (error)
        return error;
    if (!place_exists(&pmu->lab))
        return PMUMODEL_NO_DEVIATION;
    pmu->deviating = (struct deviating){
        .deviation = own(pmu->lab.deviation),
        .also = own(pmu->lab.also),
        .rate = pmu->lab.rate,
        .parameter = pmu->lab.parameter,
        .place = {.counter = pmu->lab.counter, .rings = pmu->lab.rings, .cpu = pmu->lab.cpu, .from = pmu->lab.from},
    };
    pmu->deviates = pmu->lab.deviation || pmu->lab.also;
    return library_reset(pmu, setup, host);
}

bool pmumodel_lab_never_returns(struct pmumodel *pmu, uint32_t msr, bool write)
{
    return model_never_returns(&pmu->model, msr, write);
}

/* ---- Lockstep */

void pmumodel_lab_take_over(struct pmumodel *to, const struct pmumodel *from)
{
    model_take_over(&to->model, &from->model);
}

bool pmumodel_lab_may_differ(const struct pmumodel *one, const struct pmumodel *other,
                             const struct pmumodel_lab_reached *reached)
{
    return model_may_differ(&one->model, &other->model, (const struct model_reached *)(const void *)reached);
}

bool pmumodel_lab_pmi_on_its_way(const struct pmumodel *pmu)
{
    return model_pmi_on_its_way(&pmu->model);
}

void pmumodel_lab_pmi_arrives(struct pmumodel *pmu)
{
    model_pmi_arrives(&pmu->model);
}

bool pmumodel_lab_arrival_shows(const struct pmumodel *pmu)
{
    return model_arrival_shows(&pmu->model);
}

uint64_t pmumodel_lab_near_overflow(const struct pmumodel *pmu, uint64_t counts)
{
    return model_near_overflow(&pmu->model, counts);
}

void pmumodel_lab_counted_more(struct pmumodel *pmu, uint8_t bit, uint64_t counts)
{
    model_counted_more(&pmu->model, bit, counts);
}
