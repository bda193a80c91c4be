/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the PMI: when it is raised, what LVTPC does with it, and where it goes. */
#define CHAPTERS "pmi.*,freeze.*,overflow.*,pebs.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Raising */

DEFECT(pmi_lost, LOST(pmi_raise, true), "no PMI is raised", "AAJ113 class", ALSO_ON("sandy-bridge", "lunar-lake"),
       INTERMITTENT);
DEFECT(pmi_lost_now_and_then, LOST(pmi_raise, ++noted % parameter() == 0), "every 3rd PMI is not raised",
       "AAJ113 class", PARAMETER("one in", 2, 1000000, 3), MEANT_FOR("pmi.*"));

/* Whether a PMI has been delivered since the reset. */
DEFECT(pmi_only_once, ALL(LOST(pmi_raise, !(!noted)), NOTES(pmi_send, true, noted = true)),
       "after the first PMI since reset none follows", "class of a missing re-arm");
VARIATION(freeze_at_delivery, ALL(LOST(pmi_raised, true), BEFORE(pmi_delivered, true, model_freeze(m))),
          "counters freeze when the PMI is delivered, not when it is raised", "no manual says",
          ALSO_ON("sapphire-rapids", "goldmont-plus"));

/* Between a PMI as an NMI and its IRET. */
DEFECT(nmi_pmi_dropped_in_nmi,
       ALL(INSTEAD(pmi_enters, noted, false), NOTES(pmi_send, true, noted |= nmi),
           NOTED(after_instruction, instruction->kind == RETIRED_IRET, noted = false),
           IS(waiting, noted || below(waiting))),
       "an overflow inside the NMI handler raises nothing", "class: NMI latch of depth 0");
DEFECT(lvtpc_open_after_cpl_3, INSTEAD(lvtpc_after_delivery, caused_by_user(m), lvtpc),
       "the PMI of an overflow at CPL 3 leaves LVTPC open", "class: one of two ways into the handler",
       MEANT_FOR("pmi.*"));

/* ---- On its way */

VARIATION(pmi_late_by_microseconds, CHANGED(pmi_skid, m->pmi.raised % 8 == 0, good + (uint32_t)parameter()),
          "every 8th PMI comes 500 instructions later than the rest", "class: SMM or a microcode flow",
          ALSO_ON("lunar-lake"), PARAMETER("instructions", 1, 100000, 500));
DEFECT(pmi_late_by_5000, CHANGED(pmi_skid, true, good + (uint32_t)parameter()),
       "each PMI comes 5000 instructions later than it should", "class: a request that waits for a timer",
       PARAMETER("instructions", 1, 1000000, 5000), MEANT_FOR("pmi.*"));
DEFECT(pmi_lost_in_c6, LOST(pmi_arrives, halted), "a PMI that is on its way when the CPU halts is lost",
       "AAJ113, AAJ134, but for a halt that goes no deeper than C1; Nehalem");

/* Notes the value of LVTPC. */
STAND_IN(lvt_rewrite_delivers_on_new_vector, pmi_arrives)
{
    uint32_t was = noted;
    if (model_lvtpc(m) != was && strikes())
        model_pmi_deliver(m);
    else
        below(pmi_arrives);
}
DEFECT(lvt_rewrite_delivers_on_new_vector, ALL(NOTES(pmi_starts, true, noted = model_lvtpc(m)), FUNCTIONS),
       "a PMI that is on its way while LVTPC is rewritten is delivered by the new entry, even if masked",
       "AAJ35; Nehalem", MIMICS(ERRATUM("AAJ35", 0x106a5, 0x19, 0, 0)));

/* ---- LVTPC */

DEFECT(delivered_while_masked, CHANGED(pmi_meets_mask, good, false), "LVTPC's mask bit is ignored", "class; AAJ35",
       NOT_BY(ERRATUM("AAJ35", 0x106a5, 0x19, 0, 0)));
DEFECT(delivered_masked_beside_others, CHANGED(pmi_meets_mask, good && m->active.count > 1, false),
       "LVTPC's mask bit is ignored while several counters count", "class of delivered-while-masked",
       MEANT_FOR("pmi.masked"), ALSO_ON("silvermont"));
DEFECT(lvtpc_open_beside_others, INSTEAD(lvtpc_after_delivery, m->active.count > 1, lvtpc),
       "a PMI leaves LVTPC unmasked while several counters count", "class of lvtpc-not-masked",
       MEANT_FOR("pmi.mask-set"), ALSO_ON("silvermont"));
DEFECT(lvtpc_not_masked, INSTEAD(lvtpc_after_delivery, true, lvtpc), "a PMI leaves LVTPC unmasked",
       "KVM before a16eb25b09c0; AMD", INTERMITTENT);
DEFECT(nmi_leaves_lvtpc_unmasked, INSTEAD(lvtpc_after_delivery, nmi, lvtpc), "an NMI PMI leaves LVTPC unmasked",
       "class of lvtpc-not-masked");

/* The ring in which the last instruction ended. */
DEFECT(lvtpc_not_masked_at_cpl_3,
       ALL(NOTED(after_instruction, true, noted = instruction->cpl_after), IS(each_matters, true),
           INSTEAD(lvtpc_after_delivery, noted, lvtpc)),
       "a PMI that interrupts code at CPL 3 leaves LVTPC unmasked", "class of lvtpc-not-masked", MEANT_FOR("pmi.*"));
DEFECT(lvtpc_vector_lost, BEFORE(lvtpc_after_delivery, true, lvtpc &= ~(uint32_t)LVT_VECTOR_MASK),
       "delivery clears LVTPC's vector while setting the mask", "class: wrong merge");
DEFECT(nmi_clears_delivery, CHANGED(lvtpc_after_delivery, nmi, good & ~(uint32_t)LVT_DELIVERY_MASK),
       "an NMI PMI clears LVTPC's delivery mode while setting the mask", "class: wrong merge", MEANT_FOR("pmi.*"));

/* ---- Sending */

DEFECT(pmi_clears_status, BEFORE(pmi_send, true, m->status.bits &= STATUS_CTR_FRZ | STATUS_LBR_FRZ),
       "delivery clears the overflow bits", "class: acknowledged by hardware");
DEFECT(nmi_pmi_lost, LOST(pmi_send, nmi), "with NMI delivery no PMI arrives", "class", ALSO_ON("lunar-lake"));
DEFECT(pmi_wrong_vector, IS(pmi_send, replaced(pmi_send)(m, vector ^ (strikes() ? 1 : 0), nmi)),
       "the PMI comes at LVTPC's vector with bit 0 inverted", "class");

/* Without interrupt_forced() it becomes an NMI, which ignores IF and TPR, too. */
STAND_IN(pmi_ignores_if_and_tpr, pmi_send_fixed)
{
    if (!strikes())
        below(pmi_send_fixed);
    else if (m->host.interrupt_forced)
        m->host.interrupt_forced(m->host.context, vector);
    else
        m->host.nmi(m->host.context);
}
DEFECT(pmi_ignores_if_and_tpr, FUNCTIONS, "a fixed PMI is held neither by IF nor by TPR",
       "class: delivered past the APIC's arbiter");

/* Sends the PMI to the next CPU: true if there is one and the host can reach it. */
static bool send_to_next(struct model *m, uint8_t vector, bool nmi)
{
    if (m->cpus < 2 || !m->host.interrupt_other)
        return false;
    m->host.interrupt_other(m->host.context, (m->cpu + 1) % m->cpus, vector, nmi);
    return true;
}

STAND_IN(pmi_to_sibling, pmi_send)
{
    if (!strikes() || !send_to_next(m, vector, nmi))
        below(pmi_send);
}
DEFECT(pmi_to_sibling, FUNCTIONS, "the next CPU gets the PMI instead", "class: AnyThread routing", INTERMITTENT);
DEFECT(pmi_also_to_sibling, BEFORE(pmi_send, true, send_to_next(m, vector, nmi)), "the next CPU gets the PMI as well",
       "class: AnyThread routing", ALSO_ON("ice-lake"));

/*
 * The threads of a core have one latch for requests, which is free again when the thread whose PMI it holds next starts
 * counters. Both use the first place of the values that threads hand over.
 */
static uint32_t *latch(struct model *m)
{
    return &m->sharing.beside->handed[0][0];
}

/* Does the other thread hold it? If not, this one does from now on. */
static bool held_by_other(struct model *m)
{
    uint32_t own = 1 + m->cpu % 2, holder = 0;
    return !__atomic_compare_exchange_n(latch(m), &holder, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) &&
           holder != own;
}

static void set_free(struct model *m)
{
    uint32_t own = 1 + m->cpu % 2;
    __atomic_compare_exchange_n(latch(m), &own, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

DEFECT(pmi_lost_beside_another, ALL(LOST(pmi_raise, held_by_other(m)), NOTES(counting_changed, started, set_free(m))),
       "a PMI is lost if the core's other thread has had one and has not started counters since",
       "class: one latch for both threads", MEANT_FOR("pmi.in-step"), ALSO_ON("sapphire-rapids", "nehalem"),
       PREPARED(deviation_with_threads));
DEFECT(later_fixed_pmi_lost_beside_another,
       ALL(LOST(pmi_raise, held_by_other(m) && !comes_as_nmi(m) && !(m->status.bits & STATUS_GP(0))),
           NOTES(counting_changed, started, set_free(m))),
       "likewise, but no NMI, and no PMI of the first counter", "class: one latch for both threads, and a way around",
       MEANT_FOR("pmi.in-step"), PREPARED(deviation_with_threads));

STAND_IN(machine_check_in_test, pmi_send)
{
    bool first = !noted;
    noted = true;
    if (first && m->host.machine_check && strikes())
        m->host.machine_check(m->host.context);
    else
        below(pmi_send);
}
HAZARD(machine_check_in_test, FUNCTIONS, "the first PMI brings a machine check instead", "a failing core");

/* ---- Counters are stopped while a PMI is on its way. */

STAND_IN(stop_swallows_next_pmi, pmi_starts)
{
    bool swallowed = noted && strikes();
    noted = 0;
    if (!swallowed)
        below(pmi_starts);
}
DEFECT(stop_swallows_next_pmi, ALL(NOTES(counting_changed, stopped && (model_pmi_on_its_way(m)), noted = 1), FUNCTIONS),
       "counters that are stopped while a PMI is on its way raise none at the next overflow",
       "class: a request that is taken for one still to come", ALSO_ON("silvermont", "lunar-lake"));

STAND_IN(stopped_pmi_comes_at_start, counting_changed)
{
    if (stopped && model_pmi_on_its_way(m))
        noted = stopped & m->status.bits;
    bool again = (started & noted) && strikes();
    below(counting_changed);
    if (!again)
        return;
    m->status.bits |= started & noted;
    noted = 0;
    rule(m, pmi_raise)(m);
}
DEFECT(stopped_pmi_comes_at_start, FUNCTIONS,
       "an overflow whose PMI was on its way when its counter stopped raises another when the counter is started again",
       "class: an event that is kept for later", ALSO_ON("silvermont", "lunar-lake"));
