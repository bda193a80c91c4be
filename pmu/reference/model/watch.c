/* What deviations do between instructions: wait for an unmask, bring STATUS late, interrupt as firmware would. */
#include "pmu/reference/model/model_state.h"

#define SMI_PERIOD 40009
#define SMI_PERIOD_STORM 97
#define SMI_INSTRUCTIONS 500
#define FOREIGN_PERIOD 50021
#define FOREIGN_EVENT 0x1d2

/* STATUS bits that ask for a PMI, and of those the ones whose counter is 0. */
static uint64_t still_asking(const struct model *m)
{
    return m->status & model_pmi_enabled(m);
}

static uint64_t asking_at_zero(const struct model *m)
{
    uint64_t asking = still_asking(m), zero = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        zero |= m->pmc[n] ? 0 : STATUS_GP(n);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        zero |= m->fixed[i] ? 0 : STATUS_FIXED(i);
    return asking & zero;
}

static bool goes_on_asking(const struct model *m)
{
    if (m->deviation == DEV_PMI_AT_UNMASK || m->deviation == DEV_PMI_REPEATS_UNTIL_STATUS_CLEAR)
        return still_asking(m);
    if (m->deviation == DEV_ZERO_COUNTER_RETRIGGERS)
        return asking_at_zero(m);
    return true;
}

/* A PMI raised while masked, or a repeated one, waits for the unmask; most only as long as the STATUS bit stands. */
static void watch_held(struct model *m)
{
    m->held = goes_on_asking(m);
    if (!m->held || model_lvtpc_masked(m))
        return;
    m->held = false;
    model_pmi_deliver(m, false);
}

static void watch_echo(struct model *m)
{
    m->echo--;
    if (m->deviation == DEV_PMI_VERY_LATE ? m->echo : model_lvtpc_masked(m))
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
    model_gather_active(m);
}

static void watch_countdowns(struct model *m)
{
    if (m->held)
        watch_held(m);
    if (m->echo)
        watch_echo(m);
    if (m->late_countdown)
        watch_late_status(m);
    m->interrupted -= m->interrupted ? 1 : 0;
    if (m->wrapped_age && !--m->wrapped_age)
        m->just_wrapped = 0;
}

/* How often SMIs come: 0, never. Those that count what they execute are one of the kinds. */
static uint32_t smi_period(const struct model *m)
{
    switch (m->deviation) {
    case DEV_SMI_DURING_BLOCKS:
    case DEV_SMI_COUNTED:
    case DEV_FREEZE_BIT_CLEARED_BY_SMI:
    case DEV_CONDCHGD_STICKY:
    case DEV_SMM_AGENT_RECLAIMS:
    case DEV_FIRMWARE_COUNTER_IMMOVABLE:
        return SMI_PERIOD;
    case DEV_SMI_DURING_EVERY_BLOCK:
        return SMI_PERIOD_STORM;
    }
    return 0;
}

/* Microcode that uses the fourth counter for itself. */
static void take_fourth_counter(struct model *m)
{
    m->evtsel[3] = FOREIGN_EVENT | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN;
    m->pmc[3] = 0;
    m->stored[STORED_GLOBAL_CTRL] |= GLOBAL_GP(3);
    model_gather_active(m);
}

void model_watch(struct model *m, const struct retired *instruction)
{
    uint32_t period = smi_period(m);
    m->watched++;
    watch_countdowns(m);
    if (instruction->kind == RETIRED_IRET)
        m->in_nmi = false;
    if (period && m->watched % period == 0)
        model_smi(m, m->deviation == DEV_SMI_COUNTED ? SMI_INSTRUCTIONS : 0);
    if (m->watched % FOREIGN_PERIOD == 0 && deviates(m, DEV_FOREIGN_NMI))
        m->host.nmi(m->host.context);
    if (m->watched % FOREIGN_PERIOD == 0 && m->p.gp_count > 3 && deviates(m, DEV_PERFEVTSEL3_FOREIGN))
        take_fourth_counter(m);
}

bool model_watches_each(const struct model *m)
{
    bool foreign = m->deviation == DEV_FOREIGN_NMI || m->deviation == DEV_PERFEVTSEL3_FOREIGN;
    return foreign || smi_period(m) || m->held || m->echo || m->late_countdown || m->interrupted || m->wrapped_age;
}

bool model_waiting(const struct model *m)
{
    bool in_nmi = m->in_nmi && m->deviation == DEV_NMI_PMI_DROPPED_IN_NMI;
    return m->held || m->echo || m->late_countdown || in_nmi;
}
