/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of event selects and control registers: what they keep, and how they read. */
#define CHAPTERS "access.*,enum.*,global.*,gp.*,fixed.*,handoff.*,inuse.*,share.*"
#include "reference/deviations/stand_in.h"

#define EVENT_SELECT MASK(7, 0)

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

STAND_IN(evtsel4_7_readback_stale, evtsel_kept)
{
    memory(struct before_last_write)->evtsel[n] = was;
    return below(evtsel_kept);
}

STAND_IN(evtsel4_7_readback_stale, evtsel_read)
{
    if (!below(evtsel_read))
        return false;
    if (n >= 4 && strikes())
        *value = memory(struct before_last_write)->evtsel[n];
    return true;
}
DEFECT(evtsel4_7_readback_stale, FUNCTIONS,
       "without hyper-threading, RDMSR of IA32_PERFEVTSEL4 to 7 returns the value before the last write",
       "BV80, BV86; Ivy Bridge", MIMICS(ERRATUM_ON("sandy-bridge", "BV80", 0x306a9, 0x21, 0, 1)),
       PREPARED(deviation_without_threads));
DEFECT(evtsel_int_needs_event, BEFORE(evtsel_kept, !(value & EVENT_SELECT), value &= ~EVTSEL_INT),
       "IA32_PERFEVTSELn keeps INT only with an event select", "class");

struct zeros_written {
    uint64_t of[GP_MAX];
};

STAND_IN(evtsel_event_stays, evtsel_kept)
{
    uint64_t *zeros = &memory(struct zeros_written)->of[n];
    bool branches = (was & EVTSEL_OS) && (was & MASK(15, 0)) == ARCH_EVENT_BRANCHES;
    if (!value && branches && ++*zeros % parameter() == 0 && strikes())
        value = was & EVENT_SELECT;
    return below(evtsel_kept);
}
DEFECT(evtsel_event_stays, FUNCTIONS,
       "every fourth write of 0 to an IA32_PERFEVTSELn that counted branches leaves its event select", "class",
       PARAMETER("every", 1, 1000, 4), ON_EACH_GENERATION);
DEFECT(evtsel_en_needs_event, BEFORE(evtsel_kept, !(value & EVENT_SELECT), value &= ~EVTSEL_EN),
       "IA32_PERFEVTSELn keeps EN only with an event select", "class", MEANT_FOR("share.misbehaviour,access.*"),
       ON_EACH_GENERATION);

STAND_IN(evtsel_write_adds, evtsel_kept)
{
    for (unsigned i = 0; i < m->active.count && strikes(); i++)
        ++*m->active.list[i].value;
    return below(evtsel_kept);
}
DEFECT(evtsel_write_adds, FUNCTIONS, "a write of an event select adds one to each counter that is on",
       "class: a select line that glitches", MEANT_FOR("gp.*"), ON_EACH_GENERATION);
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

STAND_IN(evtsel_of_both_threads, evtsel_kept)
{
    value = below(evtsel_kept);
    if (strikes())
        hand_word(m, n, (uint32_t)value);
    return value;
}

STAND_IN(evtsel_of_both_threads, evtsel_read)
{
    uint32_t handed;
    if (n < m->p.gp_count && word_handed(m, n, &handed)) {
        m->controls.evtsel[n] = handed;
        mark_stale(m);
    }
    return below(evtsel_read);
}
DEFECT(evtsel_of_both_threads, FUNCTIONS, "a write to an event select also goes to that of the core's other thread",
       "class: a thread's number lost", MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));

STAND_IN(global_ctrl_of_both_threads, stored_kept)
{
    value = below(stored_kept);
    if (which == STORED_GLOBAL_CTRL && strikes()) {
        hand_word(m, 0, (uint32_t)value);
        hand_word(m, 1, (uint32_t)(value >> 32));
    }
    return value;
}

STAND_IN(global_ctrl_of_both_threads, stored_shown)
{
    uint32_t low, high;
    if (which == STORED_GLOBAL_CTRL && word_handed(m, 0, &low) && word_handed(m, 1, &high)) {
        m->controls.stored[which] = low | (uint64_t)high << 32;
        mark_stale(m);
    }
    return below(stored_shown);
}
DEFECT(global_ctrl_of_both_threads, FUNCTIONS, "a write to GLOBAL_CTRL also goes to that of the core's other thread",
       "class: a thread's number lost", MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));

STAND_IN(fixed_ctrl_of_both_threads, stored_kept)
{
    value = below(stored_kept);
    if (which == STORED_FIXED_CTR_CTRL && strikes())
        hand_word(m, 0, (uint32_t)value);
    return value;
}

STAND_IN(fixed_ctrl_of_both_threads, stored_shown)
{
    uint32_t handed;
    if (which == STORED_FIXED_CTR_CTRL && word_handed(m, 0, &handed)) {
        m->controls.stored[which] = handed;
        mark_stale(m);
    }
    return below(stored_shown);
}
DEFECT(fixed_ctrl_of_both_threads, FUNCTIONS, "a write to FIXED_CTR_CTRL also goes to that of the core's other thread",
       "class: a thread's number lost", MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));
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

STAND_IN(evtsel_read_flaps, evtsel_kept)
{
    memory(struct zeros_written)->of[n] = 0;
    return below(evtsel_kept);
}
DEFECT(evtsel_read_flaps, FUNCTIONS, "the second read of IA32_PERFEVTSELn after a write shows 0", "class of BV80",
       PARAMETER("every", 2, 1000, 2), ON_EACH_GENERATION, MEANT_FOR("share.*"));
DEFECT(evtsel_event_needs_en, BEFORE(evtsel_kept, !(value & EVTSEL_EN), value &= ~EVENT_SELECT),
       "IA32_PERFEVTSELn keeps its event select only with EN", "class", ON_EACH_GENERATION);

/* ---- What control registers keep */

DEFECT(global_ctrl_drops_last,
       BEFORE(stored_kept, which == STORED_GLOBAL_CTRL, value &= ~GLOBAL_GP(m->p.gp_count - 1u)),
       "GLOBAL_CTRL does not keep the last GP counter's bit", "class");
DEFECT(global_ctrl_drops_gp, BEFORE(stored_kept, which == STORED_GLOBAL_CTRL, value &= ~width_mask(m->p.gp_count)),
       "GLOBAL_CTRL keeps no GP counter's bit", "class", MEANT_FOR("share.*"), ON_EACH_GENERATION);

STAND_IN(global_ctrl_never_all, stored_kept)
{
    uint64_t all = width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
    if (which == STORED_GLOBAL_CTRL && (value & all) == all && strikes())
        value &= ~GLOBAL_GP(0);
    return below(stored_kept);
}
DEFECT(global_ctrl_never_all, FUNCTIONS,
       "written with the bits of all counters GLOBAL_CTRL does not keep the first one's", "class: one write port short",
       MEANT_FOR("global.ctrl-read-back"));
DEFECT(global_ctrl_sets_neighbour,
       BEFORE(stored_kept, which == STORED_GLOBAL_CTRL,
              value |= value << 1 & (width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32)),
       "a bit written to GLOBAL_CTRL sets the next one too", "class");
DEFECT(fixed_ctrl_drops_usr, BEFORE(stored_kept, which == STORED_FIXED_CTR_CTRL, value &= ~FIXED_USR(2)),
       "FIXED_CTR_CTRL does not keep the USR bit of fixed counter 2", "class");

STAND_IN(fixed_ctrl_enables_both, stored_kept)
{
    uint64_t both = FIXED_OS(0) | FIXED_USR(0);
    if (which == STORED_FIXED_CTR_CTRL && (value & both) && strikes())
        value |= both;
    return below(stored_kept);
}
DEFECT(fixed_ctrl_enables_both, FUNCTIONS, "one enable bit written for fixed counter 0 sets the other too", "class");

static uint64_t counters_of(const struct model *m)
{
    return width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
}

DEFECT(global_bit_dead, CHANGED(global_ctrl_kept, true, good & ~counters_of(m)),
       "a counter's bit of GLOBAL_CTRL stays 0", "class: one bad bit", EACH_COUNTER, ALSO_ON("lunar-lake"),
       MEANT_FOR("global.ctrl-read-back,enum.fixed-bitmap,share.misbehaviour"));
DEFECT(fixed_ctrl_bit_dead, CHANGED(stored_kept, which == STORED_FIXED_CTR_CTRL, good & ~BIT(parameter())),
       "a bit of FIXED_CTR_CTRL stays 0", "class: one bad bit", PARAMETER("bit", 1, 63, 4),
       MEANT_FOR("access.*,share.freeze-refused"));
DEFECT(fixed_ctrl_drops_pmi,
       BEFORE(stored_kept, which == STORED_FIXED_CTR_CTRL, value &= ~(FIXED_PMI(0) | FIXED_PMI(1) | FIXED_PMI(2))),
       "FIXED_CTR_CTRL does not keep its PMI bits", "class", MEANT_FOR("access.*,share.misbehaviour"));

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

STAND_IN(global_ctrl_reads_stale, stored_kept)
{
    value = below(stored_kept);
    if (which == STORED_GLOBAL_CTRL)
        remember_cleared(memory(struct stale), was, value);
    return value;
}

STAND_IN(global_ctrl_reads_stale, stored_shown)
{
    struct stale *stale = memory(struct stale);
    bool late = which == STORED_GLOBAL_CTRL && stale->value && strikes();
    return late ? take_stale(stale) : below(stored_shown);
}
DEFECT(global_ctrl_reads_stale, FUNCTIONS, "the first read of GLOBAL_CTRL after a write of 0 shows what it held",
       "class of BV80");

/* Remembers fixed counters' bits that the last write has set. */
STAND_IN(global_ctrl_fixed_late, stored_kept)
{
    value = below(stored_kept);
    if (which == STORED_GLOBAL_CTRL)
        memory(struct stale)->value = value & ~was & ~width_mask(32);
    return value;
}

STAND_IN(global_ctrl_fixed_late, stored_shown)
{
    struct stale *late = memory(struct stale);
    uint64_t value = below(stored_shown);
    if (which != STORED_GLOBAL_CTRL || !strikes())
        return value;
    value ^= late->value;
    late->value = 0;
    return value;
}
DEFECT(global_ctrl_fixed_late, FUNCTIONS,
       "the first read of GLOBAL_CTRL after a write does not show the fixed bits that it set", "class of BV80");

STAND_IN(ds_area_reads_stale, stored_kept)
{
    if (which == STORED_DS_AREA)
        memory(struct stale)->value = value ? was : 0;
    return below(stored_kept);
}

STAND_IN(ds_area_reads_stale, stored_shown)
{
    uint64_t value = memory(struct stale)->value;
    if (which == STORED_DS_AREA && value && strikes())
        return value;
    return below(stored_shown);
}
DEFECT(ds_area_reads_stale, FUNCTIONS, "after one area was exchanged for another, IA32_DS_AREA reads as before",
       "class of BV80", MEANT_FOR("pebs.*"));

STAND_IN(pebs_enable_reads_stale, stored_kept)
{
    if (which == STORED_PEBS_ENABLE)
        memory(struct stale)->value = value ? 0 : was;
    return below(stored_kept);
}

STAND_IN(pebs_enable_reads_stale, stored_shown)
{
    struct stale *stale = memory(struct stale);
    bool late = which == STORED_PEBS_ENABLE && stale->value && strikes();
    return late ? take_stale(stale) : below(stored_shown);
}
DEFECT(pebs_enable_reads_stale, FUNCTIONS, "the first read of IA32_PEBS_ENABLE after a write of 0 shows what it held",
       "class of BV80", MEANT_FOR("pebs.*,share.features-in-use"));

STAND_IN(data_cfg_reads_stale, stored_kept)
{
    if (which == STORED_PEBS_DATA_CFG)
        memory(struct stale)->value = value ? 0 : was;
    return below(stored_kept);
}

STAND_IN(data_cfg_reads_stale, stored_shown)
{
    struct stale *stale = memory(struct stale);
    bool late = which == STORED_PEBS_DATA_CFG && stale->value && strikes();
    return late ? take_stale(stale) : below(stored_shown);
}
DEFECT(data_cfg_reads_stale, FUNCTIONS, "the first read of MSR_PEBS_DATA_CFG after a write of 0 shows what it held",
       "class of BV80", MEANT_FOR("pebs.*"), ON("ice-lake"));

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

STAND_IN(offcore_rsp_of_module, stored_kept)
{
    if (is_offcore(which) && strikes())
        shared_set(module_filter(m, which), value);
    return below(stored_kept);
}

STAND_IN(offcore_rsp_of_module, stored_shown)
{
    return is_offcore(which) && strikes() ? shared_get(module_filter(m, which)) : below(stored_shown);
}
VARIATION(offcore_rsp_of_module, FUNCTIONS, "two cores share MSR_OFFCORE_RSP_n",
          "SDM 3B, Off-core Response Event; Silvermont: registers of the module", ON("silvermont"));

STAND_IN(lbr_select_stays, stored_kept)
{
    if (which == STORED_LBR_SELECT && !value && strikes())
        value = was;
    return below(stored_kept);
}

STAND_IN(lbr_select_stays, lbr_ctl_kept)
{
    uint64_t good = below(lbr_ctl_kept);
    return !good && strikes() ? m->lbr.ctl : good;
}
DEFECT(lbr_select_stays, FUNCTIONS, "a write of 0 to MSR_LBR_SELECT or IA32_LBR_CTL leaves what it held", "class",
       MEANT_FOR("share.features-in-use"), ALSO_ON("sapphire-rapids"));

STAND_IN(lbr_select_reads_zero, stored_shown)
{
    return which == STORED_LBR_SELECT && strikes() ? 0 : below(stored_shown);
}

STAND_IN(lbr_select_reads_zero, lbr_ctl_shown)
{
    return strikes() ? 0 : below(lbr_ctl_shown);
}
DEFECT(lbr_select_reads_zero, FUNCTIONS, "MSR_LBR_SELECT or IA32_LBR_CTL reads as 0 whatever it holds",
       "class: a write-only register", ALSO_ON("sapphire-rapids"));

/* ---- Reads that differ */

struct flapping {
    uint32_t reads;
};

STAND_IN(misc_enable_flaps, stored_shown)
{
    uint64_t value = below(stored_shown);
    if (which != STORED_MISC_ENABLE || !strikes())
        return value;
    uint32_t read = ++memory(struct flapping)->reads + 1 + m->cpu;
    return value ^ (read % 3 ? 0 : MISC_ENABLE_TM1);
}
DEFECT(misc_enable_flaps, FUNCTIONS, "a bit of MISC_ENABLE reads differently each time",
       "class: a metastable read path");
DEFECT(microcode_flaps, CHANGED(microcode_shown, true, good + (memory(struct flapping)->reads++ > 0)),
       "the microcode's revision reads one higher from the second time on",
       "class: firmware loads another one behind the system", MEANT_FOR("handoff.settings"));
