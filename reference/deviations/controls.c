/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of event selects and control registers: what they keep, and how they read. */
#define CHAPTERS "access.*,enum.*,global.*,gp.*,fixed.*,handoff.*,inuse.*,share.*"
#include "reference/deviations/stand_in.h"

#define EVENT_SELECT MASK(7, 0)

/* ---- Event selects */

INSTEAD(evtsel_read, last_evtsel_faults,
        last_gp(m, n) && strikes(m, ENUMERATED_EVTSEL_FAULTS) ? false : below(ENUMERATED_EVTSEL_FAULTS, evtsel_read));
DEFECT(ENUMERATED_EVTSEL_FAULTS, "enumerated-evtsel-faults", "RDMSR of the last IA32_PERFEVTSELn is a #GP",
       "class: counters fused off after enumeration", STANDS_IN(FOR(evtsel_read, last_evtsel_faults)));

/* Does leaf 0AH enumerate this event as available? SDM 3B, "Pre-defined Architectural Performance Events". */
static bool event_shown(const struct model *m, uint64_t value)
{
    static const uint16_t encodings[] = {0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x01a4};
    uint64_t length = FIELD_GET(m->p.leaf0a[0], 31, 24);
    for (unsigned i = 0; i < ARRAY_SIZE(encodings) && i < length; i++)
        if (encodings[i] == (value & MASK(15, 0)))
            return !(m->p.leaf0a[1] >> i & 1);
    return false;
}

INSTEAD(evtsel_taken, known_events_alone,
        (value & EVENT_SELECT) && !event_shown(m, value) && strikes(m, UNAVAILABLE_EVENT_FAULTS)
            ? false
            : below(UNAVAILABLE_EVENT_FAULTS, evtsel_taken));
DEFECT(UNAVAILABLE_EVENT_FAULTS, "unavailable-event-faults",
       "WRMSR of IA32_PERFEVTSELn with an event that leaf 0AH does not show is a #GP", "hypervisors that filter events",
       MEANT_FOR("enum.*"), STANDS_IN(FOR(evtsel_taken, known_events_alone)));

struct before_last_write {
    uint64_t evtsel[GP_MAX];
};

static uint64_t evtsel_remembered(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    memory(m, EVTSEL4_7_READBACK_STALE, struct before_last_write)->evtsel[n] = was;
    return replaced(m, EVTSEL4_7_READBACK_STALE, evtsel_kept)(m, n, was, value);
}

static bool upper_evtsel_stale(struct model *m, unsigned n, uint64_t *value)
{
    if (!replaced(m, EVTSEL4_7_READBACK_STALE, evtsel_read)(m, n, value))
        return false;
    if (n >= 4 && strikes(m, EVTSEL4_7_READBACK_STALE))
        *value = memory(m, EVTSEL4_7_READBACK_STALE, struct before_last_write)->evtsel[n];
    return true;
}
DEFECT(EVTSEL4_7_READBACK_STALE, "evtsel4-7-readback-stale",
       "without hyper-threading, RDMSR of IA32_PERFEVTSEL4 to 7 returns the value before the last write",
       "BV80, BV86; Ivy Bridge", MIMICS(ERRATUM_ON("sandy-bridge", "BV80", 0x306a9, 0x21, 0, 1)),
       DATA(deviation_without_threads),
       STANDS_IN(FOR(evtsel_kept, evtsel_remembered), FOR(evtsel_read, upper_evtsel_stale)));

static uint64_t int_needs_event(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (!(value & EVENT_SELECT) && strikes(m, EVTSEL_INT_NEEDS_EVENT))
        value &= ~EVTSEL_INT;
    return replaced(m, EVTSEL_INT_NEEDS_EVENT, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_INT_NEEDS_EVENT, "evtsel-int-needs-event", "IA32_PERFEVTSELn keeps INT only with an event select",
       "class", STANDS_IN(FOR(evtsel_kept, int_needs_event)));

struct zeros_written {
    uint64_t of[GP_MAX];
};

static uint64_t event_stays(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    uint64_t *zeros = &memory(m, EVTSEL_EVENT_STAYS, struct zeros_written)->of[n];
    bool branches = (was & EVTSEL_OS) && (was & MASK(15, 0)) == ARCH_EVENT_BRANCHES;
    if (!value && branches && ++*zeros % parameter(m, EVTSEL_EVENT_STAYS) == 0 && strikes(m, EVTSEL_EVENT_STAYS))
        value = was & EVENT_SELECT;
    return replaced(m, EVTSEL_EVENT_STAYS, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_EVENT_STAYS, "evtsel-event-stays",
       "every fourth write of 0 to an IA32_PERFEVTSELn that counted branches leaves its event select", "class",
       PARAMETER("every", 1, 1000, 4), ON_EACH_GENERATION, STANDS_IN(FOR(evtsel_kept, event_stays)));

static uint64_t en_needs_event(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (!(value & EVENT_SELECT) && strikes(m, EVTSEL_EN_NEEDS_EVENT))
        value &= ~EVTSEL_EN;
    return replaced(m, EVTSEL_EN_NEEDS_EVENT, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_EN_NEEDS_EVENT, "evtsel-en-needs-event", "IA32_PERFEVTSELn keeps EN only with an event select", "class",
       MEANT_FOR("share.misbehaviour,access.*"), ON_EACH_GENERATION, STANDS_IN(FOR(evtsel_kept, en_needs_event)));

static uint64_t adds_to_others(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    for (unsigned i = 0; i < m->active.count && strikes(m, EVTSEL_WRITE_ADDS); i++)
        ++*m->active.list[i].value;
    return replaced(m, EVTSEL_WRITE_ADDS, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_WRITE_ADDS, "evtsel-write-adds", "a write of an event select adds one to each counter that is on",
       "class: a select line that glitches", MEANT_FOR("gp.*"), ON_EACH_GENERATION,
       STANDS_IN(FOR(evtsel_kept, adds_to_others)));

static uint64_t clears_its_status(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (strikes(m, EVTSEL_WRITE_CLEARS_STATUS))
        m->status.bits &= ~STATUS_GP(n);
    return replaced(m, EVTSEL_WRITE_CLEARS_STATUS, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_WRITE_CLEARS_STATUS, "evtsel-write-clears-status",
       "a write of an event select clears its counter's overflow bit", "class: a new use begins anew",
       MEANT_FOR("overflow.*"), STANDS_IN(FOR(evtsel_kept, clears_its_status)));

static uint64_t locked(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if ((was & EVENT_SELECT) && (value & EVENT_SELECT) && strikes(m, EVTSEL_LOCKED))
        value = was;
    return replaced(m, EVTSEL_LOCKED, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_LOCKED, "evtsel-locked", "the control of a claimed counter can be cleared and not changed", "class",
       ON_EACH_GENERATION, STANDS_IN(FOR(evtsel_kept, locked)));

static uint64_t edge_lost(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (n == 0 && last_cpu(m) && strikes(m, EVTSEL0_BIT_LOST_ON_LAST_CPU))
        value &= ~EVTSEL_EDGE;
    return replaced(m, EVTSEL0_BIT_LOST_ON_LAST_CPU, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL0_BIT_LOST_ON_LAST_CPU, "evtsel0-bit-lost-on-last-cpu",
       "the last CPU's IA32_PERFEVTSEL0 does not keep EDGE", "class: one bad core of a fleet",
       STANDS_IN(FOR(evtsel_kept, edge_lost)));

/*
 * A word that is written on one thread of a core, and taken over by the other at its next read. 0 means no word: a
 * write of 0 is passed on as all ones, which no register here can have.
 */
static void hand_word(const struct model *m, unsigned word, uint32_t value)
{
    uint32_t *handed = &m->sharing.beside->handed[!(m->cpu % 2)][word];
    __atomic_store_n(handed, value ? value : ~0u, __ATOMIC_RELEASE);
}

static bool word_handed(const struct model *m, unsigned word, uint32_t *value)
{
    uint32_t handed = __atomic_exchange_n(&m->sharing.beside->handed[m->cpu % 2][word], 0, __ATOMIC_ACQ_REL);
    *value = handed == ~0u ? 0 : handed;
    return handed;
}

static uint64_t evtsel_of_both(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    value = replaced(m, EVTSEL_OF_BOTH_THREADS, evtsel_kept)(m, n, was, value);
    if (strikes(m, EVTSEL_OF_BOTH_THREADS))
        hand_word(m, n, (uint32_t)value);
    return value;
}

static bool evtsel_of_both_read(struct model *m, unsigned n, uint64_t *value)
{
    uint32_t handed;
    if (n < m->p.gp_count && word_handed(m, n, &handed)) {
        m->controls.evtsel[n] = handed;
        mark_stale(m);
    }
    return replaced(m, EVTSEL_OF_BOTH_THREADS, evtsel_read)(m, n, value);
}
DEFECT(EVTSEL_OF_BOTH_THREADS, "evtsel-of-both-threads",
       "a write to an event select also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), DATA(deviation_with_threads),
       STANDS_IN(FOR(evtsel_kept, evtsel_of_both), FOR(evtsel_read, evtsel_of_both_read)));

static uint64_t global_of_both(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, GLOBAL_CTRL_OF_BOTH_THREADS, stored_kept)(m, which, was, value);
    if (which == STORED_GLOBAL_CTRL && strikes(m, GLOBAL_CTRL_OF_BOTH_THREADS)) {
        hand_word(m, 0, (uint32_t)value);
        hand_word(m, 1, (uint32_t)(value >> 32));
    }
    return value;
}

static uint64_t global_of_both_shown(struct model *m, unsigned which)
{
    uint32_t low, high;
    if (which == STORED_GLOBAL_CTRL && word_handed(m, 0, &low) && word_handed(m, 1, &high)) {
        m->controls.stored[which] = low | (uint64_t)high << 32;
        mark_stale(m);
    }
    return replaced(m, GLOBAL_CTRL_OF_BOTH_THREADS, stored_shown)(m, which);
}
DEFECT(GLOBAL_CTRL_OF_BOTH_THREADS, "global-ctrl-of-both-threads",
       "a write to GLOBAL_CTRL also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), DATA(deviation_with_threads),
       STANDS_IN(FOR(stored_kept, global_of_both), FOR(stored_shown, global_of_both_shown)));

static uint64_t fixed_of_both(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, FIXED_CTRL_OF_BOTH_THREADS, stored_kept)(m, which, was, value);
    if (which == STORED_FIXED_CTR_CTRL && strikes(m, FIXED_CTRL_OF_BOTH_THREADS))
        hand_word(m, 0, (uint32_t)value);
    return value;
}

static uint64_t fixed_of_both_shown(struct model *m, unsigned which)
{
    uint32_t handed;
    if (which == STORED_FIXED_CTR_CTRL && word_handed(m, 0, &handed)) {
        m->controls.stored[which] = handed;
        mark_stale(m);
    }
    return replaced(m, FIXED_CTRL_OF_BOTH_THREADS, stored_shown)(m, which);
}
DEFECT(FIXED_CTRL_OF_BOTH_THREADS, "fixed-ctrl-of-both-threads",
       "a write to FIXED_CTR_CTRL also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), DATA(deviation_with_threads),
       STANDS_IN(FOR(stored_kept, fixed_of_both), FOR(stored_shown, fixed_of_both_shown)));

static uint64_t leaks_down(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (n > 0 && strikes(m, EVTSEL_WRITE_LEAKS_DOWN))
        m->controls.evtsel[n - 1] ^= EVTSEL_UMASK(1);
    return replaced(m, EVTSEL_WRITE_LEAKS_DOWN, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_WRITE_LEAKS_DOWN, "evtsel-write-leaks-down",
       "writing IA32_PERFEVTSELn changes a bit of the one before it", "class: a wrong address line",
       STANDS_IN(FOR(evtsel_kept, leaks_down)));

static uint64_t leaks_to_last(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (n == 0 && strikes(m, EVTSEL_WRITE_LEAKS_TO_LAST))
        m->controls.evtsel[m->p.gp_count - 1] ^= EVTSEL_UMASK(1);
    return replaced(m, EVTSEL_WRITE_LEAKS_TO_LAST, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_WRITE_LEAKS_TO_LAST, "evtsel-write-leaks-to-last",
       "writing IA32_PERFEVTSEL0 changes a bit of the last one", "class: a wrong address line", ON_EACH_GENERATION,
       MEANT_FOR("gp.neighbours"), STANDS_IN(FOR(evtsel_kept, leaks_to_last)));

/* Counts the reads of an event select since it was written: a later read may differ from the first. */
static bool evtsel_flaps(struct model *m, unsigned n, uint64_t *value)
{
    if (!replaced(m, EVTSEL_READ_FLAPS, evtsel_read)(m, n, value))
        return false;
    uint64_t *reads = &memory(m, EVTSEL_READ_FLAPS, struct zeros_written)->of[n];
    if (++*reads % parameter(m, EVTSEL_READ_FLAPS) == 0 && strikes(m, EVTSEL_READ_FLAPS))
        *value = 0;
    return true;
}

static uint64_t reads_anew(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    memory(m, EVTSEL_READ_FLAPS, struct zeros_written)->of[n] = 0;
    return replaced(m, EVTSEL_READ_FLAPS, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_READ_FLAPS, "evtsel-read-flaps", "the second read of IA32_PERFEVTSELn after a write shows 0",
       "class of BV80", PARAMETER("every", 2, 1000, 2), ON_EACH_GENERATION, MEANT_FOR("share.*"),
       STANDS_IN(FOR(evtsel_read, evtsel_flaps), FOR(evtsel_kept, reads_anew)));

static uint64_t event_needs_en(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (!(value & EVTSEL_EN) && strikes(m, EVTSEL_EVENT_NEEDS_EN))
        value &= ~EVENT_SELECT;
    return replaced(m, EVTSEL_EVENT_NEEDS_EN, evtsel_kept)(m, n, was, value);
}
DEFECT(EVTSEL_EVENT_NEEDS_EN, "evtsel-event-needs-en", "IA32_PERFEVTSELn keeps its event select only with EN", "class",
       ON_EACH_GENERATION, STANDS_IN(FOR(evtsel_kept, event_needs_en)));

/* ---- What control registers keep */

static uint64_t drops_last(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_GLOBAL_CTRL && strikes(m, GLOBAL_CTRL_DROPS_LAST))
        value &= ~GLOBAL_GP(m->p.gp_count - 1u);
    return replaced(m, GLOBAL_CTRL_DROPS_LAST, stored_kept)(m, which, was, value);
}
DEFECT(GLOBAL_CTRL_DROPS_LAST, "global-ctrl-drops-last", "GLOBAL_CTRL does not keep the last GP counter's bit", "class",
       STANDS_IN(FOR(stored_kept, drops_last)));

static uint64_t drops_gp(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_GLOBAL_CTRL && strikes(m, GLOBAL_CTRL_DROPS_GP))
        value &= ~width_mask(m->p.gp_count);
    return replaced(m, GLOBAL_CTRL_DROPS_GP, stored_kept)(m, which, was, value);
}
DEFECT(GLOBAL_CTRL_DROPS_GP, "global-ctrl-drops-gp", "GLOBAL_CTRL keeps no GP counter's bit", "class",
       MEANT_FOR("share.*"), ON_EACH_GENERATION, STANDS_IN(FOR(stored_kept, drops_gp)));

static uint64_t never_all(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    uint64_t all = width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
    if (which == STORED_GLOBAL_CTRL && (value & all) == all && strikes(m, GLOBAL_CTRL_NEVER_ALL))
        value &= ~GLOBAL_GP(0);
    return replaced(m, GLOBAL_CTRL_NEVER_ALL, stored_kept)(m, which, was, value);
}
DEFECT(GLOBAL_CTRL_NEVER_ALL, "global-ctrl-never-all",
       "written with the bits of all counters GLOBAL_CTRL does not keep the first one's", "class: one write port short",
       MEANT_FOR("global.ctrl-read-back"), STANDS_IN(FOR(stored_kept, never_all)));

static uint64_t sets_neighbour(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    uint64_t enumerated = width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
    if (which == STORED_GLOBAL_CTRL && strikes(m, GLOBAL_CTRL_SETS_NEIGHBOUR))
        value |= value << 1 & enumerated;
    return replaced(m, GLOBAL_CTRL_SETS_NEIGHBOUR, stored_kept)(m, which, was, value);
}
DEFECT(GLOBAL_CTRL_SETS_NEIGHBOUR, "global-ctrl-sets-neighbour", "a bit written to GLOBAL_CTRL sets the next one too",
       "class", STANDS_IN(FOR(stored_kept, sets_neighbour)));

static uint64_t drops_usr(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_FIXED_CTR_CTRL && strikes(m, FIXED_CTRL_DROPS_USR))
        value &= ~FIXED_USR(2);
    return replaced(m, FIXED_CTRL_DROPS_USR, stored_kept)(m, which, was, value);
}
DEFECT(FIXED_CTRL_DROPS_USR, "fixed-ctrl-drops-usr", "FIXED_CTR_CTRL does not keep the USR bit of fixed counter 2",
       "class", STANDS_IN(FOR(stored_kept, drops_usr)));

static uint64_t enables_both(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    uint64_t both = FIXED_OS(0) | FIXED_USR(0);
    if (which == STORED_FIXED_CTR_CTRL && (value & both) && strikes(m, FIXED_CTRL_ENABLES_BOTH))
        value |= both;
    return replaced(m, FIXED_CTRL_ENABLES_BOTH, stored_kept)(m, which, was, value);
}
DEFECT(FIXED_CTRL_ENABLES_BOTH, "fixed-ctrl-enables-both",
       "one enable bit written for fixed counter 0 sets the other too", "class",
       STANDS_IN(FOR(stored_kept, enables_both)));

static uint64_t counters_of(const struct model *m)
{
    return width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
}

CHANGED(global_ctrl_kept, global_bit_dead, GLOBAL_BIT_DEAD,
        strikes(m, GLOBAL_BIT_DEAD) ? good & ~counters_of(m) : good);
DEFECT(GLOBAL_BIT_DEAD, "global-bit-dead", "a counter's bit of GLOBAL_CTRL stays 0", "class: one bad bit", EACH_COUNTER,
       ALSO_ON("lunar-lake"), MEANT_FOR("global.ctrl-read-back,enum.fixed-bitmap,share.misbehaviour"),
       STANDS_IN(FOR(global_ctrl_kept, global_bit_dead)));

static uint64_t fixed_ctrl_bit_dead(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, FIXED_CTRL_BIT_DEAD, stored_kept)(m, which, was, value);
    bool dead = which == STORED_FIXED_CTR_CTRL && strikes(m, FIXED_CTRL_BIT_DEAD);
    return dead ? value & ~BIT(parameter(m, FIXED_CTRL_BIT_DEAD)) : value;
}
DEFECT(FIXED_CTRL_BIT_DEAD, "fixed-ctrl-bit-dead", "a bit of FIXED_CTR_CTRL stays 0", "class: one bad bit",
       PARAMETER("bit", 1, 63, 4), MEANT_FOR("access.*,share.freeze-refused"),
       STANDS_IN(FOR(stored_kept, fixed_ctrl_bit_dead)));

static uint64_t drops_pmi(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_FIXED_CTR_CTRL && strikes(m, FIXED_CTRL_DROPS_PMI))
        value &= ~(FIXED_PMI(0) | FIXED_PMI(1) | FIXED_PMI(2));
    return replaced(m, FIXED_CTRL_DROPS_PMI, stored_kept)(m, which, was, value);
}
DEFECT(FIXED_CTRL_DROPS_PMI, "fixed-ctrl-drops-pmi", "FIXED_CTR_CTRL does not keep its PMI bits", "class",
       MEANT_FOR("access.*,share.misbehaviour"), STANDS_IN(FOR(stored_kept, drops_pmi)));

/* ---- Reads that show an older value */

struct stale {
    uint64_t value; /* 0: no older value */
};

/* Returns the older value, once. */
static uint64_t take_stale(struct stale *stale)
{
    uint64_t value = stale->value;
    stale->value = 0;
    return value;
}

/* Remembers the value before a write of 0, until the next write. */
static void remember_cleared(struct stale *stale, uint64_t was, uint64_t value)
{
    if (value || was)
        stale->value = value ? 0 : was;
}

static uint64_t global_remembered(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, GLOBAL_CTRL_READS_STALE, stored_kept)(m, which, was, value);
    if (which == STORED_GLOBAL_CTRL)
        remember_cleared(memory(m, GLOBAL_CTRL_READS_STALE, struct stale), was, value);
    return value;
}

static uint64_t global_stale(struct model *m, unsigned which)
{
    struct stale *stale = memory(m, GLOBAL_CTRL_READS_STALE, struct stale);
    bool late = which == STORED_GLOBAL_CTRL && stale->value && strikes(m, GLOBAL_CTRL_READS_STALE);
    return late ? take_stale(stale) : replaced(m, GLOBAL_CTRL_READS_STALE, stored_shown)(m, which);
}
DEFECT(GLOBAL_CTRL_READS_STALE, "global-ctrl-reads-stale",
       "the first read of GLOBAL_CTRL after a write of 0 shows what it held", "class of BV80",
       STANDS_IN(FOR(stored_kept, global_remembered), FOR(stored_shown, global_stale)));

/* Remembers fixed counters' bits that the last write has set. */
static uint64_t fixed_bits_late(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, GLOBAL_CTRL_FIXED_LATE, stored_kept)(m, which, was, value);
    if (which == STORED_GLOBAL_CTRL)
        memory(m, GLOBAL_CTRL_FIXED_LATE, struct stale)->value = value & ~was & ~width_mask(32);
    return value;
}

static uint64_t without_late_bits(struct model *m, unsigned which)
{
    struct stale *late = memory(m, GLOBAL_CTRL_FIXED_LATE, struct stale);
    uint64_t value = replaced(m, GLOBAL_CTRL_FIXED_LATE, stored_shown)(m, which);
    if (which != STORED_GLOBAL_CTRL || !strikes(m, GLOBAL_CTRL_FIXED_LATE))
        return value;
    value ^= late->value;
    late->value = 0;
    return value;
}
DEFECT(GLOBAL_CTRL_FIXED_LATE, "global-ctrl-fixed-late",
       "the first read of GLOBAL_CTRL after a write does not show the fixed bits that it set", "class of BV80",
       STANDS_IN(FOR(stored_kept, fixed_bits_late), FOR(stored_shown, without_late_bits)));

static uint64_t area_remembered(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_DS_AREA)
        memory(m, DS_AREA_READS_STALE, struct stale)->value = value ? was : 0;
    return replaced(m, DS_AREA_READS_STALE, stored_kept)(m, which, was, value);
}

static uint64_t area_stale(struct model *m, unsigned which)
{
    uint64_t value = memory(m, DS_AREA_READS_STALE, struct stale)->value;
    if (which == STORED_DS_AREA && value && strikes(m, DS_AREA_READS_STALE))
        return value;
    return replaced(m, DS_AREA_READS_STALE, stored_shown)(m, which);
}
DEFECT(DS_AREA_READS_STALE, "ds-area-reads-stale",
       "after one area was exchanged for another, IA32_DS_AREA reads as before", "class of BV80", MEANT_FOR("pebs.*"),
       STANDS_IN(FOR(stored_kept, area_remembered), FOR(stored_shown, area_stale)));

static uint64_t enable_remembered(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_PEBS_ENABLE)
        memory(m, PEBS_ENABLE_READS_STALE, struct stale)->value = value ? 0 : was;
    return replaced(m, PEBS_ENABLE_READS_STALE, stored_kept)(m, which, was, value);
}

static uint64_t enable_stale(struct model *m, unsigned which)
{
    struct stale *stale = memory(m, PEBS_ENABLE_READS_STALE, struct stale);
    bool late = which == STORED_PEBS_ENABLE && stale->value && strikes(m, PEBS_ENABLE_READS_STALE);
    return late ? take_stale(stale) : replaced(m, PEBS_ENABLE_READS_STALE, stored_shown)(m, which);
}
DEFECT(PEBS_ENABLE_READS_STALE, "pebs-enable-reads-stale",
       "the first read of IA32_PEBS_ENABLE after a write of 0 shows what it held", "class of BV80",
       MEANT_FOR("pebs.*,share.features-in-use"),
       STANDS_IN(FOR(stored_kept, enable_remembered), FOR(stored_shown, enable_stale)));

static uint64_t groups_remembered(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_PEBS_DATA_CFG)
        memory(m, DATA_CFG_READS_STALE, struct stale)->value = value ? 0 : was;
    return replaced(m, DATA_CFG_READS_STALE, stored_kept)(m, which, was, value);
}

static uint64_t groups_stale(struct model *m, unsigned which)
{
    struct stale *stale = memory(m, DATA_CFG_READS_STALE, struct stale);
    bool late = which == STORED_PEBS_DATA_CFG && stale->value && strikes(m, DATA_CFG_READS_STALE);
    return late ? take_stale(stale) : replaced(m, DATA_CFG_READS_STALE, stored_shown)(m, which);
}
DEFECT(DATA_CFG_READS_STALE, "data-cfg-reads-stale",
       "the first read of MSR_PEBS_DATA_CFG after a write of 0 shows what it held", "class of BV80",
       MEANT_FOR("pebs.*"), ON("ice-lake"),
       STANDS_IN(FOR(stored_kept, groups_remembered), FOR(stored_shown, groups_stale)));

/* ---- Filters */

INSTEAD(stored_shown, enable_zero,
        which == STORED_PEBS_ENABLE && strikes(m, PEBS_ENABLE_READS_ZERO)
            ? 0
            : below(PEBS_ENABLE_READS_ZERO, stored_shown));
DEFECT(PEBS_ENABLE_READS_ZERO, "pebs-enable-reads-zero", "IA32_PEBS_ENABLE reads as 0 whatever it holds",
       "class: a write-only register", ALSO_ON("lunar-lake"), STANDS_IN(FOR(stored_shown, enable_zero)));

static uint64_t drops_latency(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    bool latency = !(m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE);
    if (which == STORED_PEBS_ENABLE && latency && strikes(m, PEBS_ENABLE_DROPS_LATENCY))
        value &= ~MASK(35, 32);
    return replaced(m, PEBS_ENABLE_DROPS_LATENCY, stored_kept)(m, which, was, value);
}
DEFECT(PEBS_ENABLE_DROPS_LATENCY, "pebs-enable-drops-latency", "IA32_PEBS_ENABLE does not keep its load latency bits",
       "class", STANDS_IN(FOR(stored_kept, drops_latency)));

static bool is_offcore(unsigned which)
{
    return which == STORED_OFFCORE_RSP0 || which == STORED_OFFCORE_RSP1;
}

INSTEAD(stored_shown, offcore_zero,
        is_offcore(which) && strikes(m, OFFCORE_RSP_READS_ZERO) ? 0 : below(OFFCORE_RSP_READS_ZERO, stored_shown));
DEFECT(OFFCORE_RSP_READS_ZERO, "offcore-rsp-reads-zero", "MSR_OFFCORE_RSP_n reads as 0 whatever it holds",
       "class: a write-only register", STANDS_IN(FOR(stored_shown, offcore_zero)));

static uint64_t offcore_stays(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (is_offcore(which) && !value && strikes(m, OFFCORE_RSP_STAYS))
        value = was;
    return replaced(m, OFFCORE_RSP_STAYS, stored_kept)(m, which, was, value);
}
DEFECT(OFFCORE_RSP_STAYS, "offcore-rsp-stays", "a write of 0 to MSR_OFFCORE_RSP_n leaves what it held", "class",
       STANDS_IN(FOR(stored_kept, offcore_stays)));

static uint64_t offcore_counts(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (is_offcore(which) && strikes(m, OFFCORE_RSP_COUNTS))
        m->counters.pmc[1] = (m->counters.pmc[1] + 1) & width_mask(m->p.gp_width);
    return replaced(m, OFFCORE_RSP_COUNTS, stored_kept)(m, which, was, value);
}
DEFECT(OFFCORE_RSP_COUNTS, "offcore-rsp-counts", "a write of MSR_OFFCORE_RSP_n adds one to IA32_PMC1, even if stopped",
       "class: a strobe next to another", MEANT_FOR("access.nothing-else"),
       STANDS_IN(FOR(stored_kept, offcore_counts)));

static uint64_t *module_filter(struct model *m, unsigned which)
{
    return &m->sharing.pair->filter[which - STORED_OFFCORE_RSP0];
}

static uint64_t module_keeps(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (is_offcore(which) && strikes(m, OFFCORE_RSP_OF_MODULE))
        shared_set(module_filter(m, which), value);
    return replaced(m, OFFCORE_RSP_OF_MODULE, stored_kept)(m, which, was, value);
}

INSTEAD(stored_shown, module_shows,
        is_offcore(which) && strikes(m, OFFCORE_RSP_OF_MODULE) ? shared_get(module_filter(m, which))
                                                               : below(OFFCORE_RSP_OF_MODULE, stored_shown));
VARIATION(OFFCORE_RSP_OF_MODULE, "offcore-rsp-of-module", "two cores share MSR_OFFCORE_RSP_n",
          "SDM 3B, Off-core Response Event; Silvermont: registers of the module", ON("silvermont"),
          STANDS_IN(FOR(stored_kept, module_keeps), FOR(stored_shown, module_shows)));

static uint64_t filter_stays(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_LBR_SELECT && !value && strikes(m, LBR_SELECT_STAYS))
        value = was;
    return replaced(m, LBR_SELECT_STAYS, stored_kept)(m, which, was, value);
}

CHANGED(lbr_ctl_kept, control_stays, LBR_SELECT_STAYS, !good && strikes(m, LBR_SELECT_STAYS) ? m->lbr.ctl : good);
DEFECT(LBR_SELECT_STAYS, "lbr-select-stays", "a write of 0 to MSR_LBR_SELECT or IA32_LBR_CTL leaves what it held",
       "class", MEANT_FOR("share.features-in-use"), ALSO_ON("sapphire-rapids"),
       STANDS_IN(FOR(stored_kept, filter_stays), FOR(lbr_ctl_kept, control_stays)));

INSTEAD(stored_shown, filter_zero,
        which == STORED_LBR_SELECT && strikes(m, LBR_SELECT_READS_ZERO) ? 0
                                                                        : below(LBR_SELECT_READS_ZERO, stored_shown));

INSTEAD(lbr_ctl_shown, control_zero,
        strikes(m, LBR_SELECT_READS_ZERO) ? 0 : below(LBR_SELECT_READS_ZERO, lbr_ctl_shown));
DEFECT(LBR_SELECT_READS_ZERO, "lbr-select-reads-zero", "MSR_LBR_SELECT or IA32_LBR_CTL reads as 0 whatever it holds",
       "class: a write-only register", ALSO_ON("sapphire-rapids"),
       STANDS_IN(FOR(stored_shown, filter_zero), FOR(lbr_ctl_shown, control_zero)));

/* ---- Reads that differ */

struct flapping {
    uint32_t reads;
};

static uint64_t misc_enable_flaps(struct model *m, unsigned which)
{
    uint64_t value = replaced(m, MISC_ENABLE_FLAPS, stored_shown)(m, which);
    if (which != STORED_MISC_ENABLE || !strikes(m, MISC_ENABLE_FLAPS))
        return value;
    uint32_t read = ++memory(m, MISC_ENABLE_FLAPS, struct flapping)->reads + 1 + m->cpu;
    return value ^ (read % 3 ? 0 : MISC_ENABLE_TM1);
}
DEFECT(MISC_ENABLE_FLAPS, "misc-enable-flaps", "a bit of MISC_ENABLE reads differently each time",
       "class: a metastable read path", STANDS_IN(FOR(stored_shown, misc_enable_flaps)));

static uint32_t microcode_flaps(struct model *m)
{
    uint32_t revision = replaced(m, MICROCODE_FLAPS, microcode_shown)(m);
    if (!strikes(m, MICROCODE_FLAPS))
        return revision;
    return revision + (memory(m, MICROCODE_FLAPS, struct flapping)->reads++ > 0);
}
DEFECT(MICROCODE_FLAPS, "microcode-flaps", "the microcode's revision reads one higher from the second time on",
       "class: firmware loads another one behind the system", MEANT_FOR("handoff.settings"),
       STANDS_IN(FOR(microcode_shown, microcode_flaps)));
