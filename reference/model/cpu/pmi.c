/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The performance-monitoring interrupt: raised by an overflow, which may freeze the counters, and
 * delivered a few instructions later through the local APIC's LVT entry, which masks itself. SDM 3A, "Local Vector
 * Table"; SDM 3B, "Freezing LBR and Performance Counters on PMI".
 */
#include "reference/model/model_state.h"

uint32_t model_lvtpc(struct model *m)
{
    return m->host.lvtpc_read(m->host.context);
}

bool model_lvtpc_masked(struct model *m)
{
    return model_lvtpc(m) & LVT_MASKED;
}

/*
 * How many instructions later it arrives: not constant on silicon, so a pattern over the profile's range. After a REP
 * string instruction, which ends in microcode, it comes soonest; after a branch, which first refills the front end, in
 * the upper half of the range.
 */
uint32_t good_pmi_skid(struct model *m)
{
    uint32_t mixed = ++m->pmi.raised * 2654435761u >> 16, spread = m->p.skid_spread, half = spread / 2;
    if (m->pmi.cause == RETIRED_REP_STRING)
        return m->p.skid_min;
    if (is_branch(m->pmi.cause))
        return m->p.skid_min + half + mixed % (spread - half);
    return m->p.skid_min + mixed % spread;
}

/* A PMI that finds the entry masked is lost: unmasking does not bring it back. SDM 3A, "Local Vector Table". */
bool good_pmi_meets_mask(struct model *m)
{
    return model_lvtpc_masked(m);
}

/* A PMI is on its way from the overflow on if the entry is not masked then. */
bool good_pmi_enters(struct model *m)
{
    return !rule(m, pmi_meets_mask)(m);
}

/* The freeze takes effect when the PMI is raised, not when it is delivered. SDM 3B, "Freezing LBR and Performance
 * Counters on PMI". */
void good_pmi_raised(struct model *m)
{
    model_freeze(m);
}

/* A PMI is delivered some instructions later. */
void good_pmi_starts(struct model *m)
{
    m->pmi.countdown = 1 + rule(m, pmi_skid)(m);
}

void model_pmi_cause(struct model *m, const struct retired *instruction)
{
    m->pmi.cause = instruction->kind;
    m->pmi.cause_cpl = instruction->cpl;
}

/* While a PMI is on its way, another one merges with it. */
void good_pmi_raise(struct model *m)
{
    rule(m, pmi_raised)(m);
    if (rule(m, pmi_enters)(m) && !m->pmi.countdown)
        rule(m, pmi_starts)(m);
}

/* If the entry was masked meanwhile, the PMI is lost as if raised while masked. It ends HLT. */
void good_pmi_arrives(struct model *m, bool halted)
{
    (void)halted;
    if (!rule(m, pmi_meets_mask)(m))
        model_pmi_deliver(m);
}

void model_pmi_pass(struct model *m, bool halted)
{
    if (m->pmi.told)
        return;
    m->pmi.countdown = halted ? 0 : m->pmi.countdown - 1; /* time passes in HLT, instructions do not */
    if (!m->pmi.countdown)
        rule(m, pmi_arrives)(m, halted);
}

bool model_arrival_shows(const struct model *m)
{
    return m->rules.pmi_delivered != good_pmi_delivered;
}

bool model_pmi_on_its_way(const struct model *m)
{
    return m->pmi.countdown;
}

void model_pmi_arrives(struct model *m)
{
    if (!m->pmi.countdown)
        return;
    m->pmi.countdown = 0;
    rule(m, pmi_arrives)(m, false);
    if (m->active.stale)
        model_settle(m);
}

/* Fixed delivery waits for IF and for the task priority. SDM 3A, "Interrupt Acceptance for Fixed Interrupts". */
void good_pmi_send_fixed(struct model *m, uint8_t vector)
{
    m->host.interrupt(m->host.context, vector);
}

/* A PMI goes to this CPU. A vector below 16 is illegal, and the APIC refuses it. SDM 3A, "Valid Interrupt Vectors". */
void good_pmi_send(struct model *m, uint8_t vector, bool nmi)
{
    if (nmi)
        m->host.nmi(m->host.context);
    else if (vector >= 16)
        rule(m, pmi_send_fixed)(m, vector);
}

/* Delivery masks the entry, so that no second PMI comes before software is ready. SDM 3A, "Local Vector Table". */
uint32_t good_lvtpc_after_delivery(struct model *m, uint32_t lvtpc, bool nmi)
{
    (void)m, (void)nmi;
    return lvtpc | (uint32_t)LVT_MASKED;
}

/* Delivery changes nothing in the PMU. */
void good_pmi_delivered(struct model *m)
{
    (void)m;
}

void model_pmi_deliver(struct model *m)
{
    uint32_t lvtpc = model_lvtpc(m);
    bool nmi = (lvtpc & LVT_DELIVERY_MASK) == LVT_DELIVERY_NMI;
    if (!nmi && (lvtpc & LVT_DELIVERY_MASK) != LVT_DELIVERY_FIXED)
        return; /* SMI and other modes reach nobody here */
    m->host.lvtpc_write(m->host.context, rule(m, lvtpc_after_delivery)(m, lvtpc, nmi));
    rule(m, pmi_delivered)(m);
    rule(m, pmi_send)(m, lvtpc & LVT_VECTOR_MASK, nmi);
}
