/*
 * The performance-monitoring interrupt: raised by an overflow, which may freeze the counters, and
 * delivered a few instructions later through the local APIC's LVT entry, which masks itself. SDM 3A, "Local Vector
 * Table"; SDM 3B, "Freezing LBR and Performance Counters on PMI".
 */
#include "pmu/reference/model/model_state.h"

#define ECHO_INSTRUCTIONS 400
#define LATE_INSTRUCTIONS 500
#define VERY_LATE_INSTRUCTIONS 20000

bool model_lvtpc_masked(struct model *m)
{
    return m->host.lvtpc_read(m->host.context) & LVTPC_MASKED;
}

/*
 * How many instructions later it arrives: no constant on silicon, hence a pattern over the profile's range. After a REP
 * string instruction, which ends in microcode, it comes soonest; after a branch, which refills the front end first, in
 * the range's upper half.
 */
static uint32_t skid(struct model *m)
{
    uint32_t mixed = ++m->overflows * 2654435761u >> 16, spread = m->p.skid_spread, half = spread / 2;
    uint32_t late = m->overflows % 8 == 0 && deviates(m, DEV_PMI_LATE_BY_MICROSECONDS) ? LATE_INSTRUCTIONS : 0;
    if (m->overflowing == RETIRED_REP_STRING)
        return late + m->p.skid_min;
    if (is_branch(m->overflowing))
        return late + m->p.skid_min + half + mixed % (spread - half);
    return late + m->p.skid_min + mixed % spread;
}

/* A PMI meets a masked entry: it is gone, but for those that remember it. */
static bool stopped_by_mask(struct model *m)
{
    if (!model_lvtpc_masked(m) || deviates(m, DEV_DELIVERED_WHILE_MASKED))
        return false;
    m->held = deviates(m, DEV_PMI_AT_UNMASK) || deviates(m, DEV_MASKED_PMI_KEPT);
    return true;
}

void model_pmi_raise(struct model *m)
{
    if (deviates(m, DEV_PMI_LOST) || (m->pmi_seen && deviates(m, DEV_PMI_ONLY_ONCE)))
        return;
    if (!deviates(m, DEV_FREEZE_AT_DELIVERY))
        model_freeze(m);
    if ((m->in_nmi && deviates(m, DEV_NMI_PMI_DROPPED_IN_NMI)) || stopped_by_mask(m))
        return;
    if (m->pmi_countdown)
        return;
    m->pmi_countdown = 1 + skid(m);
    m->lvtpc_at_raise = m->host.lvtpc_read(m->host.context);
}

/* The entry was changed while the PMI was on its way. */
static bool passes_rewritten(struct model *m)
{
    uint32_t now = m->host.lvtpc_read(m->host.context);
    return now != m->lvtpc_at_raise && deviates(m, DEV_LVT_REWRITE_DELIVERS_ON_NEW_VECTOR);
}

void model_pmi_pass(struct model *m, bool halted)
{
    m->pmi_countdown = halted ? 0 : m->pmi_countdown - 1; /* time passes in HLT, instructions do not */
    if (m->pmi_countdown || (halted && deviates(m, DEV_PMI_LOST_IN_C6)))
        return;
    if (passes_rewritten(m) || !stopped_by_mask(m))
        model_pmi_deliver(m, true);
}

/* To another CPU: true if there is one and the host can reach it. */
static bool send_to_next(struct model *m, uint8_t vector, bool nmi)
{
    if (m->cpus < 2 || !m->host.interrupt_other)
        return false;
    m->host.interrupt_other(m->host.context, (m->cpu + 1) % m->cpus, vector, nmi);
    return true;
}

/* An NMI, too, is held by neither IF nor TPR. */
static void send_fixed(struct model *m, uint8_t vector)
{
    if (!deviates(m, DEV_PMI_IGNORES_IF_AND_TPR))
        m->host.interrupt(m->host.context, vector);
    else if (m->host.interrupt_forced)
        m->host.interrupt_forced(m->host.context, vector);
    else
        m->host.nmi(m->host.context);
}

static void send(struct model *m, uint8_t vector, bool nmi)
{
    if (deviates(m, DEV_PMI_TO_SIBLING) && send_to_next(m, vector, nmi))
        return;
    if (deviates(m, DEV_PMI_ALSO_TO_SIBLING))
        send_to_next(m, vector, nmi);
    m->interrupted = 2;
    if (nmi) {
        m->in_nmi = true;
        m->host.nmi(m->host.context);
    } else if (vector >= 16) { /* below: an illegal vector, which the APIC refuses */
        send_fixed(m, vector);
    }
}

/* The entry as it is after delivery. */
static uint32_t after_delivery(struct model *m, uint32_t lvtpc, bool nmi)
{
    if (deviates(m, DEV_LVTPC_NOT_MASKED) || (nmi && deviates(m, DEV_NMI_LEAVES_LVTPC_UNMASKED)))
        return lvtpc;
    if (deviates(m, DEV_LVTPC_VECTOR_LOST))
        lvtpc &= ~(uint32_t)LVTPC_VECTOR;
    return lvtpc | (uint32_t)LVTPC_MASKED;
}

/* Will a second PMI follow for nothing? */
static bool comes_twice(struct model *m)
{
    bool freezes = m->stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if ((m->last_wrapped & STATUS_FIXED(2)) && deviates(m, DEV_TWO_PMIS_FIXED2))
        return true;
    if ((m->last_wrapped & STATUS_FIXED(0)) && freezes && deviates(m, DEV_TWO_PMIS_FIXED0_FREEZE))
        return true;
    return deviates(m, DEV_PMI_EMPTY_SECOND);
}

void model_pmi_deliver(struct model *m, bool echo)
{
    uint32_t lvtpc = m->host.lvtpc_read(m->host.context);
    bool nmi = (lvtpc & LVTPC_DELIVERY) == LVTPC_NMI;
    uint8_t vector = lvtpc & LVTPC_VECTOR;
    if (!nmi && (lvtpc & LVTPC_DELIVERY) != LVTPC_FIXED)
        return; /* SMI and the rest reach nobody here */
    m->host.lvtpc_write(m->host.context, after_delivery(m, lvtpc, nmi));
    if (deviates(m, DEV_FREEZE_AT_DELIVERY))
        model_freeze(m);
    bool first = !m->pmi_seen;
    m->pmi_seen = true;
    if (first && m->host.machine_check && deviates(m, DEV_MACHINE_CHECK_IN_TEST)) {
        m->host.machine_check(m->host.context);
        return;
    }
    if (echo && comes_twice(m))
        m->echo = ECHO_INSTRUCTIONS;
    if (echo && !m->echo && deviates(m, DEV_PMI_VERY_LATE))
        m->echo = VERY_LATE_INSTRUCTIONS;
    m->held |= deviates(m, DEV_PMI_REPEATS_UNTIL_STATUS_CLEAR) || deviates(m, DEV_ZERO_COUNTER_RETRIGGERS);
    if (deviates(m, DEV_PMI_CLEARS_STATUS))
        m->status &= STATUS_CTR_FRZ | STATUS_LBR_FRZ;
    if (nmi && deviates(m, DEV_NMI_PMI_LOST))
        return;
    if (deviates(m, DEV_PMI_WRONG_VECTOR))
        vector ^= 1;
    send(m, vector, nmi);
}
