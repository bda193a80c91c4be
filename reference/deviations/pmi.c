/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the PMI: when it is raised, what LVTPC does with it, and where it goes. */
#define CHAPTERS "pmi.*,freeze.*,overflow.*,pebs.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Raising */

static void lost(struct model *m)
{
    if (!strikes(m, PMI_LOST))
        replaced(m, PMI_LOST, pmi_raise)(m);
}
DEFECT(PMI_LOST, "pmi-lost", "no PMI is raised", "AAJ113 class", ALSO_ON("sandy-bridge", "lunar-lake"), INTERMITTENT,
       STANDS_IN(FOR(pmi_raise, lost)));

struct number {
    uint64_t raised;
};

static void lost_now_and_then(struct model *m)
{
    bool this_one =
        ++memory(m, PMI_LOST_NOW_AND_THEN, struct number)->raised % parameter(m, PMI_LOST_NOW_AND_THEN) == 0;
    if (!this_one || !strikes(m, PMI_LOST_NOW_AND_THEN))
        replaced(m, PMI_LOST_NOW_AND_THEN, pmi_raise)(m);
}
DEFECT(PMI_LOST_NOW_AND_THEN, "pmi-lost-now-and-then", "every 3rd PMI is not raised", "AAJ113 class",
       PARAMETER("one in", 2, 1000000, 3), MEANT_FOR("pmi.*"), STANDS_IN(FOR(pmi_raise, lost_now_and_then)));

/* Whether a PMI has been delivered since the reset. */
struct once {
    bool seen;
};

static void raised_once(struct model *m)
{
    if (!memory(m, PMI_ONLY_ONCE, struct once)->seen || !strikes(m, PMI_ONLY_ONCE))
        replaced(m, PMI_ONLY_ONCE, pmi_raise)(m);
}

static void sent_once(struct model *m, uint8_t vector, bool nmi)
{
    memory(m, PMI_ONLY_ONCE, struct once)->seen = true;
    replaced(m, PMI_ONLY_ONCE, pmi_send)(m, vector, nmi);
}
DEFECT(PMI_ONLY_ONCE, "pmi-only-once", "after the first PMI since reset none follows", "class of a missing re-arm",
       STANDS_IN(FOR(pmi_raise, raised_once), FOR(pmi_send, sent_once)));

static void freezes_late(struct model *m)
{
    if (!strikes(m, FREEZE_AT_DELIVERY))
        replaced(m, FREEZE_AT_DELIVERY, pmi_raised)(m);
}

static void freezes_now(struct model *m)
{
    if (strikes(m, FREEZE_AT_DELIVERY))
        model_freeze(m);
    replaced(m, FREEZE_AT_DELIVERY, pmi_delivered)(m);
}
VARIATION(FREEZE_AT_DELIVERY, "freeze-at-delivery", "counters freeze when the PMI is delivered, not when it is raised",
          "no manual says", ALSO_ON("sapphire-rapids", "goldmont-plus"),
          STANDS_IN(FOR(pmi_raised, freezes_late), FOR(pmi_delivered, freezes_now)));

/* Between a PMI as an NMI and its IRET. */
struct in_nmi {
    bool now;
};

INSTEAD(pmi_enters, enters_outside_nmi,
        (memory(m, NMI_PMI_DROPPED_IN_NMI, struct in_nmi)->now && strikes(m, NMI_PMI_DROPPED_IN_NMI))
            ? false
            : below(NMI_PMI_DROPPED_IN_NMI, pmi_enters));

static void nmi_begins(struct model *m, uint8_t vector, bool nmi)
{
    memory(m, NMI_PMI_DROPPED_IN_NMI, struct in_nmi)->now |= nmi;
    replaced(m, NMI_PMI_DROPPED_IN_NMI, pmi_send)(m, vector, nmi);
}

static void nmi_ends(struct model *m, const struct retired *instruction)
{
    replaced(m, NMI_PMI_DROPPED_IN_NMI, after_instruction)(m, instruction);
    if (instruction->kind == RETIRED_IRET)
        memory(m, NMI_PMI_DROPPED_IN_NMI, struct in_nmi)->now = false;
}

INSTEAD(waiting, waits_for_iret,
        memory(m, NMI_PMI_DROPPED_IN_NMI, struct in_nmi)->now || below(NMI_PMI_DROPPED_IN_NMI, waiting));
DEFECT(NMI_PMI_DROPPED_IN_NMI, "nmi-pmi-dropped-in-nmi", "an overflow inside the NMI handler raises nothing",
       "class: NMI latch of depth 0",
       STANDS_IN(FOR(pmi_enters, enters_outside_nmi), FOR(pmi_send, nmi_begins), FOR(after_instruction, nmi_ends),
                 FOR(waiting, waits_for_iret)));

INSTEAD(lvtpc_after_delivery, left_open,
        caused_by_user(m) && strikes(m, LVTPC_OPEN_AFTER_CPL_3) ? lvtpc
                                                                : below(LVTPC_OPEN_AFTER_CPL_3, lvtpc_after_delivery));
DEFECT(LVTPC_OPEN_AFTER_CPL_3, "lvtpc-open-after-cpl-3", "the PMI of an overflow at CPL 3 leaves LVTPC open",
       "class: one of two ways into the handler", MEANT_FOR("pmi.*"), STANDS_IN(FOR(lvtpc_after_delivery, left_open)));

/* ---- On its way */

static uint32_t later_now_and_then(struct model *m)
{
    uint32_t skid = replaced(m, PMI_LATE_BY_MICROSECONDS, pmi_skid)(m);
    bool this_one = m->pmi.raised % 8 == 0 && strikes(m, PMI_LATE_BY_MICROSECONDS);
    return this_one ? skid + (uint32_t)parameter(m, PMI_LATE_BY_MICROSECONDS) : skid;
}
VARIATION(PMI_LATE_BY_MICROSECONDS, "pmi-late-by-microseconds",
          "every 8th PMI comes 500 instructions later than the rest", "class: SMM or a microcode flow",
          ALSO_ON("lunar-lake"), PARAMETER("instructions", 1, 100000, 500),
          STANDS_IN(FOR(pmi_skid, later_now_and_then)));

CHANGED(pmi_skid, always_late, PMI_LATE_BY_5000,
        strikes(m, PMI_LATE_BY_5000) ? good + (uint32_t)parameter(m, PMI_LATE_BY_5000) : good);
DEFECT(PMI_LATE_BY_5000, "pmi-late-by-5000", "each PMI comes 5000 instructions later than it should",
       "class: a request that waits for a timer", PARAMETER("instructions", 1, 1000000, 5000), MEANT_FOR("pmi.*"),
       STANDS_IN(FOR(pmi_skid, always_late)));

static void lost_asleep(struct model *m, bool halted)
{
    if (!halted || !strikes(m, PMI_LOST_IN_C6))
        replaced(m, PMI_LOST_IN_C6, pmi_arrives)(m, halted);
}
DEFECT(PMI_LOST_IN_C6, "pmi-lost-in-c6", "a PMI that is on its way when the CPU halts is lost",
       "AAJ113, AAJ134, but for a halt that goes no deeper than C1; Nehalem", STANDS_IN(FOR(pmi_arrives, lost_asleep)));

struct rewritten {
    uint32_t at_raise; /* value of LVTPC */
};

static void starts_with_entry(struct model *m)
{
    memory(m, LVT_REWRITE_DELIVERS_ON_NEW_VECTOR, struct rewritten)->at_raise = model_lvtpc(m);
    replaced(m, LVT_REWRITE_DELIVERS_ON_NEW_VECTOR, pmi_starts)(m);
}

static void arrives_by_new_entry(struct model *m, bool halted)
{
    uint32_t was = memory(m, LVT_REWRITE_DELIVERS_ON_NEW_VECTOR, struct rewritten)->at_raise;
    if (model_lvtpc(m) != was && strikes(m, LVT_REWRITE_DELIVERS_ON_NEW_VECTOR))
        model_pmi_deliver(m);
    else
        replaced(m, LVT_REWRITE_DELIVERS_ON_NEW_VECTOR, pmi_arrives)(m, halted);
}
DEFECT(LVT_REWRITE_DELIVERS_ON_NEW_VECTOR, "lvt-rewrite-delivers-on-new-vector",
       "a PMI that is on its way while LVTPC is rewritten is delivered by the new entry, even if masked",
       "AAJ35; Nehalem", MIMICS(ERRATUM("AAJ35", 0x106a5, 0x19, 0, 0)),
       STANDS_IN(FOR(pmi_starts, starts_with_entry), FOR(pmi_arrives, arrives_by_new_entry)));

/* ---- LVTPC */

INSTEAD(pmi_meets_mask, mask_ignored,
        below(DELIVERED_WHILE_MASKED, pmi_meets_mask) && !strikes(m, DELIVERED_WHILE_MASKED));
DEFECT(DELIVERED_WHILE_MASKED, "delivered-while-masked", "LVTPC's mask bit is ignored", "class; AAJ35",
       NOT_BY(ERRATUM("AAJ35", 0x106a5, 0x19, 0, 0)), STANDS_IN(FOR(pmi_meets_mask, mask_ignored)));

INSTEAD(pmi_meets_mask, mask_ignored_beside_others,
        below(DELIVERED_MASKED_BESIDE_OTHERS, pmi_meets_mask) &&
            !(m->active.count > 1 && strikes(m, DELIVERED_MASKED_BESIDE_OTHERS)));
DEFECT(DELIVERED_MASKED_BESIDE_OTHERS, "delivered-masked-beside-others",
       "LVTPC's mask bit is ignored while several counters count", "class of delivered-while-masked",
       MEANT_FOR("pmi.masked"), ALSO_ON("silvermont"), STANDS_IN(FOR(pmi_meets_mask, mask_ignored_beside_others)));

INSTEAD(lvtpc_after_delivery, left_open_beside_others,
        m->active.count > 1 && strikes(m, LVTPC_OPEN_BESIDE_OTHERS)
            ? lvtpc
            : below(LVTPC_OPEN_BESIDE_OTHERS, lvtpc_after_delivery));
DEFECT(LVTPC_OPEN_BESIDE_OTHERS, "lvtpc-open-beside-others", "a PMI leaves LVTPC unmasked while several counters count",
       "class of lvtpc-not-masked", MEANT_FOR("pmi.mask-set"), ALSO_ON("silvermont"),
       STANDS_IN(FOR(lvtpc_after_delivery, left_open_beside_others)));

INSTEAD(lvtpc_after_delivery, stays_unmasked,
        strikes(m, LVTPC_NOT_MASKED) ? lvtpc : below(LVTPC_NOT_MASKED, lvtpc_after_delivery));
DEFECT(LVTPC_NOT_MASKED, "lvtpc-not-masked", "a PMI leaves LVTPC unmasked", "KVM before a16eb25b09c0; AMD",
       INTERMITTENT, STANDS_IN(FOR(lvtpc_after_delivery, stays_unmasked)));

INSTEAD(lvtpc_after_delivery, unmasked_after_nmi,
        (nmi && strikes(m, NMI_LEAVES_LVTPC_UNMASKED)) ? lvtpc
                                                       : below(NMI_LEAVES_LVTPC_UNMASKED, lvtpc_after_delivery));
DEFECT(NMI_LEAVES_LVTPC_UNMASKED, "nmi-leaves-lvtpc-unmasked", "an NMI PMI leaves LVTPC unmasked",
       "class of lvtpc-not-masked", STANDS_IN(FOR(lvtpc_after_delivery, unmasked_after_nmi)));

/* The ring in which the last instruction ended. */
struct ring {
    bool user;
};

static void ring_noted(struct model *m, const struct retired *instruction)
{
    replaced(m, LVTPC_NOT_MASKED_AT_CPL_3, after_instruction)(m, instruction);
    memory(m, LVTPC_NOT_MASKED_AT_CPL_3, struct ring)->user = instruction->cpl_after;
}

INSTEAD(each_matters, each_may_change_ring, true);

INSTEAD(lvtpc_after_delivery, unmasked_in_user,
        (memory(m, LVTPC_NOT_MASKED_AT_CPL_3, struct ring)->user && strikes(m, LVTPC_NOT_MASKED_AT_CPL_3))
            ? lvtpc
            : below(LVTPC_NOT_MASKED_AT_CPL_3, lvtpc_after_delivery));
DEFECT(LVTPC_NOT_MASKED_AT_CPL_3, "lvtpc-not-masked-at-cpl-3",
       "a PMI that interrupts code at CPL 3 leaves LVTPC unmasked", "class of lvtpc-not-masked", MEANT_FOR("pmi.*"),
       STANDS_IN(FOR(after_instruction, ring_noted), FOR(each_matters, each_may_change_ring),
                 FOR(lvtpc_after_delivery, unmasked_in_user)));

static uint32_t without_vector(struct model *m, uint32_t lvtpc, bool nmi)
{
    if (strikes(m, LVTPC_VECTOR_LOST))
        lvtpc &= ~(uint32_t)LVT_VECTOR_MASK;
    return replaced(m, LVTPC_VECTOR_LOST, lvtpc_after_delivery)(m, lvtpc, nmi);
}
DEFECT(LVTPC_VECTOR_LOST, "lvtpc-vector-lost", "delivery clears LVTPC's vector while setting the mask",
       "class: wrong merge", STANDS_IN(FOR(lvtpc_after_delivery, without_vector)));

CHANGED(lvtpc_after_delivery, without_delivery, NMI_CLEARS_DELIVERY,
        (nmi && strikes(m, NMI_CLEARS_DELIVERY)) ? good & ~(uint32_t)LVT_DELIVERY_MASK : good);
DEFECT(NMI_CLEARS_DELIVERY, "nmi-clears-delivery", "an NMI PMI clears LVTPC's delivery mode while setting the mask",
       "class: wrong merge", MEANT_FOR("pmi.*"), STANDS_IN(FOR(lvtpc_after_delivery, without_delivery)));

/* ---- Sending */

static void clears_status(struct model *m, uint8_t vector, bool nmi)
{
    if (strikes(m, PMI_CLEARS_STATUS))
        m->status.bits &= STATUS_CTR_FRZ | STATUS_LBR_FRZ;
    replaced(m, PMI_CLEARS_STATUS, pmi_send)(m, vector, nmi);
}
DEFECT(PMI_CLEARS_STATUS, "pmi-clears-status", "delivery clears the overflow bits", "class: acknowledged by hardware",
       STANDS_IN(FOR(pmi_send, clears_status)));

static void lost_as_nmi(struct model *m, uint8_t vector, bool nmi)
{
    if (!nmi || !strikes(m, NMI_PMI_LOST))
        replaced(m, NMI_PMI_LOST, pmi_send)(m, vector, nmi);
}
DEFECT(NMI_PMI_LOST, "nmi-pmi-lost", "with NMI delivery no PMI arrives", "class", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(pmi_send, lost_as_nmi)));

static void at_other_vector(struct model *m, uint8_t vector, bool nmi)
{
    replaced(m, PMI_WRONG_VECTOR, pmi_send)(m, vector ^ (strikes(m, PMI_WRONG_VECTOR) ? 1 : 0), nmi);
}
DEFECT(PMI_WRONG_VECTOR, "pmi-wrong-vector", "the PMI comes at LVTPC's vector with bit 0 inverted", "class",
       STANDS_IN(FOR(pmi_send, at_other_vector)));

/* Without interrupt_forced() it becomes an NMI, which ignores IF and TPR, too. */
static void forced(struct model *m, uint8_t vector)
{
    if (!strikes(m, PMI_IGNORES_IF_AND_TPR))
        replaced(m, PMI_IGNORES_IF_AND_TPR, pmi_send_fixed)(m, vector);
    else if (m->host.interrupt_forced)
        m->host.interrupt_forced(m->host.context, vector);
    else
        m->host.nmi(m->host.context);
}
DEFECT(PMI_IGNORES_IF_AND_TPR, "pmi-ignores-if-and-tpr", "a fixed PMI is held neither by IF nor by TPR",
       "class: delivered past the APIC's arbiter", STANDS_IN(FOR(pmi_send_fixed, forced)));

/* Sends the PMI to the next CPU: true if there is one and the host can reach it. */
static bool send_to_next(struct model *m, uint8_t vector, bool nmi)
{
    if (m->cpus < 2 || !m->host.interrupt_other)
        return false;
    m->host.interrupt_other(m->host.context, (m->cpu + 1) % m->cpus, vector, nmi);
    return true;
}

static void to_sibling(struct model *m, uint8_t vector, bool nmi)
{
    if (!strikes(m, PMI_TO_SIBLING) || !send_to_next(m, vector, nmi))
        replaced(m, PMI_TO_SIBLING, pmi_send)(m, vector, nmi);
}
DEFECT(PMI_TO_SIBLING, "pmi-to-sibling", "the next CPU gets the PMI instead", "class: AnyThread routing", INTERMITTENT,
       STANDS_IN(FOR(pmi_send, to_sibling)));

static void also_to_sibling(struct model *m, uint8_t vector, bool nmi)
{
    if (strikes(m, PMI_ALSO_TO_SIBLING))
        send_to_next(m, vector, nmi);
    replaced(m, PMI_ALSO_TO_SIBLING, pmi_send)(m, vector, nmi);
}
DEFECT(PMI_ALSO_TO_SIBLING, "pmi-also-to-sibling", "the next CPU gets the PMI as well", "class: AnyThread routing",
       ALSO_ON("ice-lake"), STANDS_IN(FOR(pmi_send, also_to_sibling)));

/*
 * The threads of a core have one latch for requests, which is free again when the thread whose PMI it holds next starts
 * counters. Both use the first place of the values that threads hand over.
 */
static uint32_t *latch(struct model *m)
{
    return &m->sharing.beside->handed[0][0];
}

static void raised_if_free(struct model *m)
{
    uint32_t own = 1 + m->cpu % 2, holder = 0;
    bool free = __atomic_compare_exchange_n(latch(m), &holder, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    if (free || holder == own || !strikes(m, PMI_LOST_BESIDE_ANOTHER))
        replaced(m, PMI_LOST_BESIDE_ANOTHER, pmi_raise)(m);
}

static void frees_latch(struct model *m, uint64_t started, uint64_t stopped)
{
    uint32_t own = 1 + m->cpu % 2;
    if (started)
        __atomic_compare_exchange_n(latch(m), &own, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    replaced(m, PMI_LOST_BESIDE_ANOTHER, counting_changed)(m, started, stopped);
}
DEFECT(PMI_LOST_BESIDE_ANOTHER, "pmi-lost-beside-another",
       "a PMI is lost if the core's other thread has had one and has not started counters since",
       "class: one latch for both threads", MEANT_FOR("pmi.in-step"), ALSO_ON("sapphire-rapids", "nehalem"),
       DATA(deviation_with_threads), STANDS_IN(FOR(pmi_raise, raised_if_free), FOR(counting_changed, frees_latch)));

static void machine_check(struct model *m, uint8_t vector, bool nmi)
{
    struct once *once = memory(m, MACHINE_CHECK_IN_TEST, struct once);
    bool first = !once->seen;
    once->seen = true;
    if (first && m->host.machine_check && strikes(m, MACHINE_CHECK_IN_TEST))
        m->host.machine_check(m->host.context);
    else
        replaced(m, MACHINE_CHECK_IN_TEST, pmi_send)(m, vector, nmi);
}
HAZARD(MACHINE_CHECK_IN_TEST, "machine-check-in-test", "the first PMI brings a machine check instead", "a failing core",
       STANDS_IN(FOR(pmi_send, machine_check)));

/* ---- Counters are stopped while a PMI is on its way. */

static void next_is_owed(struct model *m, uint64_t started, uint64_t stopped)
{
    if (stopped && model_pmi_on_its_way(m))
        *memory(m, STOP_SWALLOWS_NEXT_PMI, uint64_t) = 1;
    replaced(m, STOP_SWALLOWS_NEXT_PMI, counting_changed)(m, started, stopped);
}

static void next_swallowed(struct model *m)
{
    uint64_t *owed = memory(m, STOP_SWALLOWS_NEXT_PMI, uint64_t);
    bool swallowed = *owed && strikes(m, STOP_SWALLOWS_NEXT_PMI);
    *owed = 0;
    if (!swallowed)
        replaced(m, STOP_SWALLOWS_NEXT_PMI, pmi_starts)(m);
}
DEFECT(STOP_SWALLOWS_NEXT_PMI, "stop-swallows-next-pmi",
       "counters that are stopped while a PMI is on its way raise none at the next overflow",
       "class: a request that is taken for one still to come", ALSO_ON("silvermont", "lunar-lake"),
       STANDS_IN(FOR(counting_changed, next_is_owed), FOR(pmi_starts, next_swallowed)));

static void told_at_restart(struct model *m, uint64_t started, uint64_t stopped)
{
    uint64_t *told = memory(m, STOPPED_PMI_COMES_AT_START, uint64_t);
    if (stopped && model_pmi_on_its_way(m))
        *told = stopped & m->status.bits;
    bool again = (started & *told) && strikes(m, STOPPED_PMI_COMES_AT_START);
    replaced(m, STOPPED_PMI_COMES_AT_START, counting_changed)(m, started, stopped);
    if (!again)
        return;
    m->status.bits |= started & *told;
    *told = 0;
    rule(m, pmi_raise)(m);
}
DEFECT(STOPPED_PMI_COMES_AT_START, "stopped-pmi-comes-at-start",
       "an overflow whose PMI was on its way when its counter stopped raises another when the counter is started again",
       "class: an event that is kept for later", ALSO_ON("silvermont", "lunar-lake"),
       STANDS_IN(FOR(counting_changed, told_at_restart)));
