/*
 * System management interrupts: they are counted in MSR 34H, take time, may count what they execute, and on some
 * machines change what the PMU's user has set. DEBUGCTL[14] stops the counters meanwhile. SDM 3C, "System Management
 * Mode"; SDM 3B, "FREEZE_WHILE_SMM".
 */
#include "pmu/reference/model/model_state.h"

#define SMI_TICKS 100000 /* of the TSC: tens of microseconds */
#define AGENT_EVENT (ARCH_EVENT_LLC_MISS | EVTSEL_OS | EVTSEL_USR)

static void count_inside(struct model *m, uint32_t instructions)
{
    static const struct retired plain = {.kind = RETIRED_PLAIN};
    uint64_t wrapped = 0;
    if (m->stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_WHILE_SMM)
        return;
    for (uint32_t i = 0; i < instructions; i++)
        wrapped |= model_count_instruction(m, &plain, m->active, m->active_count);
    if (wrapped)
        model_overflow(m, wrapped);
}

/* Firmware takes back what it holds to be its own. */
static void reclaim(struct model *m)
{
    if (m->p.gp_count && deviates(m, DEV_SMM_AGENT_RECLAIMS)) {
        m->evtsel[0] = AGENT_EVENT;
        m->pmc[0] = 0;
    }
    if (deviates(m, DEV_FIRMWARE_COUNTER_IMMOVABLE)) {
        m->stored[STORED_FIXED_CTR_CTRL] |= FIXED_OS(1) | FIXED_USR(1);
        m->stored[STORED_GLOBAL_CTRL] |= GLOBAL_FIXED(1);
    }
    model_gather_active(m);
}

void model_smi(struct model *m, uint32_t instructions)
{
    m->smi_count++;
    if (m->host.stall)
        m->host.stall(m->host.context, SMI_TICKS);
    count_inside(m, instructions);
    if (deviates(m, DEV_FREEZE_BIT_CLEARED_BY_SMI))
        m->stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if (deviates(m, DEV_CONDCHGD_STICKY))
        m->status |= STATUS_COND_CHGD;
    reclaim(m);
}
