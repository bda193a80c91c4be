/* What deviations do between instructions: wait for an unmask, bring STATUS late, interrupt as firmware would. */
#include "pmu/reference/model/model_state.h"

#define SMI_PERIOD 10007
#define SMI_INSTRUCTIONS 500
#define FOREIGN_NMI_PERIOD 50021

/* A PMI raised while masked waits for the unmask; PMI_AT_UNMASK only as long as its STATUS bit stands. */
static void watch_held(struct model *m)
{
    if (m->deviation == DEV_PMI_AT_UNMASK && !(m->status & model_pmi_enabled(m)))
        m->held = false;
    if (!m->held || model_lvtpc_masked(m))
        return;
    m->held = false;
    model_pmi_deliver(m, false);
}

static void watch_echo(struct model *m)
{
    m->echo--;
    if (model_lvtpc_masked(m))
        return;
    m->echo = 0;
    model_pmi_deliver(m, false);
}

static void watch_late_status(struct model *m)
{
    if (--m->late_countdown)
        return;
    m->status |= m->late_status;
    m->late_status = 0;
}

static void smi(struct model *m, uint32_t instructions)
{
    static const struct retired plain = {.kind = RETIRED_PLAIN};
    uint64_t wrapped = 0;
    m->smi_count++;
    for (uint32_t i = 0; i < instructions; i++)
        wrapped |= model_count_instruction(m, &plain, m->active, m->active_count);
    if (wrapped)
        model_overflow(m, wrapped);
}

void model_watch(struct model *m, const struct retired *instruction)
{
    m->watched++;
    if (m->held)
        watch_held(m);
    if (m->echo)
        watch_echo(m);
    if (m->late_countdown)
        watch_late_status(m);
    if (instruction->kind == RETIRED_IRET)
        m->in_nmi = false;
    if (m->watched % SMI_PERIOD == 0 && deviates(m, DEV_SMI_DURING_BLOCKS))
        smi(m, 0);
    if (m->watched % SMI_PERIOD == 0 && deviates(m, DEV_SMI_COUNTED))
        smi(m, SMI_INSTRUCTIONS);
    if (m->watched % FOREIGN_NMI_PERIOD == 0 && deviates(m, DEV_FOREIGN_NMI))
        m->host.nmi(m->host.context);
}

bool model_waiting(const struct model *m)
{
    bool in_nmi = m->in_nmi && m->deviation == DEV_NMI_PMI_DROPPED_IN_NMI;
    return m->held || m->echo || m->late_countdown || in_nmi;
}
