/* Deviations that are other data, in this file: what exists, which writes are accepted, how clocks and interrupts run.
 */
#include "pmu/reference/model/model_state.h"

static void deviate_registers(struct model *m, struct profile *p)
{
    switch (m->deviation) {
    case DEV_UPPER_BITS_LOST:
        p->gp_width = 32;
        p->gp_drops_upper = true;
        break;
    case DEV_FIXED_UPPER_BITS_LOST:
        p->fixed_width = 32;
        p->fixed_drops_upper = true;
        break;
    case DEV_NO_FULL_WIDTH:
        p->perf_capabilities &= ~PERF_CAP_FULL_WIDTH;
        p->full_width = false;
        break;
    case DEV_FULL_WIDTH_CLAIMED_ABSENT:
        p->full_width = false;
        break;
    case DEV_DEBUGCTL_FREEZE_DROPPED:
        p->stored[STORED_DEBUGCTL].dropped |= DEBUGCTL_FREEZE_PERFMON_ON_PMI;
        break;
    case DEV_SMM_FREEZE_CLAIMED_ABSENT:
        p->stored[STORED_DEBUGCTL].dropped |= DEBUGCTL_FREEZE_WHILE_SMM;
        break;
    case DEV_STATUS_SET_63_NO_GP:
        p->status_set.faults &= ~STATUS_COND_CHGD;
        p->status_set.dropped |= STATUS_COND_CHGD;
        break;
    case DEV_STATUS_SET_55_GP:
        p->status_set.faults |= STATUS_TRACE_TOPA_PMI;
        break;
    case DEV_STATUS_SET_ABSENT:
        p->status_set.exists = false;
        break;
    case DEV_FIXED_UPPER_DROPPED:
        p->fixed_drops_upper = true;
        break;
    case DEV_GLOBAL_CTRL_ACCEPTS_RESERVED:
        p->stored[STORED_GLOBAL_CTRL].faults &= ~MASK(31, 16);
        break;
    case DEV_FIXED_CTRL_ACCEPTS_ABSENT:
        p->stored[STORED_FIXED_CTR_CTRL].faults &= ~MASK(31, 12);
        break;
    case DEV_GLOBAL_CTRL_ACCEPTS_MORE:
        p->stored[STORED_GLOBAL_CTRL].faults &= ~(MASK(7, 0) | GLOBAL_FIXED(3) | GLOBAL_METRICS);
        break;
    case DEV_NETBURST_PEBS_OF_THREAD:
        p->stored[STORED_PEBS_ENABLE].scope = p->stored[STORED_PEBS_DATA_CFG].scope = SCOPE_THREAD;
        break;
    }
}

static void deviate_evtsel(struct model *m, struct write_rule *rule)
{
    switch (m->deviation) {
    case DEV_EVTSEL_PC_DROPPED:
        rule->dropped |= EVTSEL_PC;
        rule->faults &= ~EVTSEL_PC;
        break;
    case DEV_EVTSEL_PC_KEPT:
        rule->faults &= ~EVTSEL_PC;
        break;
    case DEV_EVTSEL_ANY_FAULTS:
        rule->faults |= EVTSEL_ANY;
        break;
    case DEV_EVTSEL_ANY_DROPPED:
        rule->dropped |= EVTSEL_ANY;
        break;
    case DEV_EVTSEL_TSX_FAULTS:
        rule->faults |= EVTSEL_IN_TX | EVTSEL_IN_TXCP;
        m->p.evtsel2_accepts = 0;
        break;
    case DEV_EVTSEL_TSX_DROPPED:
        rule->dropped |= EVTSEL_IN_TX | EVTSEL_IN_TXCP;
        rule->faults &= ~(EVTSEL_IN_TX | EVTSEL_IN_TXCP);
        break;
    case DEV_EVTSEL_UPPER_DROPPED:
        rule->dropped |= MASK(63, 32);
        rule->faults &= ~MASK(63, 32);
        break;
    }
}

static void deviate_clocks(struct model *m, struct profile *p)
{
    switch (m->deviation) {
    case DEV_START_STOP_NONE:
        p->start_stop = COUNT_NEITHER;
        break;
    case DEV_START_STOP_BOTH:
        p->start_stop = COUNT_BOTH;
        break;
    case DEV_START_STOP_STOP:
        p->start_stop = COUNT_STOP;
        break;
    case DEV_REF_CYCLES_STEP:
        p->ref_step = 24;
        break;
    case DEV_REF_CYCLES_BOOT_RATIO:
        p->tsc_ratio = p->core_ratio;
        break;
    case DEV_SLOTS_HALVED:
        p->slots /= 2;
        break;
    case DEV_THROTTLED:
        p->throttled = true;
        p->stored[STORED_THERM_STATUS].reset |= THERM_PROCHOT | THERM_PROCHOT_LOG;
        p->stored[STORED_PACKAGE_THERM_STATUS].reset |= THERM_PROCHOT | THERM_PROCHOT_LOG;
        break;
    case DEV_LLC_ZERO:
        p->llc_reference_every = p->llc_miss_every = 0;
        break;
    case DEV_MISPREDICTS_ZERO:
        p->branch_miss_every = 0;
        break;
    case DEV_PEBS_RESIDUAL_LATE:
        p->pebs_residual = 400000;
        break;
    case DEV_PMI_IMMEDIATE:
        p->skid_min = 0;
        p->skid_spread = 1;
        break;
    case DEV_PMI_LATE:
        p->skid_min = 1;
        p->skid_spread = 500;
        break;
    }
}

void model_deviate_hardware(struct model *m)
{
    deviate_registers(m, &m->p);
    deviate_evtsel(m, &m->p.evtsel);
    deviate_clocks(m, &m->p);
}
