/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of IA32_PERF_GLOBAL_STATUS and its two command registers. */
#define CHAPTERS "overflow.*,global.*,access.*,freeze.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Read */

/* Notes whether the last read showed the overflow bits. */
STAND_IN(status_read_flaps, status_shown)
{
    noted = !noted;
    return !noted && strikes() ? 0 : below(status_shown);
}
DEFECT(status_read_flaps, FUNCTIONS, "every second read of STATUS shows no overflow", "class: metastable read path");
DEFECT(status_cleared_by_read, AFTER(status_shown, true, m->status.bits = 0), "RDMSR of STATUS clears it",
       "class: read-to-clear latches");
DEFECT(ovf_ctrl_reads_back, ALL(NOTES(status_reset, true, noted = value), INSTEAD(status_command_shown, !set, noted)),
       "STATUS_RESET reads as it was last written", "Conroe, and good there");

/* ---- Written */

DEFECT(status_writable, INSTEAD(status_writable, true, true), "WRMSR of STATUS is accepted", "hypervisors");
DEFECT(refused_status_write_clears, AFTER(status_writable, !good, m->status.bits &= ~(MASK(31, 0) | MASK(47, 32))),
       "WRMSR of STATUS faults, and clears the counters' bits", "class: a fault that comes too late",
       MEANT_FOR("overflow.read-only"));

/* Counters that were enabled while their STATUS bits were set. */
DEFECT(status_bit_holds_counter,
       ALL(NOTES(stored_kept, which == STORED_GLOBAL_CTRL, noted = ((value & ~was & m->status.bits) | noted) & value),
           CHANGED(globally_enabled, true, good & ~(noted & m->status.bits))),
       "a counter that GLOBAL_CTRL enables while its STATUS bit is set does not count until that is cleared",
       "class: one gate for two states", ALSO_ON("lunar-lake"), MEANT_FOR("overflow.kept"));

/* Bits of several counters that one instruction has set at once, while they are set. */
static void note_together(struct at_work *self, uint64_t bits)
{
    if (bits & (bits - 1))
        noted = bits;
}

STAND_IN(status_reset_clears_neighbour, status_cleared)
{
    uint64_t neighbours = (clear & noted) << 1 & noted;
    if (neighbours && strikes())
        clear |= neighbours;
    noted &= ~clear;
    return below(status_cleared);
}
DEFECT(status_reset_clears_neighbour,
       ALL(NOTES(overflow_status, true, note_together(self, wrapped)),
           NOTES(status_set, true, note_together(self, set)), FUNCTIONS),
       "clearing STATUS bit n clears n + 1 too if both were set by the same instruction",
       "class: bits overflowing in one cycle");
DEFECT(status_reset_clears_all, BEFORE(status_cleared, true, clear = ~0ull),
       "any write to STATUS_RESET clears all of STATUS", "emulators");
DEFECT(status_reset_ignored, BEFORE(status_cleared, true, clear &= ~width_mask(m->p.gp_count)),
       "STATUS_RESET does not clear GP bits", "class of AAJ143, BJ58", INTERMITTENT);

static void condchgd_at_handoff(struct model *m)
{
    m->p.status |= STATUS_COND_CHGD;
}

DEFECT(condchgd_stays, BEFORE(status_cleared, true, clear &= ~STATUS_COND_CHGD),
       "STATUS[63] is set at hand-off, and STATUS_RESET does not clear it", "class of condchgd-sticky",
       PREPARED(condchgd_at_handoff));
DEFECT(status_set_neighbour, BEFORE(status_set, true, set |= set << 1 & all_counters(m)),
       "setting STATUS bit n sets n + 1 too", "class");
DEFECT(status_set_ignored, INSTEAD(status_set, true, 0), "STATUS_SET has no effect", "hypervisors");
DEFECT(asci_not_set, CHANGED(status_set, true, good & ~STATUS_ASCI), "STATUS_SET does not set ASCI",
       "SKL166's class, by software", ON("ice-lake"));
DEFECT(asci_stays, CHANGED(status_cleared, true, good & ~STATUS_ASCI), "STATUS_RESET does not clear ASCI",
       "class of condchgd-stays", ON("ice-lake"));

DEFECT(status_set_on_both_threads,
       ALL(MAKES(status_shown, good | __atomic_load_n(m->sharing.beside->handed[m->cpu % 2], __ATOMIC_ACQUIRE)),
           NOTES(status_cleared, true,
                 __atomic_fetch_and(m->sharing.beside->handed[m->cpu % 2], ~(uint32_t)clear, __ATOMIC_ACQ_REL)),
           BEFORE(status_set, true,
                  __atomic_fetch_or(m->sharing.beside->handed[!(m->cpu % 2)], (uint32_t)set, __ATOMIC_ACQ_REL))),
       "STATUS_SET sets GP overflow bits of the core's other thread as well", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));

/* STATUS_SET also raises a PMI. */
DEFECT(status_set_raises_pmi, BEFORE(status_set, (set & model_pmi_enabled(m)), rule(m, pmi_raise)(m)),
       "setting an overflow bit by software raises a PMI if its counter asks for one",
       "class: the bit and not the wrap raises it", MEANT_FOR("global.*"));

STAND_IN(status_set_clears_counter, status_set)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        bool counter = bit < 32 ? bit < m->p.gp_count : bit < 48 && model_has_fixed(m, bit - 32);
        if (counter && (set >> bit & 1) && strikes())
            model_counter_set(m, bit, 0);
    }
    return below(status_set);
}
DEFECT(status_set_clears_counter, FUNCTIONS,
       "setting an overflow bit by software leaves its counter at 0, as a wrap would",
       "class: the bit stands for the wrap", MEANT_FOR("global.*"));
DEFECT(status_set_feature_sets_0, BEFORE(status_set, (set >> parameter() & 1), set |= STATUS_GP(0)),
       "setting a feature's bit of STATUS sets bit 0 as well", "class: decoder of too few bits",
       PARAMETER("bit", 48, 63, 58), MEANT_FOR("global.*"));
DEFECT(status_reset_feature_clears_0, BEFORE(status_cleared, (clear >> parameter() & 1), clear |= STATUS_GP(0)),
       "clearing a feature's bit of STATUS, that of the full buffer, clears bit 0 as well",
       "class: decoder of too few bits", PARAMETER("bit", 48, 63, 62), MEANT_FOR("global.*"));

/* ---- Written while CTR_FRZ is set */

#define OVERFLOW_BITS (MASK(31, 0) | MASK(47, 32))

DEFECT(status_set_ignored_frozen, INSTEAD(status_set, (m->status.bits & STATUS_CTR_FRZ), 0),
       "STATUS_SET has no effect while CTR_FRZ is set", "class: the freeze holds more than the counters",
       MEANT_FOR("freeze.*"));
DEFECT(status_reset_needs_frz,
       BEFORE(status_cleared, (m->status.bits & STATUS_CTR_FRZ) && !(clear & STATUS_CTR_FRZ), clear &= ~OVERFLOW_BITS),
       "while CTR_FRZ is set STATUS_RESET clears overflow bits only together with it",
       "class: the freeze holds more than the counters", MEANT_FOR("freeze.*"));
DEFECT(status_reset_thaws, BEFORE(status_cleared, (clear & OVERFLOW_BITS), clear |= STATUS_CTR_FRZ),
       "clearing an overflow bit clears CTR_FRZ as well", "class: acknowledged as one", MEANT_FOR("freeze.*"));
DEFECT(status_set_frz_clears_global,
       BEFORE(status_set, (set & STATUS_CTR_FRZ), m->controls.stored[STORED_GLOBAL_CTRL] = 0),
       "setting CTR_FRZ by software clears GLOBAL_CTRL", "class: the legacy freeze behind the new bit",
       ALSO_ON("lunar-lake"));

/* ---- Set at the wrong time */

/* Instructions until wraps set their bits again. */
DEFECT(status_reset_deafens,
       ALL(BEFORE(status_cleared, true, noted = parameter()), IS(overflows_seen, noted ? 0 : below(overflows_seen)),
           NOTED(after_instruction, true, noted -= noted > 0), IS(each_matters, noted || below(each_matters))),
       "a counter that wraps within 60 instructions of a write to STATUS_RESET wraps without any sign",
       "class: clear and set race", PARAMETER("instructions", 1, 1000000, 60), MEANT_FOR("global.*"));

/* Those of the started counters whose highest bit is set. */
static uint64_t negative(const struct model *m, uint64_t started)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < m->active.count; i++)
        bits |= *m->active.list[i].value > m->active.list[i].limit / 2 ? BIT(m->active.list[i].bit) : 0;
    return bits & started;
}

DEFECT(status_from_sign, BEFORE(counting_changed, started, m->status.bits |= negative(m, started)),
       "starting a counter whose highest bit is set sets its STATUS bit",
       "Linux tells NetBurst's overflows by the sign bit",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ58", 0x206a7, 0x2f, 0, 0), ERRATUM("AAJ143", 0x106a5, 0x19, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV85", 0x306a9, 0x21, 0, 0)));

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

STAND_IN(wrapped_but_status_late, overflow_status)
{
    struct late *late = memory(struct late);
    if (!strikes())
        return below(overflow_status);
    late->status |= wrapped;
    late->instructions = (uint32_t)parameter();
    return 0;
}

DEFECT(wrapped_but_status_late,
       ALL(NOTED(after_instruction, true, late_status(m, memory(struct late))),
           WAITS(memory(struct late)->instructions), FUNCTIONS),
       "STATUS is set 200 instructions after the wrap", "FreeBSD's lost-PMI workaround",
       PARAMETER("instructions", 1, 1000000, 200));

STAND_IN(ack_refreezes, status_reset)
{
    struct late *late = memory(struct late);
    bool frozen = m->status.bits & STATUS_CTR_FRZ;
    below(status_reset);
    if (!frozen || (m->status.bits & STATUS_CTR_FRZ) || !model_lvtpc_masked(m) || !strikes())
        return;
    late->status |= STATUS_CTR_FRZ;
    late->instructions = (uint32_t)parameter();
}

DEFECT(ack_refreezes,
       ALL(NOTED(after_instruction, true, late_status(m, memory(struct late))),
           WAITS(memory(struct late)->instructions), FUNCTIONS),
       "CTR_FRZ cleared while LVTPC is masked comes back 50 instructions later",
       "class of Skylake's reported \"bogus freezing\"", ON("ice-lake"), ALSO_ON("goldmont-plus", "lunar-lake"),
       PARAMETER("instructions", 1, 1000000, 50));

STAND_IN(skylake_ack_refreezes, status_reset)
{
    struct late *late = memory(struct late);
    bool frozen = m->status.bits & STATUS_CTR_FRZ, overflowed = m->status.bits & clear & (MASK(31, 0) | MASK(47, 32));
    below(status_reset);
    bool thawed = frozen && !(m->status.bits & STATUS_CTR_FRZ);
    if (!thawed || !overflowed || !model_lvtpc_masked(m) || !strikes())
        return;
    late->status |= STATUS_CTR_FRZ;
    late->instructions = (uint32_t)parameter();
}

VARIATION(skylake_ack_refreezes,
          ALL(NOTED(after_instruction, true, late_status(m, memory(struct late))),
              WAITS(memory(struct late)->instructions), FUNCTIONS),
          "acknowledging an overflow and CTR_FRZ while LVTPC is masked freezes once more, 50 instructions later",
          "reported by Linux of Skylake, \"bogus freezing\"", PARAMETER("instructions", 1, 1000000, 50));

/* The value after its overflow is no problem, nor is a counter that was written with 0 in between. */
STAND_IN(fixed0_set_again, fixed_write)
{
    uint64_t was = m->counters.fixed[i < FIXED_MAX ? i : 0], left = -value & width_mask(m->p.fixed_width);
    if (!below(fixed_write))
        return false;
    bool short_period = left && left <= parameter();
    bool concerned = !i && was && m->p.threads > 1 && !m->controls.stored[STORED_GLOBAL_CTRL];
    if (concerned && short_period && strikes())
        model_status_raise(m, BIT(32));
    return true;
}
VARIATION(
    fixed0_set_again, FUNCTIONS,
    "fixed counter 0 that is written with -1 or -2, and not with 0 before, sets its bit while all counters are off",
    "drivers of Haswell with hyper-threading, both threads in step", ON("haswell"), PREPARED(deviation_with_threads),
    PARAMETER("most", 1, 1000, 2));

/* ---- Bits that nothing has caused */

DEFECT(asci_with_each_overflow, CHANGED(status_shown, good &(MASK(31, 0) | MASK(47, 32)), good | STATUS_ASCI),
       "ASCI reads 1 while the overflow bit of any counter does", "class: one line for two causes");
DEFECT(topa_with_freeze, CHANGED(status_shown, good &STATUS_CTR_FRZ, good | STATUS_TRACE_TOPA_PMI),
       "the bit of a trace's full table reads 1 while the counters are frozen", "class: one line for two causes");
