/* The table of errata, and what a CPU that has one shows of itself. */
#include "pmu/reference/model/model_state.h"

const struct model_erratum model_errata[] = {
#define ERRATUM(defect, name, signature, microcode, leaf7_ebx, threads) \
    {DEV_##defect, name, signature, microcode, leaf7_ebx, threads, NULL},
#define ERRATUM_ON(defect, profile, name, signature, microcode, leaf7_ebx, threads) \
    {DEV_##defect, name, signature, microcode, leaf7_ebx, threads, profile},
#include "pmu/reference/model/errata.def"
#undef ERRATUM
#undef ERRATUM_ON
};
const unsigned model_erratum_count = ARRAY_SIZE(model_errata);

void model_show_erratum(struct model *m, const struct model_erratum *erratum)
{
    m->p.signature = erratum->signature;
    m->p.microcode = erratum->microcode;
    m->p.leaf7_ebx |= erratum->leaf7_ebx;
    m->threads_shown = erratum->threads;
}
