/*
 * The state at hand-off: the profile's reset values, changed by the deviation where that is one of data.
 *
 * There is no INIT, which would leave the counters as they are and clear IA32_PEBS_ENABLE and IA32_DS_AREA (SDM 3B,
 * "DS Save Area"): a CPU that gets one leaves the monitor, and comes back by a reset of its model. No test asks for it,
 * either: what INIT leaves may not be judged, and it is dangerous on a machine that was started with trusted execution.
 */
#include "pmu/reference/model/model_state.h"

uint64_t model_size(void)
{
    return sizeof(struct model);
}

/* The first half of a hybrid's CPUs are of the first kind; a single CPU is. */
static const struct profile *kind_of(const struct model_setup *setup)
{
    const struct profile *p = setup->profile;
    bool second_half = setup->cpu && 2 * setup->cpu >= setup->cpus;
    return p->second && second_half ? p->second : p;
}

void model_reset(struct model *m, const struct model_setup *setup, const struct model_host *host)
{
    *m = (struct model){
        .p = *kind_of(setup),
        .host = *host,
        .deviation = setup->deviation,
        .rate = setup->rate ? setup->rate : 1,
        .cpu = setup->cpu,
        .cpus = setup->cpus,
        .watching = setup->deviation >= 0,
        .counts_differ = model_counts_differ(setup->deviation),
        .random = 1 + setup->cpu,
        .magic_left = 7,
    };
    if (setup->with_erratum)
        model_show_erratum(m, setup->with_erratum);
    model_deviate_data(m);
    for (unsigned i = 0; i < STORED_COUNT; i++)
        m->stored[i] = m->p.stored[i].reset;
    m->status = m->p.status;
    if (m->p.gp_count) { /* NetBurst has none */
        m->evtsel[m->p.gp_count - 1] = m->p.last_evtsel;
        m->pmc[m->p.gp_count - 1] = m->p.last_pmc;
    }
    if (m->p.lvtpc)
        m->host.lvtpc_write(m->host.context, m->p.lvtpc);
    model_core_join(m, setup->core);
    model_gather_active(m);
}
