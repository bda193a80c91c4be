/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of event selects and control registers: what they keep, and how they read. */
#define CHAPTERS "access.*,enum.*,global.*,gp.*,fixed.*,handoff.*,inuse.*,share.*"
#include "reference/deviations/stand_in.h"

#define EVENT_SELECT MASK(7, 0)
#define FIXED_CTR0_RINGS (FIXED_OS(0) | FIXED_USR(0))

/* ---- Event selects */

DEFECT(enumerated_evtsel_faults, INSTEAD(evtsel_read, last_gp(m, n), false),
       "RDMSR of the last IA32_PERFEVTSELn is a #GP", "class: counters fused off after enumeration");

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

DEFECT(unavailable_event_faults, INSTEAD(evtsel_taken, (value & EVENT_SELECT) && !event_shown(m, value), false),
       "WRMSR of IA32_PERFEVTSELn with an event that leaf 0AH does not show is a #GP", "hypervisors that filter events",
       MEANT_FOR("enum.*"));

struct before_last_write {
    uint64_t evtsel[GP_MAX];
};

DEFECT(evtsel4_7_readback_stale,
       ALL(NOTES(evtsel_kept, true, memory(struct before_last_write)->evtsel[n] = was),
           AFTER(evtsel_read, good && (n >= 4), *value = memory(struct before_last_write)->evtsel[n])),
       "without hyper-threading, RDMSR of IA32_PERFEVTSEL4 to 7 returns the value before the last write",
       "BV80, BV86; Ivy Bridge", MIMICS(ERRATUM_ON("sandy-bridge", "BV80", 0x306a9, 0x21, 0, 1)),
       PREPARED(deviation_without_threads));
DEFECT(evtsel_int_needs_event, BEFORE(evtsel_kept, !(value & EVENT_SELECT), value &= ~EVTSEL_INT),
       "IA32_PERFEVTSELn keeps INT only with an event select", "class");

struct zeros_written {
    uint64_t of[GP_MAX];
};

DEFECT(evtsel_event_stays,
       BEFORE(evtsel_kept,
              !value && ((was & EVTSEL_OS) && (was & MASK(15, 0)) == ARCH_EVENT_BRANCHES) &&
                  ++memory(struct zeros_written)->of[n] % parameter() == 0,
              value = was & EVENT_SELECT),
       "every fourth write of 0 to an IA32_PERFEVTSELn that counted branches leaves its event select", "class",
       PARAMETER("every", 1, 1000, 4), ON_EACH_GENERATION);
DEFECT(evtsel_en_needs_event, BEFORE(evtsel_kept, !(value & EVENT_SELECT), value &= ~EVTSEL_EN),
       "IA32_PERFEVTSELn keeps EN only with an event select", "class", MEANT_FOR("share.misbehaviour,access.*"),
       ON_EACH_GENERATION);
DEFECT(evtsel_write_adds,
       NOTES(evtsel_kept, true,
             for (unsigned i = 0; i < m->active.count && strikes(); i++)(*m->active.list[i].value)++),
       "a write of an event select adds one to each counter that is on", "class: a select line that glitches",
       MEANT_FOR("gp.*"), ON_EACH_GENERATION);
DEFECT(evtsel_write_clears_status, BEFORE(evtsel_kept, true, m->status.bits &= ~STATUS_GP(n)),
       "a write of an event select clears its counter's overflow bit", "class: a new use begins anew",
       MEANT_FOR("overflow.*"));
DEFECT(evtsel_locked, BEFORE(evtsel_kept, (was & EVENT_SELECT) && (value & EVENT_SELECT), value = was),
       "the control of a claimed counter can be cleared and not changed", "class", ON_EACH_GENERATION);
DEFECT(evtsel0_bit_lost_on_last_cpu, BEFORE(evtsel_kept, n == 0 && last_cpu(m), value &= ~EVTSEL_EDGE),
       "the last CPU's IA32_PERFEVTSEL0 does not keep EDGE", "class: one bad core of a fleet");

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

/* A register that takes over one word, or two. */
static void take_words(struct model *m, uint64_t *of, unsigned first, unsigned words)
{
    uint32_t low, high = 0;
    if (!word_handed(m, first, &low) || (words > 1 && !word_handed(m, first + 1, &high)))
        return;
    *of = low | (uint64_t)high << 32;
    mark_stale(m);
}

DEFECT(evtsel_of_both_threads,
       ALL(AFTER(evtsel_kept, true, hand_word(m, n, (uint32_t)good)),
           NOTES(evtsel_read, n < m->p.gp_count, take_words(m, &m->controls.evtsel[n], n, 1))),
       "a write to an event select also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));

DEFECT(global_ctrl_of_both_threads,
       ALL(AFTER(stored_kept, which == STORED_GLOBAL_CTRL, hand_word(m, 0, (uint32_t)good);
                 hand_word(m, 1, (uint32_t)(good >> 32))),
           NOTES(stored_shown, which == STORED_GLOBAL_CTRL, take_words(m, &m->controls.stored[which], 0, 2))),
       "a write to GLOBAL_CTRL also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));

DEFECT(fixed_ctrl_of_both_threads,
       ALL(AFTER(stored_kept, which == STORED_FIXED_CTR_CTRL, hand_word(m, 0, (uint32_t)good)),
           NOTES(stored_shown, which == STORED_FIXED_CTR_CTRL, take_words(m, &m->controls.stored[which], 0, 1))),
       "a write to FIXED_CTR_CTRL also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));
DEFECT(evtsel_write_leaks_down, BEFORE(evtsel_kept, n > 0, m->controls.evtsel[n - 1] ^= EVTSEL_UMASK(1)),
       "writing IA32_PERFEVTSELn changes a bit of the one before it", "class: a wrong address line");
DEFECT(evtsel_write_leaks_to_last,
       BEFORE(evtsel_kept, n == 0, m->controls.evtsel[m->p.gp_count - 1] ^= EVTSEL_UMASK(1)),
       "writing IA32_PERFEVTSEL0 changes a bit of the last one", "class: a wrong address line", ON_EACH_GENERATION,
       MEANT_FOR("gp.neighbours"));

/* Counts the reads of an event select since it was written: a later read may differ from the first. */
STAND_IN(evtsel_read_flaps, evtsel_read)
{
    if (!below(evtsel_read))
        return false;
    uint64_t *reads = &memory(struct zeros_written)->of[n];
    if (++*reads % parameter() == 0 && strikes())
        *value = 0;
    return true;
}

DEFECT(evtsel_read_flaps, ALL(NOTES(evtsel_kept, true, memory(struct zeros_written)->of[n] = 0), FUNCTIONS),
       "the second read of IA32_PERFEVTSELn after a write shows 0", "class of BV80", PARAMETER("every", 2, 1000, 2),
       ON_EACH_GENERATION, MEANT_FOR("share.*"));
DEFECT(evtsel_event_needs_en, BEFORE(evtsel_kept, !(value & EVTSEL_EN), value &= ~EVENT_SELECT),
       "IA32_PERFEVTSELn keeps its event select only with EN", "class", ON_EACH_GENERATION);

/* ---- What control registers keep */

DEFECT(global_ctrl_drops_last,
       BEFORE(stored_kept, which == STORED_GLOBAL_CTRL, value &= ~GLOBAL_GP(m->p.gp_count - 1u)),
       "GLOBAL_CTRL does not keep the last GP counter's bit", "class");
DEFECT(global_ctrl_drops_gp, BEFORE(stored_kept, which == STORED_GLOBAL_CTRL, value &= ~width_mask(m->p.gp_count)),
       "GLOBAL_CTRL keeps no GP counter's bit", "class", MEANT_FOR("share.*"), ON_EACH_GENERATION);
DEFECT(global_ctrl_never_all,
       BEFORE(stored_kept, which == STORED_GLOBAL_CTRL && !(~value & all_counters(m)), value &= ~GLOBAL_GP(0)),
       "written with the bits of all counters GLOBAL_CTRL does not keep the first one's", "class: one write port short",
       MEANT_FOR("global.ctrl-read-back"));
DEFECT(global_ctrl_sets_neighbour,
       BEFORE(stored_kept, which == STORED_GLOBAL_CTRL, value |= value << 1 & all_counters(m)),
       "a bit written to GLOBAL_CTRL sets the next one too", "class");
DEFECT(fixed_ctrl_drops_usr, BEFORE(stored_kept, which == STORED_FIXED_CTR_CTRL, value &= ~FIXED_USR(2)),
       "FIXED_CTR_CTRL does not keep the USR bit of fixed counter 2", "class");
DEFECT(fixed_ctrl_enables_both,
       BEFORE(stored_kept, which == STORED_FIXED_CTR_CTRL && (value & FIXED_CTR0_RINGS), value |= FIXED_CTR0_RINGS),
       "one enable bit written for fixed counter 0 sets the other too", "class");
DEFECT(global_bit_dead, CHANGED(global_ctrl_kept, true, good & ~all_counters(m)),
       "a counter's bit of GLOBAL_CTRL stays 0", "class: one bad bit", EACH_COUNTER, ALSO_ON("lunar-lake"),
       MEANT_FOR("global.ctrl-read-back,enum.fixed-bitmap,share.misbehaviour"));
DEFECT(fixed_ctrl_bit_dead, CHANGED(stored_kept, which == STORED_FIXED_CTR_CTRL, good & ~BIT(parameter())),
       "a bit of FIXED_CTR_CTRL stays 0", "class: one bad bit", PARAMETER("bit", 1, 63, 4),
       MEANT_FOR("access.*,share.freeze-refused"));
DEFECT(fixed_ctrl_drops_pmi,
       BEFORE(stored_kept, which == STORED_FIXED_CTR_CTRL, value &= ~(FIXED_PMI(0) | FIXED_PMI(1) | FIXED_PMI(2))),
       "FIXED_CTR_CTRL does not keep its PMI bits", "class", MEANT_FOR("access.*,share.misbehaviour"));

/* ---- Reads that show an older value */

/* Returns the older value, once; 0: there is none. */
static uint64_t take_stale(uint64_t *stale)
{
    uint64_t value = *stale;
    *stale = 0;
    return value;
}

/* Remembers the value before a write of 0, until the next write. */
static void remember_cleared(uint64_t *stale, uint64_t was, uint64_t value)
{
    if (value || was)
        *stale = value ? 0 : was;
}

DEFECT(global_ctrl_reads_stale,
       ALL(NOTED(stored_kept, which == STORED_GLOBAL_CTRL, remember_cleared(memory(uint64_t), was, good)),
           INSTEAD(stored_shown, which == STORED_GLOBAL_CTRL && noted, take_stale(memory(uint64_t)))),
       "the first read of GLOBAL_CTRL after a write of 0 shows what it held", "class of BV80");

/* Remembers fixed counters' bits that the last write has set. */
DEFECT(global_ctrl_fixed_late,
       ALL(NOTED(stored_kept, which == STORED_GLOBAL_CTRL, noted = good & ~was & ~width_mask(32)),
           AFTER(stored_shown, which == STORED_GLOBAL_CTRL, good ^= noted; noted = 0)),
       "the first read of GLOBAL_CTRL after a write does not show the fixed bits that it set", "class of BV80");
DEFECT(ds_area_reads_stale,
       ALL(NOTES(stored_kept, which == STORED_DS_AREA, noted = value ? was : 0),
           INSTEAD(stored_shown, which == STORED_DS_AREA && noted, noted)),
       "after one area was exchanged for another, IA32_DS_AREA reads as before", "class of BV80", MEANT_FOR("pebs.*"));
DEFECT(pebs_enable_reads_stale,
       ALL(NOTES(stored_kept, which == STORED_PEBS_ENABLE, noted = value ? 0 : was),
           INSTEAD(stored_shown, which == STORED_PEBS_ENABLE && noted, take_stale(memory(uint64_t)))),
       "the first read of IA32_PEBS_ENABLE after a write of 0 shows what it held", "class of BV80",
       MEANT_FOR("pebs.*,share.features-in-use"));
DEFECT(data_cfg_reads_stale,
       ALL(NOTES(stored_kept, which == STORED_PEBS_DATA_CFG, noted = value ? 0 : was),
           INSTEAD(stored_shown, which == STORED_PEBS_DATA_CFG && noted, take_stale(memory(uint64_t)))),
       "the first read of MSR_PEBS_DATA_CFG after a write of 0 shows what it held", "class of BV80",
       MEANT_FOR("pebs.*"), ON("ice-lake"));

/* ---- Filters */

DEFECT(pebs_enable_reads_zero, INSTEAD(stored_shown, which == STORED_PEBS_ENABLE, 0),
       "IA32_PEBS_ENABLE reads as 0 whatever it holds", "class: a write-only register", ALSO_ON("lunar-lake"));
DEFECT(pebs_enable_drops_latency,
       BEFORE(stored_kept, which == STORED_PEBS_ENABLE && !(m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE),
              value &= ~MASK(35, 32)),
       "IA32_PEBS_ENABLE does not keep its load latency bits", "class");

static bool is_offcore(unsigned which)
{
    return which == STORED_OFFCORE_RSP0 || which == STORED_OFFCORE_RSP1;
}

DEFECT(offcore_rsp_reads_zero, INSTEAD(stored_shown, is_offcore(which), 0),
       "MSR_OFFCORE_RSP_n reads as 0 whatever it holds", "class: a write-only register");
DEFECT(offcore_rsp_stays, BEFORE(stored_kept, is_offcore(which) && !value, value = was),
       "a write of 0 to MSR_OFFCORE_RSP_n leaves what it held", "class");
DEFECT(offcore_rsp_counts,
       BEFORE(stored_kept, is_offcore(which),
              m->counters.pmc[1] = (m->counters.pmc[1] + 1) & width_mask(m->p.gp_width)),
       "a write of MSR_OFFCORE_RSP_n adds one to IA32_PMC1, even if stopped", "class: a strobe next to another",
       MEANT_FOR("access.nothing-else"));

static uint64_t *module_filter(struct model *m, unsigned which)
{
    return &m->sharing.pair->filter[which - STORED_OFFCORE_RSP0];
}

VARIATION(offcore_rsp_of_module,
          ALL(BEFORE(stored_kept, is_offcore(which), shared_set(module_filter(m, which), value)),
              INSTEAD(stored_shown, is_offcore(which), shared_get(module_filter(m, which)))),
          "two cores share MSR_OFFCORE_RSP_n", "SDM 3B, Off-core Response Event; Silvermont: registers of the module",
          ON("silvermont"));
DEFECT(lbr_select_stays,
       ALL(BEFORE(stored_kept, which == STORED_LBR_SELECT && !value, value = was),
           CHANGED(lbr_ctl_kept, !good, m->lbr.ctl)),
       "a write of 0 to MSR_LBR_SELECT or IA32_LBR_CTL leaves what it held", "class",
       MEANT_FOR("share.features-in-use"), ALSO_ON("sapphire-rapids"));
DEFECT(lbr_select_reads_zero,
       ALL(INSTEAD(stored_shown, which == STORED_LBR_SELECT, 0), INSTEAD(lbr_ctl_shown, true, 0)),
       "MSR_LBR_SELECT or IA32_LBR_CTL reads as 0 whatever it holds", "class: a write-only register",
       ALSO_ON("sapphire-rapids"));

/* ---- Reads that differ */

DEFECT(misc_enable_flaps,
       CHANGED(stored_shown, which == STORED_MISC_ENABLE, good ^ ((++noted + 1 + m->cpu) % 3 ? 0 : MISC_ENABLE_TM1)),
       "a bit of MISC_ENABLE reads differently each time", "class: a metastable read path");
/* Is any counter enabled? */
static bool counts(const struct model *m)
{
    return m->controls.stored[STORED_GLOBAL_CTRL];
}

DEFECT(leaf_shows_free_counters,
       CHANGED(leaf_0a_shown, i == 0 && counts(m) && (m->status.bits & STATUS_CTR_FRZ), good - (1 << 8)),
       "while counters are enabled and frozen CPUID.0AH:EAX tells of one counter less", "class: free read as there",
       MEANT_FOR("enum.while-in-use"));
DEFECT(capabilities_beside_sampling,
       CHANGED(capabilities_shown, counts(m) && m->controls.stored[STORED_PEBS_ENABLE],
               good & ~PERF_CAP_FREEZE_WHILE_SMM),
       "IA32_PERF_CAPABILITIES[12] is 0 while counters count and sample", "class: free read as there",
       MEANT_FOR("enum.while-in-use"));
DEFECT(unavailable_while_sampling,
       CHANGED(stored_shown, which == STORED_MISC_ENABLE && m->controls.stored[STORED_PEBS_ENABLE],
               good | MISC_ENABLE_PEBS_UNAVAILABLE),
       "MISC_ENABLE[12] says that sampling is not available while it is in use", "class: free read as there",
       MEANT_FOR("enum.while-in-use"));
DEFECT(microcode_flaps, CHANGED(microcode_shown, true, good + (noted++ > 0)),
       "the microcode's revision reads one higher from the second time on",
       "class: firmware loads another one behind the system", MEANT_FOR("handoff.settings"));

/* ---- Combinations of bits, and registers beside the one that is written */

DEFECT(fixed_pmi_of_two_lost,
       CHANGED(stored_kept, which == STORED_FIXED_CTR_CTRL && (good & FIXED_PMI(0)) && (good & FIXED_PMI(1)),
               good & ~FIXED_PMI(1)),
       "the PMI bit of fixed counter 1 is not kept beside that of fixed counter 0", "class: crossed wires",
       ALSO_ON("haswell", "lunar-lake"), MEANT_FOR("access.combinations"));
DEFECT(evtsel_cuts_the_one_below,
       BEFORE(evtsel_kept, n && (value & EVTSEL_EDGE) && (value & EVTSEL_INV),
              m->controls.evtsel[n - 1] &= ~EVTSEL_UMASK(1)),
       "an event select with EDGE and INV clears the lowest bit of the unit mask of the one below it",
       "class: crossed wires", ALSO_ON("haswell", "lunar-lake"), MEANT_FOR("access.combinations"));
DEFECT(fixed_control_again_stops_cycles,
       ALL(NOTED(stored_kept, which == STORED_FIXED_CTR_CTRL, noted = was == value && value),
           CHANGED(globally_enabled, noted, good & ~GLOBAL_FIXED(1))),
       "a write of IA32_FIXED_CTR_CTRL that changes nothing stops fixed counter 1 until the next one",
       "class: an enable that only an edge sets", ALSO_ON("haswell", "lunar-lake"), MEANT_FOR("global.while-running"));
DEFECT(disable_sets_instructions_back,
       AFTER(stored_kept,
             which == STORED_GLOBAL_CTRL && (was & ~value & MASK(31, 0)) && (was & value & GLOBAL_FIXED(0)),
             m->counters.fixed[0] /= 2),
       "taking a GP counter's enable away sets fixed counter 0 back to half its count",
       "class: a prescaler that is cleared", ALSO_ON("lunar-lake"), MEANT_FOR("global.while-running"));
DEFECT(disable_stops_the_next,
       ALL(NOTED(stored_kept, which == STORED_GLOBAL_CTRL, noted = (was & ~value & 1) && (value & 2)),
           CHANGED(globally_enabled, noted, good & ~2ull)),
       "taking PMC0's enable away stops PMC1 as well, until the next write", "class: crossed wires",
       ALSO_ON("haswell", "lunar-lake"), MEANT_FOR("global.while-running"));
DEFECT(rdpmc_of_cycles_while_frozen,
       CHANGED(rdpmc_shown, bit == 33 && (m->status.bits & STATUS_CTR_FRZ), m->counters.fixed[0]),
       "RDPMC of fixed counter 1 shows fixed counter 0 while CTR_FRZ is set", "class: crossed wires",
       ALSO_ON("lunar-lake"), MEANT_FOR("freeze.software"));
DEFECT(rings_beside_fixed,
       CHANGED(gp_rings,
               n == 1 && good == RING_USR &&
                   (m->controls.stored[STORED_FIXED_CTR_CTRL] & (FIXED_OS(1) | FIXED_USR(1))) == FIXED_OS(1),
               RING_OS | RING_USR),
       "PMC1 with USR counts at CPL 0, too, while fixed counter 1 counts there alone", "class: crossed wires",
       ALSO_ON("haswell", "lunar-lake"), MEANT_FOR("global.every-ring"));
