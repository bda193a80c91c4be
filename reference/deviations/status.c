/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of IA32_PERF_GLOBAL_STATUS and its two command registers. */
#define CHAPTERS "overflow.*,global.*,access.*,freeze.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Read */

struct flap {
    bool shown; /* the last read showed the overflow bits */
};

static uint64_t flaps(struct model *m)
{
    struct flap *flap = memory(m, STATUS_READ_FLAPS, struct flap);
    flap->shown = !flap->shown;
    return !flap->shown && strikes(m, STATUS_READ_FLAPS) ? 0 : replaced(m, STATUS_READ_FLAPS, status_shown)(m);
}
DEFECT(STATUS_READ_FLAPS, "status-read-flaps", "every second read of STATUS shows no overflow",
       "class: metastable read path", STANDS_IN(FOR(status_shown, flaps)));

static uint64_t cleared_by_read(struct model *m)
{
    uint64_t status = replaced(m, STATUS_CLEARED_BY_READ, status_shown)(m);
    if (strikes(m, STATUS_CLEARED_BY_READ))
        m->status.bits = 0;
    return status;
}
DEFECT(STATUS_CLEARED_BY_READ, "status-cleared-by-read", "RDMSR of STATUS clears it", "class: read-to-clear latches",
       STANDS_IN(FOR(status_shown, cleared_by_read)));

struct command {
    uint64_t written;
};

static void keeps_command(struct model *m, uint64_t value, uint64_t clear)
{
    memory(m, OVF_CTRL_READS_BACK, struct command)->written = value;
    replaced(m, OVF_CTRL_READS_BACK, status_reset)(m, value, clear);
}

INSTEAD(status_command_shown, shows_command,
        !set && strikes(m, OVF_CTRL_READS_BACK) ? memory(m, OVF_CTRL_READS_BACK, struct command)->written
                                                : below(OVF_CTRL_READS_BACK, status_command_shown));
DEFECT(OVF_CTRL_READS_BACK, "ovf-ctrl-reads-back", "STATUS_RESET reads as it was last written",
       "Conroe, and good there", STANDS_IN(FOR(status_reset, keeps_command), FOR(status_command_shown, shows_command)));

/* ---- Written */

static bool writable(struct model *m)
{
    return strikes(m, STATUS_WRITABLE) || replaced(m, STATUS_WRITABLE, status_writable)(m);
}
DEFECT(STATUS_WRITABLE, "status-writable", "WRMSR of STATUS is accepted", "hypervisors",
       STANDS_IN(FOR(status_writable, writable)));

static bool cleared_yet_refused(struct model *m)
{
    bool taken = replaced(m, REFUSED_STATUS_WRITE_CLEARS, status_writable)(m);
    if (!taken && strikes(m, REFUSED_STATUS_WRITE_CLEARS))
        m->status.bits &= ~(MASK(31, 0) | MASK(47, 32));
    return taken;
}
DEFECT(REFUSED_STATUS_WRITE_CLEARS, "refused-status-write-clears",
       "WRMSR of STATUS faults, and clears the counters' bits", "class: a fault that comes too late",
       MEANT_FOR("overflow.read-only"), STANDS_IN(FOR(status_writable, cleared_yet_refused)));

/* Counters that were enabled while their STATUS bits were set. */
struct held {
    uint64_t counters;
};

static uint64_t holds_overflowed(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    uint64_t *counters = &memory(m, STATUS_BIT_HOLDS_COUNTER, struct held)->counters;
    if (which == STORED_GLOBAL_CTRL)
        *counters = ((value & ~was & m->status.bits) | *counters) & value;
    return replaced(m, STATUS_BIT_HOLDS_COUNTER, stored_kept)(m, which, was, value);
}

CHANGED(globally_enabled, unless_held, STATUS_BIT_HOLDS_COUNTER,
        strikes(m, STATUS_BIT_HOLDS_COUNTER)
            ? good & ~(memory(m, STATUS_BIT_HOLDS_COUNTER, struct held)->counters & m->status.bits)
            : good);
DEFECT(STATUS_BIT_HOLDS_COUNTER, "status-bit-holds-counter",
       "a counter that GLOBAL_CTRL enables while its STATUS bit is set does not count until that is cleared",
       "class: one gate for two states", ALSO_ON("lunar-lake"), MEANT_FOR("overflow.kept"),
       STANDS_IN(FOR(stored_kept, holds_overflowed), FOR(globally_enabled, unless_held)));

/* Bits of several counters that one instruction has set at once, while they are set. */
struct together {
    uint64_t bits;
};

static void note_together(struct model *m, uint64_t bits)
{
    if (bits & (bits - 1))
        memory(m, STATUS_RESET_CLEARS_NEIGHBOUR, struct together)->bits = bits;
}

static uint64_t overflow_together(struct model *m, uint64_t wrapped, uint64_t asking)
{
    note_together(m, wrapped);
    return replaced(m, STATUS_RESET_CLEARS_NEIGHBOUR, overflow_status)(m, wrapped, asking);
}

static uint64_t set_together(struct model *m, uint64_t set)
{
    note_together(m, set);
    return replaced(m, STATUS_RESET_CLEARS_NEIGHBOUR, status_set)(m, set);
}

static uint64_t clears_neighbour(struct model *m, uint64_t clear)
{
    struct together *together = memory(m, STATUS_RESET_CLEARS_NEIGHBOUR, struct together);
    uint64_t neighbours = (clear & together->bits) << 1 & together->bits;
    if (neighbours && strikes(m, STATUS_RESET_CLEARS_NEIGHBOUR))
        clear |= neighbours;
    together->bits &= ~clear;
    return replaced(m, STATUS_RESET_CLEARS_NEIGHBOUR, status_cleared)(m, clear);
}
DEFECT(STATUS_RESET_CLEARS_NEIGHBOUR, "status-reset-clears-neighbour",
       "clearing STATUS bit n clears n + 1 too if both were set by the same instruction",
       "class: bits overflowing in one cycle",
       STANDS_IN(FOR(overflow_status, overflow_together), FOR(status_set, set_together),
                 FOR(status_cleared, clears_neighbour)));

INSTEAD(status_cleared, clears_all,
        replaced(m, STATUS_RESET_CLEARS_ALL, status_cleared)(m, strikes(m, STATUS_RESET_CLEARS_ALL) ? ~0ull : clear));
DEFECT(STATUS_RESET_CLEARS_ALL, "status-reset-clears-all", "any write to STATUS_RESET clears all of STATUS",
       "emulators", STANDS_IN(FOR(status_cleared, clears_all)));

static uint64_t clears_no_gp(struct model *m, uint64_t clear)
{
    if (strikes(m, STATUS_RESET_IGNORED))
        clear &= ~width_mask(m->p.gp_count);
    return replaced(m, STATUS_RESET_IGNORED, status_cleared)(m, clear);
}
DEFECT(STATUS_RESET_IGNORED, "status-reset-ignored", "STATUS_RESET does not clear GP bits", "class of AAJ143, BJ58",
       INTERMITTENT, STANDS_IN(FOR(status_cleared, clears_no_gp)));

static void condchgd_at_handoff(struct model *m)
{
    m->p.status |= STATUS_COND_CHGD;
}

static uint64_t condchgd_stays(struct model *m, uint64_t clear)
{
    if (strikes(m, CONDCHGD_STAYS))
        clear &= ~STATUS_COND_CHGD;
    return replaced(m, CONDCHGD_STAYS, status_cleared)(m, clear);
}
DEFECT(CONDCHGD_STAYS, "condchgd-stays", "STATUS[63] is set at hand-off, and STATUS_RESET does not clear it",
       "class of condchgd-sticky", DATA(condchgd_at_handoff), STANDS_IN(FOR(status_cleared, condchgd_stays)));

static uint64_t sets_neighbour(struct model *m, uint64_t set)
{
    if (strikes(m, STATUS_SET_NEIGHBOUR))
        set |= set << 1 & (width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32);
    return replaced(m, STATUS_SET_NEIGHBOUR, status_set)(m, set);
}
DEFECT(STATUS_SET_NEIGHBOUR, "status-set-neighbour", "setting STATUS bit n sets n + 1 too", "class",
       STANDS_IN(FOR(status_set, sets_neighbour)));

INSTEAD(status_set, sets_nothing, strikes(m, STATUS_SET_IGNORED) ? 0 : below(STATUS_SET_IGNORED, status_set));
DEFECT(STATUS_SET_IGNORED, "status-set-ignored", "STATUS_SET has no effect", "hypervisors",
       STANDS_IN(FOR(status_set, sets_nothing)));

CHANGED(status_set, asci_not_set, ASCI_NOT_SET, strikes(m, ASCI_NOT_SET) ? good & ~STATUS_ASCI : good);
DEFECT(ASCI_NOT_SET, "asci-not-set", "STATUS_SET does not set ASCI", "SKL166's class, by software", ON("ice-lake"),
       STANDS_IN(FOR(status_set, asci_not_set)));

CHANGED(status_cleared, asci_stays, ASCI_STAYS, strikes(m, ASCI_STAYS) ? good & ~STATUS_ASCI : good);
DEFECT(ASCI_STAYS, "asci-stays", "STATUS_RESET does not clear ASCI", "class of condchgd-stays", ON("ice-lake"),
       STANDS_IN(FOR(status_cleared, asci_stays)));

static uint64_t set_on_both(struct model *m, uint64_t set)
{
    uint32_t *handed = m->sharing.beside->handed[!(m->cpu % 2)];
    if (strikes(m, STATUS_SET_ON_BOTH_THREADS))
        __atomic_fetch_or(handed, (uint32_t)set, __ATOMIC_ACQ_REL);
    return replaced(m, STATUS_SET_ON_BOTH_THREADS, status_set)(m, set);
}

CHANGED(status_shown, set_by_both, STATUS_SET_ON_BOTH_THREADS,
        good | __atomic_load_n(m->sharing.beside->handed[m->cpu % 2], __ATOMIC_ACQUIRE));

static uint64_t cleared_of_both(struct model *m, uint64_t clear)
{
    __atomic_fetch_and(m->sharing.beside->handed[m->cpu % 2], ~(uint32_t)clear, __ATOMIC_ACQ_REL);
    return replaced(m, STATUS_SET_ON_BOTH_THREADS, status_cleared)(m, clear);
}
DEFECT(STATUS_SET_ON_BOTH_THREADS, "status-set-on-both-threads",
       "STATUS_SET sets GP overflow bits of the core's other thread as well", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), DATA(deviation_with_threads),
       STANDS_IN(FOR(status_set, set_on_both), FOR(status_shown, set_by_both), FOR(status_cleared, cleared_of_both)));

/* STATUS_SET also raises a PMI. */
static uint64_t set_raises(struct model *m, uint64_t set)
{
    if ((set & model_pmi_enabled(m)) && strikes(m, STATUS_SET_RAISES_PMI))
        rule(m, pmi_raise)(m);
    return replaced(m, STATUS_SET_RAISES_PMI, status_set)(m, set);
}
DEFECT(STATUS_SET_RAISES_PMI, "status-set-raises-pmi",
       "setting an overflow bit by software raises a PMI if its counter asks for one",
       "class: the bit and not the wrap raises it", MEANT_FOR("global.*"), STANDS_IN(FOR(status_set, set_raises)));

static uint64_t set_clears_counters(struct model *m, uint64_t set)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        bool counter = bit < 32 ? bit < m->p.gp_count : bit < 48 && model_has_fixed(m, bit - 32);
        if (counter && (set >> bit & 1) && strikes(m, STATUS_SET_CLEARS_COUNTER))
            model_counter_set(m, bit, 0);
    }
    return replaced(m, STATUS_SET_CLEARS_COUNTER, status_set)(m, set);
}
DEFECT(STATUS_SET_CLEARS_COUNTER, "status-set-clears-counter",
       "setting an overflow bit by software leaves its counter at 0, as a wrap would",
       "class: the bit stands for the wrap", MEANT_FOR("global.*"), STANDS_IN(FOR(status_set, set_clears_counters)));

static uint64_t feature_sets(struct model *m, uint64_t set)
{
    if ((set >> parameter(m, STATUS_SET_FEATURE_SETS_0) & 1) && strikes(m, STATUS_SET_FEATURE_SETS_0))
        set |= STATUS_GP(0);
    return replaced(m, STATUS_SET_FEATURE_SETS_0, status_set)(m, set);
}
DEFECT(STATUS_SET_FEATURE_SETS_0, "status-set-feature-sets-0", "setting a feature's bit of STATUS sets bit 0 as well",
       "class: decoder of too few bits", PARAMETER("bit", 48, 63, 58), MEANT_FOR("global.*"),
       STANDS_IN(FOR(status_set, feature_sets)));

static uint64_t feature_clears(struct model *m, uint64_t clear)
{
    if ((clear >> parameter(m, STATUS_RESET_FEATURE_CLEARS_0) & 1) && strikes(m, STATUS_RESET_FEATURE_CLEARS_0))
        clear |= STATUS_GP(0);
    return replaced(m, STATUS_RESET_FEATURE_CLEARS_0, status_cleared)(m, clear);
}
DEFECT(STATUS_RESET_FEATURE_CLEARS_0, "status-reset-feature-clears-0",
       "clearing a feature's bit of STATUS, that of the full buffer, clears bit 0 as well",
       "class: decoder of too few bits", PARAMETER("bit", 48, 63, 62), MEANT_FOR("global.*"),
       STANDS_IN(FOR(status_cleared, feature_clears)));

/* ---- Written while CTR_FRZ is set */

#define OVERFLOW_BITS (MASK(31, 0) | MASK(47, 32))

INSTEAD(status_set, set_ignored_frozen,
        (m->status.bits & STATUS_CTR_FRZ) && strikes(m, STATUS_SET_IGNORED_FROZEN)
            ? 0
            : below(STATUS_SET_IGNORED_FROZEN, status_set));
DEFECT(STATUS_SET_IGNORED_FROZEN, "status-set-ignored-frozen", "STATUS_SET has no effect while CTR_FRZ is set",
       "class: the freeze holds more than the counters", MEANT_FOR("freeze.*"),
       STANDS_IN(FOR(status_set, set_ignored_frozen)));

static uint64_t cleared_with_frz(struct model *m, uint64_t clear)
{
    bool frozen = m->status.bits & STATUS_CTR_FRZ;
    if (frozen && !(clear & STATUS_CTR_FRZ) && strikes(m, STATUS_RESET_NEEDS_FRZ))
        clear &= ~OVERFLOW_BITS;
    return replaced(m, STATUS_RESET_NEEDS_FRZ, status_cleared)(m, clear);
}
DEFECT(STATUS_RESET_NEEDS_FRZ, "status-reset-needs-frz",
       "while CTR_FRZ is set STATUS_RESET clears overflow bits only together with it",
       "class: the freeze holds more than the counters", MEANT_FOR("freeze.*"),
       STANDS_IN(FOR(status_cleared, cleared_with_frz)));

static uint64_t thaws_by_overflow(struct model *m, uint64_t clear)
{
    if ((clear & OVERFLOW_BITS) && strikes(m, STATUS_RESET_THAWS))
        clear |= STATUS_CTR_FRZ;
    return replaced(m, STATUS_RESET_THAWS, status_cleared)(m, clear);
}
DEFECT(STATUS_RESET_THAWS, "status-reset-thaws", "clearing an overflow bit clears CTR_FRZ as well",
       "class: acknowledged as one", MEANT_FOR("freeze.*"), STANDS_IN(FOR(status_cleared, thaws_by_overflow)));

static uint64_t set_clears_global(struct model *m, uint64_t set)
{
    if ((set & STATUS_CTR_FRZ) && strikes(m, STATUS_SET_FRZ_CLEARS_GLOBAL))
        m->controls.stored[STORED_GLOBAL_CTRL] = 0;
    return replaced(m, STATUS_SET_FRZ_CLEARS_GLOBAL, status_set)(m, set);
}
DEFECT(STATUS_SET_FRZ_CLEARS_GLOBAL, "status-set-frz-clears-global", "setting CTR_FRZ by software clears GLOBAL_CTRL",
       "class: the legacy freeze behind the new bit", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(status_set, set_clears_global)));

/* ---- Set at the wrong time */

/* Instructions until wraps set their bits again. */
struct deaf {
    uint64_t instructions;
};

static uint64_t deafens(struct model *m, uint64_t clear)
{
    if (strikes(m, STATUS_RESET_DEAFENS))
        memory(m, STATUS_RESET_DEAFENS, struct deaf)->instructions = parameter(m, STATUS_RESET_DEAFENS);
    return replaced(m, STATUS_RESET_DEAFENS, status_cleared)(m, clear);
}

INSTEAD(overflows_seen, not_seen_soon,
        memory(m, STATUS_RESET_DEAFENS, struct deaf)->instructions ? 0 : below(STATUS_RESET_DEAFENS, overflows_seen));

static void hears_again(struct model *m, const struct retired *instruction)
{
    struct deaf *deaf = memory(m, STATUS_RESET_DEAFENS, struct deaf);
    replaced(m, STATUS_RESET_DEAFENS, after_instruction)(m, instruction);
    deaf->instructions -= deaf->instructions > 0;
}

INSTEAD(each_matters, each_while_deaf,
        memory(m, STATUS_RESET_DEAFENS, struct deaf)->instructions || below(STATUS_RESET_DEAFENS, each_matters));
DEFECT(STATUS_RESET_DEAFENS, "status-reset-deafens",
       "a counter that wraps within 60 instructions of a write to STATUS_RESET wraps without any sign",
       "class: clear and set race", PARAMETER("instructions", 1, 1000000, 60), MEANT_FOR("global.*"),
       STANDS_IN(FOR(status_cleared, deafens), FOR(overflows_seen, not_seen_soon), FOR(after_instruction, hears_again),
                 FOR(each_matters, each_while_deaf)));

/* Those of the started counters whose highest bit is set. */
static uint64_t negative(const struct model *m, uint64_t started)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < m->active.count; i++)
        bits |= *m->active.list[i].value > m->active.list[i].limit / 2 ? BIT(m->active.list[i].bit) : 0;
    return bits & started;
}

static void status_from_sign(struct model *m, uint64_t started, uint64_t stopped)
{
    if (started && strikes(m, STATUS_FROM_SIGN))
        m->status.bits |= negative(m, started);
    replaced(m, STATUS_FROM_SIGN, counting_changed)(m, started, stopped);
}
DEFECT(STATUS_FROM_SIGN, "status-from-sign", "starting a counter whose highest bit is set sets its STATUS bit",
       "Linux tells NetBurst's overflows by the sign bit",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ58", 0x206a7, 0x2f, 0, 0), ERRATUM("AAJ143", 0x106a5, 0x19, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV85", 0x306a9, 0x21, 0, 0)),
       STANDS_IN(FOR(counting_changed, status_from_sign)));

/* STATUS bits that are set later, and in how many instructions. */
struct late {
    uint64_t status;
    uint32_t instructions;
};

static void late_status(struct model *m, struct late *late)
{
    if (!late->instructions || --late->instructions)
        return;
    m->status.bits |= late->status;
    late->status = 0;
    mark_stale(m);
}

static uint64_t will_be_set(struct model *m, uint64_t wrapped, uint64_t asking)
{
    struct late *late = memory(m, WRAPPED_BUT_STATUS_LATE, struct late);
    if (!strikes(m, WRAPPED_BUT_STATUS_LATE))
        return replaced(m, WRAPPED_BUT_STATUS_LATE, overflow_status)(m, wrapped, asking);
    late->status |= wrapped;
    late->instructions = (uint32_t)parameter(m, WRAPPED_BUT_STATUS_LATE);
    return 0;
}

static void is_set_late(struct model *m, const struct retired *instruction)
{
    replaced(m, WRAPPED_BUT_STATUS_LATE, after_instruction)(m, instruction);
    late_status(m, memory(m, WRAPPED_BUT_STATUS_LATE, struct late));
}

PENDS(WRAPPED_BUT_STATUS_LATE, memory(m, WRAPPED_BUT_STATUS_LATE, struct late)->instructions);
DEFECT(WRAPPED_BUT_STATUS_LATE, "wrapped-but-status-late", "STATUS is set 200 instructions after the wrap",
       "FreeBSD's lost-PMI workaround", PARAMETER("instructions", 1, 1000000, 200),
       STANDS_IN(FOR(overflow_status, will_be_set), FOR(after_instruction, is_set_late),
                 PENDING(WRAPPED_BUT_STATUS_LATE)));

static void will_refreeze(struct model *m, uint64_t value, uint64_t clear)
{
    struct late *late = memory(m, ACK_REFREEZES, struct late);
    bool frozen = m->status.bits & STATUS_CTR_FRZ;
    replaced(m, ACK_REFREEZES, status_reset)(m, value, clear);
    if (!frozen || (m->status.bits & STATUS_CTR_FRZ) || !model_lvtpc_masked(m) || !strikes(m, ACK_REFREEZES))
        return;
    late->status |= STATUS_CTR_FRZ;
    late->instructions = (uint32_t)parameter(m, ACK_REFREEZES);
}

static void refreezes(struct model *m, const struct retired *instruction)
{
    replaced(m, ACK_REFREEZES, after_instruction)(m, instruction);
    late_status(m, memory(m, ACK_REFREEZES, struct late));
}

PENDS(ACK_REFREEZES, memory(m, ACK_REFREEZES, struct late)->instructions);
DEFECT(ACK_REFREEZES, "ack-refreezes", "CTR_FRZ cleared while LVTPC is masked comes back 50 instructions later",
       "class of Skylake's reported \"bogus freezing\"", ON("ice-lake"), ALSO_ON("goldmont-plus", "lunar-lake"),
       PARAMETER("instructions", 1, 1000000, 50),
       STANDS_IN(FOR(status_reset, will_refreeze), FOR(after_instruction, refreezes), PENDING(ACK_REFREEZES)));

static void will_refreeze_by_ack(struct model *m, uint64_t value, uint64_t clear)
{
    struct late *late = memory(m, SKYLAKE_ACK_REFREEZES, struct late);
    bool frozen = m->status.bits & STATUS_CTR_FRZ, overflowed = m->status.bits & clear & (MASK(31, 0) | MASK(47, 32));
    replaced(m, SKYLAKE_ACK_REFREEZES, status_reset)(m, value, clear);
    bool thawed = frozen && !(m->status.bits & STATUS_CTR_FRZ);
    if (!thawed || !overflowed || !model_lvtpc_masked(m) || !strikes(m, SKYLAKE_ACK_REFREEZES))
        return;
    late->status |= STATUS_CTR_FRZ;
    late->instructions = (uint32_t)parameter(m, SKYLAKE_ACK_REFREEZES);
}

static void refreezes_by_ack(struct model *m, const struct retired *instruction)
{
    replaced(m, SKYLAKE_ACK_REFREEZES, after_instruction)(m, instruction);
    late_status(m, memory(m, SKYLAKE_ACK_REFREEZES, struct late));
}

PENDS(SKYLAKE_ACK_REFREEZES, memory(m, SKYLAKE_ACK_REFREEZES, struct late)->instructions);
VARIATION(SKYLAKE_ACK_REFREEZES, "skylake-ack-refreezes",
          "acknowledging an overflow and CTR_FRZ while LVTPC is masked freezes once more, 50 instructions later",
          "reported by Linux of Skylake, \"bogus freezing\"", PARAMETER("instructions", 1, 1000000, 50),
          STANDS_IN(FOR(status_reset, will_refreeze_by_ack), FOR(after_instruction, refreezes_by_ack),
                    PENDING(SKYLAKE_ACK_REFREEZES)));

/* The value after its overflow is no problem, nor is a counter that was written with 0 in between. */
static bool sets_again(struct model *m, unsigned i, uint64_t value)
{
    uint64_t was = m->counters.fixed[i < FIXED_MAX ? i : 0], left = -value & width_mask(m->p.fixed_width);
    if (!replaced(m, FIXED0_SET_AGAIN, fixed_write)(m, i, value))
        return false;
    bool short_period = left && left <= parameter(m, FIXED0_SET_AGAIN);
    bool concerned = !i && was && m->p.threads > 1 && !m->controls.stored[STORED_GLOBAL_CTRL];
    if (concerned && short_period && strikes(m, FIXED0_SET_AGAIN))
        model_status_raise(m, BIT(32));
    return true;
}
VARIATION(
    FIXED0_SET_AGAIN, "fixed0-set-again",
    "fixed counter 0 that is written with -1 or -2, and not with 0 before, sets its bit while all counters are off",
    "drivers of Haswell with hyper-threading, both threads in step", ON("haswell"), DATA(deviation_with_threads),
    PARAMETER("most", 1, 1000, 2), STANDS_IN(FOR(fixed_write, sets_again)));
