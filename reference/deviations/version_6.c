/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of version 6: aliases of counters, from 1900H on, reloads by overflows, new control bits. */
#define CHAPTERS "alias.*,reload.*"
#include "reference/deviations/stand_in.h"

/* ---- Aliases */

static bool upper_half_hidden(struct model *m, unsigned bit, uint64_t *value)
{
    if (!replaced(m, ALIAS_READS_32, alias_read)(m, bit, value))
        return false;
    if (strikes(m, ALIAS_READS_32))
        *value &= MASK(31, 0);
    return true;
}
DEFECT(ALIAS_READS_32, "alias-reads-32", "IA32_PMC_GPn_CTR and FXm_CTR show 32 bits of their counters",
       "class of legacy names, which take 32 bits", ON("lunar-lake"), STANDS_IN(FOR(alias_read, upper_half_hidden)));

INSTEAD(alias_write, alias_write_lost, strikes(m, ALIAS_READ_ONLY) || below(ALIAS_READ_ONLY, alias_write));
DEFECT(ALIAS_READ_ONLY, "alias-read-only", "writes to IA32_PMC_GPn_CTR and FXm_CTR are lost",
       "class: a shadow that is only read", ON("lunar-lake"), STANDS_IN(FOR(alias_write, alias_write_lost)));

static bool writes_neighbour(struct model *m, unsigned bit, uint64_t value)
{
    bool written = replaced(m, ALIAS_OF_TWO, alias_write)(m, bit, value);
    if (written && bit + 2u == m->p.gp_count && strikes(m, ALIAS_OF_TWO))
        model_counter_set(m, bit + 1, value);
    return written;
}
static bool writes_neighbour_below(struct model *m, unsigned bit, uint64_t value)
{
    bool written = replaced(m, ALIAS_OF_THE_ONE_BELOW, alias_write)(m, bit, value);
    if (written && bit == 1 && strikes(m, ALIAS_OF_THE_ONE_BELOW))
        model_counter_set(m, 0, value);
    return written;
}
DEFECT(ALIAS_OF_TWO, "alias-of-two", "the alias of the last but one GP counter writes the last too",
       "class: an address decoded by too few bits", ON("lunar-lake"), STANDS_IN(FOR(alias_write, writes_neighbour)));
DEFECT(ALIAS_OF_THE_ONE_BELOW, "alias-of-the-one-below", "IA32_PMC_GP1_CTR writes counter 0 too",
       "class: an address decoded by too few bits", ON("lunar-lake"),
       STANDS_IN(FOR(alias_write, writes_neighbour_below)));

static bool writes_all(struct model *m, unsigned bit, uint64_t value)
{
    bool written = replaced(m, ALIAS_OF_ALL, alias_write)(m, bit, value);
    uint64_t others = (width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32) & ~BIT(bit);
    for (; written && others && strikes(m, ALIAS_OF_ALL); others &= others - 1)
        model_counter_set(m, (unsigned)__builtin_ctzll(others), value);
    return written;
}
DEFECT(ALIAS_OF_ALL, "alias-of-all", "a value written by an alias goes to all counters",
       "class: an address that is not decoded", ON("lunar-lake"), MEANT_FOR("alias.value"),
       STANDS_IN(FOR(alias_write, writes_all)));

static bool cfg_a_hides_int(struct model *m, unsigned n, uint64_t *value)
{
    if (!replaced(m, CFG_A_HIDES_INT, cfg_a_read)(m, n, value))
        return false;
    if (strikes(m, CFG_A_HIDES_INT))
        *value &= ~EVTSEL_INT;
    return true;
}
DEFECT(CFG_A_HIDES_INT, "cfg-a-hides-int", "IA32_PMC_GPn_CFG_A reads without the bit INT",
       "class: a new layout of an old register", ON("lunar-lake"), STANDS_IN(FOR(cfg_a_read, cfg_a_hides_int)));

INSTEAD(cfg_a_write, cfg_a_zero_lost,
        !value && strikes(m, CFG_A_ZERO_LOST) ? true : below(CFG_A_ZERO_LOST, cfg_a_write));
DEFECT(CFG_A_ZERO_LOST, "cfg-a-zero-lost", "writing 0 to IA32_PMC_GPn_CFG_A changes nothing",
       "class: a write of 0 that is optimised away", ON("lunar-lake"), STANDS_IN(FOR(cfg_a_write, cfg_a_zero_lost)));

static bool cfg_a_loses_edge(struct model *m, unsigned n, uint64_t value)
{
    if (strikes(m, CFG_A_LOSES_EDGE))
        value &= ~EVTSEL_EDGE;
    return replaced(m, CFG_A_LOSES_EDGE, cfg_a_write)(m, n, value);
}
DEFECT(CFG_A_LOSES_EDGE, "cfg-a-loses-edge", "IA32_PMC_GPn_CFG_A does not take the bit EDGE",
       "class: a new layout of an old register", ON("lunar-lake"), STANDS_IN(FOR(cfg_a_write, cfg_a_loses_edge)));

/* Event selects whose last write came by their aliases. */
static bool by_alias(struct model *m, unsigned n, uint64_t value)
{
    bool done = replaced(m, CFG_A_COUNTS_TWICE, cfg_a_write)(m, n, value);
    *memory(m, CFG_A_COUNTS_TWICE, uint64_t) |= BIT(n);
    return done;
}

static bool by_first_name(struct model *m, unsigned n, uint64_t value)
{
    *memory(m, CFG_A_COUNTS_TWICE, uint64_t) &= ~BIT(n);
    return replaced(m, CFG_A_COUNTS_TWICE, evtsel_taken)(m, n, value);
}

static uint32_t counts_twice(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, CFG_A_COUNTS_TWICE, counted)(m, in, c, n);
    bool second = *memory(m, CFG_A_COUNTS_TWICE, uint64_t) >> c->bit & 1;
    return n && second && strikes(m, CFG_A_COUNTS_TWICE) ? 2 * n : n;
}
DEFECT(CFG_A_COUNTS_TWICE, "cfg-a-counts-twice",
       "a counter that is set up by IA32_PMC_GPn_CFG_A counts each event twice",
       "class: a control that is stored in two places", ON("lunar-lake"),
       STANDS_IN(FOR(cfg_a_write, by_alias), FOR(evtsel_taken, by_first_name), FOR(counted, counts_twice)));

static bool shows_count_late(struct model *m, unsigned bit, uint64_t *value)
{
    if (!replaced(m, ALIAS_LAGS, alias_read)(m, bit, value))
        return false;
    if (strikes(m, ALIAS_LAGS))
        *value &= ~(uint64_t)7;
    return true;
}
DEFECT(ALIAS_LAGS, "alias-lags", "IA32_PMC_GPn_CTR shows counts in steps of 8", "class of a-pmc-alias-lags",
       ON("lunar-lake"), STANDS_IN(FOR(alias_read, shows_count_late)));

/* Each counter's value before its last write by the alias, if there was one. */
struct older {
    uint64_t written, value[32 + FIXED_MAX];
};

static bool keeps_older(struct model *m, unsigned bit, uint64_t value)
{
    struct older *older = memory(m, ALIAS_READS_OLDER, struct older);
    older->written |= BIT(bit);
    if (!replaced(m, ALIAS_READS_OLDER, alias_read)(m, bit, &older->value[bit]))
        return false;
    return replaced(m, ALIAS_READS_OLDER, alias_write)(m, bit, value);
}

static bool shows_older(struct model *m, unsigned bit, uint64_t *value)
{
    struct older *older = memory(m, ALIAS_READS_OLDER, struct older);
    bool there = replaced(m, ALIAS_READS_OLDER, alias_read)(m, bit, value);
    if (older->written >> bit & 1 && strikes(m, ALIAS_READS_OLDER))
        *value = older->value[bit];
    older->written &= ~BIT(bit);
    return there;
}
DEFECT(ALIAS_READS_OLDER, "alias-reads-older",
       "a counter that was written by its alias reads its old value once more by that name",
       "class: a write that is still on its way", ON("lunar-lake"), ALSO_ON("diamond-rapids"), MEANT_FOR("alias.value"),
       STANDS_IN(FOR(alias_write, keeps_older), FOR(alias_read, shows_older)));

static bool spreads_sign(struct model *m, unsigned bit, uint64_t value)
{
    if (bit < 32 && strikes(m, ALIAS_SPREADS_SIGN))
        value = (uint64_t)(int32_t)value & MASK(m->p.gp_width - 1u, 0);
    return replaced(m, ALIAS_SPREADS_SIGN, alias_write)(m, bit, value);
}
DEFECT(ALIAS_SPREADS_SIGN, "alias-spreads-sign", "IA32_PMC_GPn_CTR takes 32 bits, as IA32_PMCn does",
       "class: two names taken for one", ON("lunar-lake"), STANDS_IN(FOR(alias_write, spreads_sign)));

static void no_aliases(struct model *m)
{
    m->p.aliases = false;
}
DEFECT(ALIASES_ABSENT, "aliases-absent", "version 6 with leaf 23H, and the registers from 1900H on fault (data)",
       "hypervisors that pass CPUID on", ON("lunar-lake"), ALSO_ON("diamond-rapids"), MEANT_FOR("alias.answers"),
       DATA(no_aliases));

/* Fixed counters that were written by their aliases at least once. */
static bool fixed_by_alias(struct model *m, unsigned bit, uint64_t value)
{
    bool done = replaced(m, FX_CTR_COUNTS_TWICE, alias_write)(m, bit, value);
    *memory(m, FX_CTR_COUNTS_TWICE, uint64_t) |= bit >= 32 ? BIT(bit) : 0;
    return done;
}

static uint32_t fixed_counts_twice(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, FX_CTR_COUNTS_TWICE, counted)(m, in, c, n);
    bool second = *memory(m, FX_CTR_COUNTS_TWICE, uint64_t) >> c->bit & 1;
    return n && second && strikes(m, FX_CTR_COUNTS_TWICE) ? 2 * n : n;
}
DEFECT(FX_CTR_COUNTS_TWICE, "fx-ctr-counts-twice",
       "a fixed counter that was written by its alias counts each event twice",
       "class: a value that is stored in two places", ON("lunar-lake"),
       STANDS_IN(FOR(alias_write, fixed_by_alias), FOR(counted, fixed_counts_twice)));

/* ---- CFG_B and CFG_C */

static uint64_t last_cause_lost(struct model *m, unsigned bit, uint64_t value)
{
    if (strikes(m, CFG_B_LOSES_FIXED_1))
        value &= ~STATUS_FIXED(1);
    return replaced(m, CFG_B_LOSES_FIXED_1, cfg_b_kept)(m, bit, value);
}
DEFECT(CFG_B_LOSES_FIXED_1, "cfg-b-loses-fixed-1", "CFG_B does not keep bit 33, which CPUID.23H.2 names",
       "class of arch-event-claimed-absent", ON("lunar-lake"), ALSO_ON("diamond-rapids"),
       STANDS_IN(FOR(cfg_b_kept, last_cause_lost)));

static uint64_t value_of_24_bits(struct model *m, unsigned bit, uint64_t value)
{
    if (strikes(m, CFG_C_OF_24_BITS))
        value &= MASK(23, 0);
    return replaced(m, CFG_C_OF_24_BITS, cfg_c_kept)(m, bit, value);
}
DEFECT(CFG_C_OF_24_BITS, "cfg-c-of-24-bits", "CFG_C keeps 24 bits of the value to reload",
       "class: a field narrower than told", ON("lunar-lake"), ALSO_ON("diamond-rapids"),
       STANDS_IN(FOR(cfg_c_kept, value_of_24_bits)));

/* ---- Reloads */

INSTEAD(reload_causes, asks_nobody, strikes(m, RELOAD_MISSING) ? 0 : below(RELOAD_MISSING, reload_causes));
DEFECT(RELOAD_MISSING, "reload-missing", "CFG_B reloads nothing", "class: a feature that is only enumerated",
       ON("lunar-lake"), STANDS_IN(FOR(reload_causes, asks_nobody)));

INSTEAD(reload_causes, asks_kernel,
        caused_by_user(m) && strikes(m, RELOAD_NOT_AT_CPL_3) ? 0 : below(RELOAD_NOT_AT_CPL_3, reload_causes));
DEFECT(RELOAD_NOT_AT_CPL_3, "reload-not-at-cpl-3", "an overflow at CPL 3 reloads no counter",
       "class: a reload of the kernel's own", ON("lunar-lake"), STANDS_IN(FOR(reload_causes, asks_kernel)));

INSTEAD(reload_causes, asks_all, strikes(m, RELOAD_BY_ANY) ? ~0ull : below(RELOAD_BY_ANY, reload_causes));
DEFECT(RELOAD_BY_ANY, "reload-by-any", "any overflow reloads every counter that can be, whatever CFG_B says",
       "class: Linux left a stale CFG_B, and counters went on reloading", ON("lunar-lake"), ALSO_ON("diamond-rapids"),
       STANDS_IN(FOR(reload_causes, asks_all)));

CHANGED(reload_causes, asks_itself_too, RELOAD_ITSELF_TOO,
        m->alias.cfg_c[bit] && strikes(m, RELOAD_ITSELF_TOO) ? good | BIT(bit) : good);
DEFECT(RELOAD_ITSELF_TOO, "reload-itself-too",
       "a counter with a value in CFG_C reloads itself though CFG_B names others",
       "class: the rule of architectural PEBS where there is none", ON("lunar-lake"),
       STANDS_IN(FOR(reload_causes, asks_itself_too)));

CHANGED(reload_value, value_of_8_bits, RELOAD_OF_8_BITS, strikes(m, RELOAD_OF_8_BITS) ? good | ~MASK(7, 0) : good);
DEFECT(RELOAD_OF_8_BITS, "reload-of-8-bits", "a counter is reloaded with the lowest 8 bits of CFG_C, above them ones",
       "class: a field narrower than told", ON("lunar-lake"), ALSO_ON("diamond-rapids"),
       STANDS_IN(FOR(reload_value, value_of_8_bits)));

CHANGED(reloads_untold, all_told, RELOAD_SETS_STATUS, strikes(m, RELOAD_SETS_STATUS) ? 0 : good);
DEFECT(RELOAD_SETS_STATUS, "reload-sets-status",
       "a counter that reloads itself sets its bit in IA32_PERF_GLOBAL_STATUS",
       "class: profiling drivers clear INT in such counters for fear of it", ON("lunar-lake"),
       STANDS_IN(FOR(reloads_untold, all_told)));

static uint64_t reloads_cause(struct model *m, uint64_t wrapped, uint64_t by_themselves)
{
    by_themselves = replaced(m, RELOAD_TAKES_CAUSE, reloads_untold)(m, wrapped, by_themselves);
    uint64_t causes = wrapped & m->p.reload_gp & ~by_themselves;
    for (; causes && strikes(m, RELOAD_TAKES_CAUSE); causes &= causes - 1)
        model_counter_set(m, (unsigned)__builtin_ctzll(causes), 0 - BIT(20));
    return by_themselves;
}
DEFECT(RELOAD_TAKES_CAUSE, "reload-takes-cause", "a counter that reloads another on overflow is reloaded itself",
       "class: one strobe for a group", ON("lunar-lake"), STANDS_IN(FOR(reloads_untold, reloads_cause)));

static uint64_t nobody_told(struct model *m, uint64_t wrapped, uint64_t by_themselves)
{
    by_themselves = replaced(m, RELOAD_CAUSE_UNTOLD, reloads_untold)(m, wrapped, by_themselves);
    bool some = false;
    for (unsigned bit = 0; bit < m->p.gp_count; bit++)
        some |= m->alias.cfg_b[bit] & wrapped;
    return some && strikes(m, RELOAD_CAUSE_UNTOLD) ? wrapped : by_themselves;
}
DEFECT(RELOAD_CAUSE_UNTOLD, "reload-cause-untold", "an overflow that reloads another counter sets no STATUS bit",
       "class of simultaneous-overflow-lost", ON("lunar-lake"), STANDS_IN(FOR(reloads_untold, nobody_told)));

/* Sets the bits of reloaded counters together with that of the counter that overflowed. */
static uint64_t reloaded_told(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t status = replaced(m, RELOADED_SETS_STATUS, overflow_status)(m, wrapped, asking);
    for (unsigned bit = 0; bit < m->p.gp_count; bit++)
        if (m->alias.cfg_b[bit] & wrapped & ~BIT(bit) && strikes(m, RELOADED_SETS_STATUS))
            status |= STATUS_GP(bit);
    return status;
}
DEFECT(RELOADED_SETS_STATUS, "reloaded-sets-status", "a counter that another reloads sets its STATUS bit",
       "class: a reload that is taken for an overflow", ON("lunar-lake"),
       STANDS_IN(FOR(overflow_status, reloaded_told)));

static void asks_nothing(struct model *m, uint64_t wrapped, uint64_t asking)
{
    bool group = m->alias.cfg_b[2] | m->alias.cfg_b[3];
    if (asking && group && strikes(m, RELOAD_LOSES_PMI))
        asking = 0;
    replaced(m, RELOAD_LOSES_PMI, overflow_interrupts)(m, wrapped, asking);
}
DEFECT(RELOAD_LOSES_PMI, "reload-loses-pmi", "no PMI is raised while counter 2 or 3 can be reloaded",
       "class: a PMI that a reload takes back", ON("lunar-lake"), STANDS_IN(FOR(overflow_interrupts, asks_nothing)));

/* ---- Groups, consecutive users, freezing */

static bool reloads_any(const struct model *m)
{
    uint64_t any = 0;
    for (unsigned bit = 0; bit < 32 + FIXED_MAX; bit++)
        any |= m->alias.cfg_b[bit];
    return any;
}

static uint64_t others_only(struct model *m, unsigned bit)
{
    uint64_t causes = replaced(m, RELOAD_OTHERS_ONLY, reload_causes)(m, bit);
    bool group = causes & ~BIT(bit);
    return group && strikes(m, RELOAD_OTHERS_ONLY) ? causes & ~BIT(bit) : causes;
}
DEFECT(RELOAD_OTHERS_ONLY, "reload-others-only", "a counter that others may reload does not reload itself",
       "class of reload-takes-cause", ON("lunar-lake"), STANDS_IN(FOR(reload_causes, others_only)));

CHANGED(reload_causes, by_one_only, RELOAD_BY_ONE_ONLY, strikes(m, RELOAD_BY_ONE_ONLY) ? good & -good : good);
DEFECT(RELOAD_BY_ONE_ONLY, "reload-by-one-only", "of several counters in CFG_B only the first reloads",
       "class: a set that is taken for a number", ON("lunar-lake"), STANDS_IN(FOR(reload_causes, by_one_only)));

struct wraps {
    uint64_t now;
};

static uint64_t notes_wraps(struct model *m, uint64_t wrapped)
{
    wrapped = replaced(m, RELOAD_LOST_TO_OWN_WRAP, overflows_seen)(m, wrapped);
    memory(m, RELOAD_LOST_TO_OWN_WRAP, struct wraps)->now = wrapped;
    return wrapped;
}

CHANGED(reload_causes, unless_at_end, RELOAD_LOST_TO_OWN_WRAP,
        memory(m, RELOAD_LOST_TO_OWN_WRAP, struct wraps)->now & ~good & BIT(bit) && strikes(m, RELOAD_LOST_TO_OWN_WRAP)
            ? 0
            : good);
DEFECT(RELOAD_LOST_TO_OWN_WRAP, "reload-lost-to-own-wrap",
       "a counter that wraps in the same instruction as the one that reloads it is not reloaded",
       "class: two writes of a register in one clock", ON("lunar-lake"), ALSO_ON("diamond-rapids"),
       MEANT_FOR("reload.by-another"), STANDS_IN(FOR(overflows_seen, notes_wraps), FOR(reload_causes, unless_at_end)));

CHANGED(reload_causes, not_by_cycles, RELOAD_NOT_BY_CYCLES,
        strikes(m, RELOAD_NOT_BY_CYCLES) ? good & ~STATUS_FIXED(1) : good);
DEFECT(RELOAD_NOT_BY_CYCLES, "reload-not-by-cycles", "an overflow of fixed counter 1 reloads nothing",
       "class of arch-event-claimed-absent", ON("lunar-lake"), STANDS_IN(FOR(reload_causes, not_by_cycles)));

static uint64_t interrupts_too(struct model *m, uint64_t wrapped, uint64_t by_themselves)
{
    by_themselves = replaced(m, RELOAD_RAISES_PMI, reloads_untold)(m, wrapped, by_themselves);
    if (by_themselves && strikes(m, RELOAD_RAISES_PMI))
        rule(m, pmi_raise)(m);
    return by_themselves;
}
DEFECT(RELOAD_RAISES_PMI, "reload-raises-pmi", "a counter that reloads itself raises a PMI that is not enabled",
       "class: profiling drivers clear INT in such counters for fear of it", ON("lunar-lake"),
       STANDS_IN(FOR(reloads_untold, interrupts_too)));

static bool forgets_causes(struct model *m, unsigned n, uint64_t value)
{
    if (!value && strikes(m, CFG_B_FORGOTTEN))
        m->alias.cfg_b[n] = 0;
    return replaced(m, CFG_B_FORGOTTEN, evtsel_taken)(m, n, value);
}
DEFECT(CFG_B_FORGOTTEN, "cfg-b-forgotten", "CFG_B is cleared when its counter's event select is",
       "class: a driver relied on it", ON("lunar-lake"), STANDS_IN(FOR(evtsel_taken, forgets_causes)));

struct ever {
    uint64_t causes[32 + FIXED_MAX];
};

static uint64_t causes_stick(struct model *m, unsigned bit)
{
    uint64_t *ever = memory(m, CFG_B_STICKS, struct ever)->causes;
    ever[bit] |= replaced(m, CFG_B_STICKS, reload_causes)(m, bit);
    return strikes(m, CFG_B_STICKS) ? ever[bit] : replaced(m, CFG_B_STICKS, reload_causes)(m, bit);
}
DEFECT(CFG_B_STICKS, "cfg-b-sticks", "a counter that CFG_B once named still reloads after the bit is cleared",
       "class of user-disable-stays", ON("lunar-lake"), STANDS_IN(FOR(reload_causes, causes_stick)));

static void takes_all_causes(struct model *m)
{
    m->p.cfg_b.faults = m->p.fixed_cfg_b.faults = 0;
}
DEFECT(CFG_B_TAKES_ALL, "cfg-b-takes-all", "CFG_B keeps bits of counters that cannot cause a reload (data)",
       "class: reserved bits that are not checked", ON("panther-lake"), DATA(takes_all_causes));

INSTEAD(freeze_asked, never_freezes,
        below(RELOAD_NEVER_FREEZES, freeze_asked) && !(reloads_any(m) && strikes(m, RELOAD_NEVER_FREEZES)));
DEFECT(RELOAD_NEVER_FREEZES, "reload-never-freezes", "no PMI freezes counters while one of them can be reloaded",
       "class: two users of one strobe", ON("lunar-lake"), STANDS_IN(FOR(freeze_asked, never_freezes)));

static uint64_t reloaded_spared(struct model *m)
{
    uint64_t spared = replaced(m, RELOADED_NOT_FROZEN, spared_by_freeze)(m);
    for (unsigned bit = 0; bit < 32 + FIXED_MAX; bit++)
        if (m->alias.cfg_b[bit] && strikes(m, RELOADED_NOT_FROZEN))
            spared |= BIT(bit);
    return spared;
}
DEFECT(RELOADED_NOT_FROZEN, "reloaded-not-frozen", "a counter that can be reloaded counts on while others are frozen",
       "class of two users of one strobe", ON("lunar-lake"), STANDS_IN(FOR(spared_by_freeze, reloaded_spared)));

static void remembers_frozen(struct model *m)
{
    replaced(m, RELOADED_STAYS_FROZEN, freeze_counters)(m);
    *memory(m, RELOADED_STAYS_FROZEN, uint64_t) = 1;
}

static uint64_t frozen_for_ever(struct model *m)
{
    uint64_t enabled = replaced(m, RELOADED_STAYS_FROZEN, globally_enabled)(m);
    for (unsigned bit = 0; bit < 32 + FIXED_MAX; bit++)
        if (m->alias.cfg_b[bit] && *memory(m, RELOADED_STAYS_FROZEN, uint64_t) && strikes(m, RELOADED_STAYS_FROZEN))
            enabled &= ~BIT(bit);
    return enabled;
}
DEFECT(RELOADED_STAYS_FROZEN, "reloaded-stays-frozen", "a counter that can be reloaded does not go on after a freeze",
       "class of simultaneous-overflow-lost", ON("lunar-lake"),
       STANDS_IN(FOR(freeze_counters, remembers_frozen), FOR(globally_enabled, frozen_for_ever)));

/* ---- Fields of event selects that leaf 23H adds */

INSTEAD(rdpmc_hidden, shown_to_all, below(USER_DISABLE_IGNORED, rdpmc_hidden) && !strikes(m, USER_DISABLE_IGNORED));
DEFECT(USER_DISABLE_IGNORED, "user-disable-ignored", "RDPMC at CPL 3 reads a counter that its control hides",
       "class: a bit that is only stored", ON("diamond-rapids"), MEANT_FOR("rdpmc.*"),
       STANDS_IN(FOR(rdpmc_hidden, shown_to_all)));

static bool hides_from_all(struct model *m, unsigned bit, uint8_t cpl)
{
    bool hidden = replaced(m, USER_DISABLE_AT_CPL_0, rdpmc_hidden)(m, bit, 3);
    return cpl || !strikes(m, USER_DISABLE_AT_CPL_0) ? hidden && cpl : hidden;
}
DEFECT(USER_DISABLE_AT_CPL_0, "user-disable-at-cpl-0", "a counter that is hidden from programs reads 0 at CPL 0, too",
       "class of rdpmc-user-unchecked", ON("diamond-rapids"), MEANT_FOR("rdpmc.*"),
       STANDS_IN(FOR(rdpmc_hidden, hides_from_all)));

static bool hides_neighbour(struct model *m, unsigned bit, uint8_t cpl)
{
    bool hidden = replaced(m, USER_DISABLE_OF_NEIGHBOUR, rdpmc_hidden)(m, bit, cpl);
    bool below = bit && bit != 32 && replaced(m, USER_DISABLE_OF_NEIGHBOUR, rdpmc_hidden)(m, bit - 1, cpl);
    return hidden || (below && strikes(m, USER_DISABLE_OF_NEIGHBOUR));
}
DEFECT(USER_DISABLE_OF_NEIGHBOUR, "user-disable-of-neighbour", "hiding a counter hides the next one, too",
       "class of status-reset-clears-neighbour", ON("diamond-rapids"), MEANT_FOR("rdpmc.*"),
       STANDS_IN(FOR(rdpmc_hidden, hides_neighbour)));

static bool stays_hidden(struct model *m, unsigned bit, uint8_t cpl)
{
    uint64_t *ever = memory(m, USER_DISABLE_STAYS, uint64_t);
    bool hidden = replaced(m, USER_DISABLE_STAYS, rdpmc_hidden)(m, bit, cpl);
    if (hidden)
        *ever |= BIT(bit);
    return hidden || (cpl && *ever >> bit & 1 && strikes(m, USER_DISABLE_STAYS));
}
DEFECT(USER_DISABLE_STAYS, "user-disable-stays", "a counter that was hidden once stays hidden",
       "class: a control that is latched", ON("diamond-rapids"), MEANT_FOR("rdpmc.*"),
       STANDS_IN(FOR(rdpmc_hidden, stays_hidden)));

INSTEAD(rdpmc_answers, hidden_faults,
        !(rule(m, rdpmc_hidden)(m, bit, 3) && strikes(m, USER_DISABLE_FAULTS)) &&
            below(USER_DISABLE_FAULTS, rdpmc_answers));
DEFECT(USER_DISABLE_FAULTS, "user-disable-faults", "RDPMC of a hidden counter is a #GP", "class: the answer of CR4.PCE",
       ON("diamond-rapids"), MEANT_FOR("rdpmc.*"), STANDS_IN(FOR(rdpmc_answers, hidden_faults)));

CHANGED(gp_threshold, equal_to_one_less, EQ_OFF_BY_ONE,
        (evtsel & EVTSEL_EQ) && good > 1 && strikes(m, EQ_OFF_BY_ONE) ? (uint8_t)(good - 1) : good);
DEFECT(EQ_OFF_BY_ONE, "eq-off-by-one", "with EQ a counter mask of c counts cycles with exactly c - 1 occurrences",
       "class: a comparison with the wrong edge", ON("lunar-lake"), MEANT_FOR("gp.*"),
       STANDS_IN(FOR(gp_threshold, equal_to_one_less)));

INSTEAD(gp_equal, equal_ignored, below(EQ_IGNORED, gp_equal) && !strikes(m, EQ_IGNORED));
DEFECT(EQ_IGNORED, "eq-ignored", "EQ has no effect: cycles with at least as many occurrences are counted",
       "class of edge-ignored", ON("lunar-lake"), MEANT_FOR("gp.*"), STANDS_IN(FOR(gp_equal, equal_ignored)));

static uint8_t second_mask_ignored(struct model *m, unsigned n, uint64_t evtsel)
{
    uint64_t seen = strikes(m, UMASK2_IGNORED) ? evtsel & ~EVTSEL_UMASK2(0xff) : evtsel;
    return replaced(m, UMASK2_IGNORED, selected_event)(m, n, seen);
}
DEFECT(UMASK2_IGNORED, "umask2-ignored", "the second unit mask is kept but selects nothing",
       "class: a bit that is only stored", ON("lunar-lake"), MEANT_FOR("gp.second-mask"),
       STANDS_IN(FOR(selected_event, second_mask_ignored)));

/* Event selects that had a second unit mask at some time. */
static uint8_t second_mask_sticks(struct model *m, unsigned n, uint64_t evtsel)
{
    uint64_t *ever = memory(m, UMASK2_STICKS, uint64_t);
    *ever |= evtsel & EVTSEL_UMASK2(0xff) ? BIT(n) : 0;
    uint64_t seen = *ever >> n & 1 && strikes(m, UMASK2_STICKS) ? evtsel | EVTSEL_UMASK2(1) : evtsel;
    return replaced(m, UMASK2_STICKS, selected_event)(m, n, seen);
}
DEFECT(UMASK2_STICKS, "umask2-sticks", "an event select that once had a second unit mask still counts by it",
       "class of user-disable-stays", ON("lunar-lake"), MEANT_FOR("gp.second-mask"),
       STANDS_IN(FOR(selected_event, second_mask_sticks)));

/* ---- What good silicon may do */

INSTEAD(reload_value, later, below(RELOAD_LATE, reload_value) - parameter(m, RELOAD_LATE));
VARIATION(RELOAD_LATE, "reload-late", "counts within 300 instructions after a counter's reload are lost",
          "no manual says how soon a reload takes effect", ON("lunar-lake"), PARAMETER("instructions", 1, 900, 300),
          STANDS_IN(FOR(reload_value, later)));

/* Leaves out a reload if a freeze comes first. */
CHANGED(reload_causes, frozen_first, RELOAD_LOST_TO_FREEZE,
        rule(m, freeze_asked)(m) ? good & ~model_pmi_enabled(m) : good);
VARIATION(RELOAD_LOST_TO_FREEZE, "reload-lost-to-freeze", "an overflow that freezes the counters reloads none",
          "no manual says which of the two comes first", ON("lunar-lake"), STANDS_IN(FOR(reload_causes, frozen_first)));

INSTEAD(reloads_untold, asking_told, below(RELOAD_TOLD_IF_ASKED, reloads_untold) & ~model_pmi_enabled(m));
VARIATION(RELOAD_TOLD_IF_ASKED, "reload-told-if-asked",
          "a counter that reloads itself and asks for interrupts sets its STATUS bit and raises a PMI",
          "drivers clear INT there, and no manual says what it does", ON("lunar-lake"),
          STANDS_IN(FOR(reloads_untold, asking_told)));

static uint64_t running_only(struct model *m, unsigned bit)
{
    bool runs = rule(m, globally_enabled)(m) >> bit & 1;
    return runs ? replaced(m, RELOAD_OF_RUNNING, reload_causes)(m, bit) : 0;
}
VARIATION(RELOAD_OF_RUNNING, "reload-of-running", "a counter that stands still is not reloaded", "no manual says",
          ON("lunar-lake"), STANDS_IN(FOR(reload_causes, running_only)));

/* Also for counters that CPUID.23H.2 does not name. */
static void reload_registers_of_all(struct model *m)
{
    m->p.reload_gp |= (uint16_t)width_mask(m->p.gp_count);
}
VARIATION(RELOAD_REGISTERS_OF_ALL, "reload-registers-of-all", "every GP counter has CFG_B and CFG_C (data)",
          "no manual says what the addresses of other counters have", ON("lunar-lake"), DATA(reload_registers_of_all));

static void other_causes_dropped(struct model *m)
{
    m->p.cfg_b.dropped |= m->p.cfg_b.faults;
    m->p.fixed_cfg_b.dropped |= m->p.fixed_cfg_b.faults;
    m->p.cfg_b.faults = m->p.fixed_cfg_b.faults = 0;
}
VARIATION(CFG_B_DROPS_OTHERS, "cfg-b-drops-others", "CFG_B drops bits of counters that cannot cause a reload (data)",
          "only Panther Lake's Atom cores were seen to fault", ON("lunar-lake"), DATA(other_causes_dropped));
