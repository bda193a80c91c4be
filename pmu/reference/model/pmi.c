/*
 * The performance-monitoring interrupt: raised by an overflow, which may freeze the counters, and
 * delivered a few instructions later through the local APIC's LVT entry, which masks itself. SDM 3A, "Local Vector
 * Table"; SDM 3B, "Freezing LBR and Performance Counters on PMI".
 */
#include "pmu/reference/model/model_state.h"

#define ECHO_INSTRUCTIONS 400

bool model_lvtpc_masked(struct model *m)
{
    return m->host.lvtpc_read(m->host.context) & LVTPC_MASKED;
}

/* How many instructions later it arrives: no constant on silicon, hence a pattern over the range. */
static uint32_t skid(struct model *m)
{
    uint32_t mixed = ++m->overflows * 2654435761u >> 16;
    return m->p.skid_min + mixed % m->p.skid_spread;
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
    if (!m->pmi_countdown)
        m->pmi_countdown = 1 + skid(m);
}

void model_pmi_pass(struct model *m, bool halted)
{
    m->pmi_countdown = halted ? 0 : m->pmi_countdown - 1; /* time passes in HLT, instructions do not */
    if (!m->pmi_countdown && !stopped_by_mask(m))
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
    if (echo && deviates(m, DEV_PMI_EMPTY_SECOND))
        m->echo = ECHO_INSTRUCTIONS;
    if (deviates(m, DEV_PMI_CLEARS_STATUS))
        m->status &= STATUS_CTR_FRZ | STATUS_LBR_FRZ;
    if (nmi && deviates(m, DEV_NMI_PMI_LOST))
        return;
    if (deviates(m, DEV_PMI_WRONG_VECTOR))
        vector ^= 1;
    send(m, vector, nmi);
}
