/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of version 6: aliases of counters, from 1900H on, reloads by overflows, new control bits. */
#define CHAPTERS "alias.*,reload.*"
#include "reference/deviations/stand_in.h"

/* ---- Aliases */

DEFECT(alias_reads_32, AFTER(alias_read, good, *value &= MASK(31, 0)),
       "IA32_PMC_GPn_CTR and FXm_CTR show 32 bits of their counters", "class of legacy names, which take 32 bits",
       ON("lunar-lake"));
DEFECT(alias_read_only, INSTEAD(alias_write, true, true), "writes to IA32_PMC_GPn_CTR and FXm_CTR are lost",
       "class: a shadow that is only read", ON("lunar-lake"));
DEFECT(alias_of_two, AFTER(alias_write, bit + 2u == m->p.gp_count && good, model_counter_set(m, bit + 1, value)),
       "the alias of the last but one GP counter writes the last too", "class: an address decoded by too few bits",
       ON("lunar-lake"));
DEFECT(alias_of_the_one_below, AFTER(alias_write, bit == 1 && good, model_counter_set(m, 0, value)),
       "IA32_PMC_GP1_CTR writes counter 0 too", "class: an address decoded by too few bits", ON("lunar-lake"));

STAND_IN(alias_of_all, alias_write)
{
    bool written = below(alias_write);
    uint64_t others = all_counters(m) & ~BIT(bit);
    for (; written && others && strikes(); others &= others - 1)
        model_counter_set(m, (unsigned)__builtin_ctzll(others), value);
    return written;
}
DEFECT(alias_of_all, FUNCTIONS, "a value written by an alias goes to all counters",
       "class: an address that is not decoded", ON("lunar-lake"), MEANT_FOR("alias.value"));
DEFECT(cfg_a_hides_int, AFTER(cfg_a_read, good, *value &= ~EVTSEL_INT), "IA32_PMC_GPn_CFG_A reads without the bit INT",
       "class: a new layout of an old register", ON("lunar-lake"));
DEFECT(cfg_a_zero_lost, INSTEAD(cfg_a_write, !value, true), "writing 0 to IA32_PMC_GPn_CFG_A changes nothing",
       "class: a write of 0 that is optimised away", ON("lunar-lake"));
DEFECT(cfg_a_loses_edge, BEFORE(cfg_a_write, true, value &= ~EVTSEL_EDGE),
       "IA32_PMC_GPn_CFG_A does not take the bit EDGE", "class: a new layout of an old register", ON("lunar-lake"));

/* Event selects whose last write came by their aliases. */
DEFECT(cfg_a_counts_twice,
       ALL(NOTED(cfg_a_write, true, noted |= BIT(n)), NOTES(evtsel_taken, true, noted &= ~BIT(n)),
           CHANGED(counted, good && (noted >> c->bit & 1), 2 * good)),
       "a counter that is set up by IA32_PMC_GPn_CFG_A counts each event twice",
       "class: a control that is stored in two places", ON("lunar-lake"));
DEFECT(alias_lags, AFTER(alias_read, good, *value &= ~(uint64_t)7), "IA32_PMC_GPn_CTR shows counts in steps of 8",
       "class of a-pmc-alias-lags", ON("lunar-lake"));

/* Each counter's value before its last write by the alias, if there was one. */
struct older {
    uint64_t written, value[32 + FIXED_MAX];
};

STAND_IN(alias_reads_older, alias_write)
{
    struct older *older = memory(struct older);
    older->written |= BIT(bit);
    if (!replaced(alias_read)(m, bit, &older->value[bit]))
        return false;
    return below(alias_write);
}

STAND_IN(alias_reads_older, alias_read)
{
    struct older *older = memory(struct older);
    bool there = below(alias_read);
    if (older->written >> bit & 1 && strikes())
        *value = older->value[bit];
    older->written &= ~BIT(bit);
    return there;
}
DEFECT(alias_reads_older, FUNCTIONS,
       "a counter that was written by its alias reads its old value once more by that name",
       "class: a write that is still on its way", ON("lunar-lake"), ALSO_ON("diamond-rapids"),
       MEANT_FOR("alias.value"));
DEFECT(alias_spreads_sign,
       BEFORE(alias_write, bit < 32, value = (uint64_t)(int32_t)value & MASK(m->p.gp_width - 1u, 0)),
       "IA32_PMC_GPn_CTR takes 32 bits, as IA32_PMCn does", "class: two names taken for one", ON("lunar-lake"));
DEFECT(aliases_absent, DATA(m->p.aliases = false),
       "version 6 with leaf 23H, and the registers from 1900H on fault (data)", "hypervisors that pass CPUID on",
       ON("lunar-lake"), ALSO_ON("diamond-rapids"), MEANT_FOR("alias.answers"));

/* Fixed counters that were written by their aliases at least once. */
DEFECT(fx_ctr_counts_twice,
       ALL(NOTED(alias_write, true, noted |= bit >= 32 ? BIT(bit) : 0),
           CHANGED(counted, good && (noted >> c->bit & 1), 2 * good)),
       "a fixed counter that was written by its alias counts each event twice",
       "class: a value that is stored in two places", ON("lunar-lake"));

/* ---- CFG_B and CFG_C */

DEFECT(cfg_b_loses_fixed_1, BEFORE(cfg_b_kept, true, value &= ~STATUS_FIXED(1)),
       "CFG_B does not keep bit 33, which CPUID.23H.2 names", "class of arch-event-claimed-absent", ON("lunar-lake"),
       ALSO_ON("diamond-rapids"));
DEFECT(cfg_c_of_24_bits, BEFORE(cfg_c_kept, true, value &= MASK(23, 0)), "CFG_C keeps 24 bits of the value to reload",
       "class: a field narrower than told", ON("lunar-lake"), ALSO_ON("diamond-rapids"));

/* ---- Reloads */

DEFECT(reload_missing, INSTEAD(reload_causes, true, 0), "CFG_B reloads nothing",
       "class: a feature that is only enumerated", ON("lunar-lake"));
DEFECT(reload_not_at_cpl_3, INSTEAD(reload_causes, caused_by_user(m), 0), "an overflow at CPL 3 reloads no counter",
       "class: a reload of the kernel's own", ON("lunar-lake"));
DEFECT(reload_by_any, INSTEAD(reload_causes, true, ~0ull),
       "any overflow reloads every counter that can be, whatever CFG_B says",
       "class: Linux left a stale CFG_B, and counters went on reloading", ON("lunar-lake"), ALSO_ON("diamond-rapids"));
DEFECT(reload_itself_too, CHANGED(reload_causes, m->alias.cfg_c[bit], good | BIT(bit)),
       "a counter with a value in CFG_C reloads itself though CFG_B names others",
       "class: the rule of architectural PEBS where there is none", ON("lunar-lake"));
DEFECT(reload_of_8_bits, CHANGED(reload_value, true, good | ~MASK(7, 0)),
       "a counter is reloaded with the lowest 8 bits of CFG_C, above them ones", "class: a field narrower than told",
       ON("lunar-lake"), ALSO_ON("diamond-rapids"));
DEFECT(reload_sets_status, CHANGED(reloads_untold, true, 0),
       "a counter that reloads itself sets its bit in IA32_PERF_GLOBAL_STATUS",
       "class: profiling drivers clear INT in such counters for fear of it", ON("lunar-lake"));

STAND_IN(reload_takes_cause, reloads_untold)
{
    by_themselves = below(reloads_untold);
    uint64_t causes = wrapped & m->p.reload_gp & ~by_themselves;
    for (; causes && strikes(); causes &= causes - 1)
        model_counter_set(m, (unsigned)__builtin_ctzll(causes), 0 - BIT(20));
    return by_themselves;
}
DEFECT(reload_takes_cause, FUNCTIONS, "a counter that reloads another on overflow is reloaded itself",
       "class: one strobe for a group", ON("lunar-lake"));

STAND_IN(reload_cause_untold, reloads_untold)
{
    by_themselves = below(reloads_untold);
    bool some = false;
    for (unsigned bit = 0; bit < m->p.gp_count; bit++)
        some |= m->alias.cfg_b[bit] & wrapped;
    return some && strikes() ? wrapped : by_themselves;
}
DEFECT(reload_cause_untold, FUNCTIONS, "an overflow that reloads another counter sets no STATUS bit",
       "class of simultaneous-overflow-lost", ON("lunar-lake"));

/* Sets the bits of reloaded counters together with that of the counter that overflowed. */
STAND_IN(reloaded_sets_status, overflow_status)
{
    uint64_t status = below(overflow_status);
    for (unsigned bit = 0; bit < m->p.gp_count; bit++)
        if (m->alias.cfg_b[bit] & wrapped & ~BIT(bit) && strikes())
            status |= STATUS_GP(bit);
    return status;
}
DEFECT(reloaded_sets_status, FUNCTIONS, "a counter that another reloads sets its STATUS bit",
       "class: a reload that is taken for an overflow", ON("lunar-lake"));
DEFECT(reload_loses_pmi, BEFORE(overflow_interrupts, asking && (m->alias.cfg_b[2] | m->alias.cfg_b[3]), asking = 0),
       "no PMI is raised while counter 2 or 3 can be reloaded", "class: a PMI that a reload takes back",
       ON("lunar-lake"));

/* ---- Groups, consecutive users, freezing */

static bool reloads_any(const struct model *m)
{
    uint64_t any = 0;
    for (unsigned bit = 0; bit < 32 + FIXED_MAX; bit++)
        any |= m->alias.cfg_b[bit];
    return any;
}

DEFECT(reload_others_only, CHANGED(reload_causes, (good & ~BIT(bit)), good & ~BIT(bit)),
       "a counter that others may reload does not reload itself", "class of reload-takes-cause", ON("lunar-lake"));
DEFECT(reload_by_one_only, CHANGED(reload_causes, true, good & -good),
       "of several counters in CFG_B only the first reloads", "class: a set that is taken for a number",
       ON("lunar-lake"));
DEFECT(reload_lost_to_own_wrap,
       ALL(NOTED(overflows_seen, true, noted = good), CHANGED(reload_causes, noted & ~good & BIT(bit), 0)),
       "a counter that wraps in the same instruction as the one that reloads it is not reloaded",
       "class: two writes of a register in one clock", ON("lunar-lake"), ALSO_ON("diamond-rapids"),
       MEANT_FOR("reload.by-another"));
DEFECT(reload_not_by_cycles, CHANGED(reload_causes, true, good & ~STATUS_FIXED(1)),
       "an overflow of fixed counter 1 reloads nothing", "class of arch-event-claimed-absent", ON("lunar-lake"));
DEFECT(reload_raises_pmi, AFTER(reloads_untold, good, rule(m, pmi_raise)(m)),
       "a counter that reloads itself raises a PMI that is not enabled",
       "class: profiling drivers clear INT in such counters for fear of it", ON("lunar-lake"));
DEFECT(cfg_b_forgotten, BEFORE(evtsel_taken, !value, m->alias.cfg_b[n] = 0),
       "CFG_B is cleared when its counter's event select is", "class: a driver relied on it", ON("lunar-lake"));

struct ever {
    uint64_t causes[32 + FIXED_MAX];
};

STAND_IN(cfg_b_sticks, reload_causes)
{
    uint64_t *ever = memory(struct ever)->causes;
    ever[bit] |= below(reload_causes);
    return strikes() ? ever[bit] : below(reload_causes);
}
DEFECT(cfg_b_sticks, FUNCTIONS, "a counter that CFG_B once named still reloads after the bit is cleared",
       "class of user-disable-stays", ON("lunar-lake"));
DEFECT(cfg_b_takes_all, DATA(m->p.cfg_b.faults = m->p.fixed_cfg_b.faults = 0),
       "CFG_B keeps bits of counters that cannot cause a reload (data)", "class: reserved bits that are not checked",
       ON("panther-lake"));
DEFECT(reload_never_freezes, CHANGED(freeze_asked, reloads_any(m) && good, false),
       "no PMI freezes counters while one of them can be reloaded", "class: two users of one strobe", ON("lunar-lake"));

STAND_IN(reloaded_not_frozen, spared_by_freeze)
{
    uint64_t spared = below(spared_by_freeze);
    for (unsigned bit = 0; bit < 32 + FIXED_MAX; bit++)
        if (m->alias.cfg_b[bit] && strikes())
            spared |= BIT(bit);
    return spared;
}
DEFECT(reloaded_not_frozen, FUNCTIONS, "a counter that can be reloaded counts on while others are frozen",
       "class of two users of one strobe", ON("lunar-lake"));

STAND_IN(reloaded_stays_frozen, globally_enabled)
{
    uint64_t enabled = below(globally_enabled);
    for (unsigned bit = 0; bit < 32 + FIXED_MAX; bit++)
        if (m->alias.cfg_b[bit] && noted && strikes())
            enabled &= ~BIT(bit);
    return enabled;
}
DEFECT(reloaded_stays_frozen, ALL(NOTED(freeze_counters, true, noted = 1), FUNCTIONS),
       "a counter that can be reloaded does not go on after a freeze", "class of simultaneous-overflow-lost",
       ON("lunar-lake"));

/* ---- Fields of event selects that leaf 23H adds */

DEFECT(user_disable_ignored, CHANGED(rdpmc_hidden, good, false),
       "RDPMC at CPL 3 reads a counter that its control hides", "class: a bit that is only stored",
       ON("diamond-rapids"), MEANT_FOR("rdpmc.*"));

STAND_IN(user_disable_at_cpl_0, rdpmc_hidden)
{
    bool hidden = replaced(rdpmc_hidden)(m, bit, 3);
    return cpl || !strikes() ? hidden && cpl : hidden;
}
DEFECT(user_disable_at_cpl_0, FUNCTIONS, "a counter that is hidden from programs reads 0 at CPL 0, too",
       "class of rdpmc-user-unchecked", ON("diamond-rapids"), MEANT_FOR("rdpmc.*"));

STAND_IN(user_disable_of_neighbour, rdpmc_hidden)
{
    bool hidden = below(rdpmc_hidden);
    bool below = bit && bit != 32 && replaced(rdpmc_hidden)(m, bit - 1, cpl);
    return hidden || (below && strikes());
}
DEFECT(user_disable_of_neighbour, FUNCTIONS, "hiding a counter hides the next one, too",
       "class of status-reset-clears-neighbour", ON("diamond-rapids"), MEANT_FOR("rdpmc.*"));

STAND_IN(user_disable_stays, rdpmc_hidden)
{
    bool hidden = below(rdpmc_hidden);
    if (hidden)
        noted |= BIT(bit);
    return hidden || (cpl && noted >> bit & 1 && strikes());
}
DEFECT(user_disable_stays, FUNCTIONS, "a counter that was hidden once stays hidden", "class: a control that is latched",
       ON("diamond-rapids"), MEANT_FOR("rdpmc.*"));
DEFECT(user_disable_faults, INSTEAD(rdpmc_answers, rule(m, rdpmc_hidden)(m, bit, 3), false),
       "RDPMC of a hidden counter is a #GP", "class: the answer of CR4.PCE", ON("diamond-rapids"),
       MEANT_FOR("rdpmc.*"));
DEFECT(eq_off_by_one, CHANGED(gp_threshold, (evtsel & EVTSEL_EQ) && good > 1, (uint8_t)(good - 1)),
       "with EQ a counter mask of c counts cycles with exactly c - 1 occurrences",
       "class: a comparison with the wrong edge", ON("lunar-lake"), MEANT_FOR("gp.*"));
DEFECT(eq_ignored, CHANGED(gp_equal, good, false),
       "EQ has no effect: cycles with at least as many occurrences are counted", "class of edge-ignored",
       ON("lunar-lake"), MEANT_FOR("gp.*"));

DEFECT(umask2_ignored, BEFORE(selected_event, true, evtsel &= ~EVTSEL_UMASK2(0xff)),
       "the second unit mask is kept but selects nothing", "class: a bit that is only stored", ON("lunar-lake"),
       MEANT_FOR("gp.second-mask"));

/* Event selects that had a second unit mask at some time. */
STAND_IN(umask2_sticks, selected_event)
{
    noted |= evtsel & EVTSEL_UMASK2(0xff) ? BIT(n) : 0;
    uint64_t seen = noted >> n & 1 && strikes() ? evtsel | EVTSEL_UMASK2(1) : evtsel;
    return replaced(selected_event)(m, n, seen);
}
DEFECT(umask2_sticks, FUNCTIONS, "an event select that once had a second unit mask still counts by it",
       "class of user-disable-stays", ON("lunar-lake"), MEANT_FOR("gp.second-mask"));

/* ---- What good silicon may do */

VARIATION(reload_late, IS(reload_value, below(reload_value) - parameter()),
          "counts within 300 instructions after a counter's reload are lost",
          "no manual says how soon a reload takes effect", ON("lunar-lake"), PARAMETER("instructions", 1, 900, 300));

/* Leaves out a reload if a freeze comes first. */
VARIATION(reload_lost_to_freeze, MAKES(reload_causes, rule(m, freeze_asked)(m) ? good & ~model_pmi_enabled(m) : good),
          "an overflow that freezes the counters reloads none", "no manual says which of the two comes first",
          ON("lunar-lake"));
VARIATION(reload_told_if_asked, IS(reloads_untold, below(reloads_untold) & ~model_pmi_enabled(m)),
          "a counter that reloads itself and asks for interrupts sets its STATUS bit and raises a PMI",
          "drivers clear INT there, and no manual says what it does", ON("lunar-lake"));
VARIATION(reload_of_running, IS(reload_causes, (rule(m, globally_enabled)(m) >> bit & 1) ? below(reload_causes) : 0),
          "a counter that stands still is not reloaded", "no manual says", ON("lunar-lake"));

/* Also for counters that CPUID.23H.2 does not name. */
VARIATION(reload_registers_of_all, DATA(m->p.reload_gp |= (uint16_t)width_mask(m->p.gp_count)),
          "every GP counter has CFG_B and CFG_C (data)", "no manual says what the addresses of other counters have",
          ON("lunar-lake"));

static void other_causes_dropped(struct model *m)
{
    m->p.cfg_b.dropped |= m->p.cfg_b.faults;
    m->p.fixed_cfg_b.dropped |= m->p.fixed_cfg_b.faults;
    m->p.cfg_b.faults = m->p.fixed_cfg_b.faults = 0;
}
VARIATION(cfg_b_drops_others, NO_RULE, "CFG_B drops bits of counters that cannot cause a reload (data)",
          "only Panther Lake's Atom cores were seen to fault", ON("lunar-lake"), PREPARED(other_causes_dropped));
