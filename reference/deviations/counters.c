/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the counters' values: how they are read, written and kept. */
#define CHAPTERS "access.*,enum.*,gp.*,fixed.*,rdpmc.*,handoff.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Accesses that fault, or do not */

INSTEAD(pmc_read, last_gp_faults,
        last_gp(m, n) && strikes(m, ENUMERATED_COUNTER_FAULTS) ? false : below(ENUMERATED_COUNTER_FAULTS, pmc_read));
DEFECT(ENUMERATED_COUNTER_FAULTS, "enumerated-counter-faults", "RDMSR of the last GP counter is a #GP",
       "class: counters fused off after enumeration", STANDS_IN(FOR(pmc_read, last_gp_faults)));

static bool last_fixed_faults(struct model *m, unsigned i, uint64_t *value)
{
    bool last = model_has_fixed(m, i) && !(m->p.fixed_bitmap >> (i + 1));
    if (last && strikes(m, ENUMERATED_FIXED_FAULTS))
        return false;
    return replaced(m, ENUMERATED_FIXED_FAULTS, fixed_read)(m, i, value);
}
DEFECT(ENUMERATED_FIXED_FAULTS, "enumerated-fixed-faults", "RDMSR of the last fixed counter is a #GP",
       "class: counters fused off after enumeration", STANDS_IN(FOR(fixed_read, last_fixed_faults)));

INSTEAD(a_pmc_fits, above_width_fits, below(FULL_WIDTH_WRITE_NO_GP, a_pmc_fits) || strikes(m, FULL_WIDTH_WRITE_NO_GP));
DEFECT(FULL_WIDTH_WRITE_NO_GP, "full-width-write-no-gp", "WRMSR IA32_A_PMCn above the width is accepted and cut",
       "emulators", ALSO_ON("silvermont"), STANDS_IN(FOR(a_pmc_fits, above_width_fits)));

/* Bits above the width that a write has left. */
struct above {
    uint64_t width[FIXED_MAX];
};

static bool above_width_kept(struct model *m, unsigned i, uint64_t value)
{
    struct above *above = memory(m, FIXED_WRITE_ABOVE_WIDTH_ACCEPTED, struct above);
    uint64_t extra = value & ~width_mask(m->p.fixed_width);
    bool let_in = extra && model_has_fixed(m, i) && strikes(m, FIXED_WRITE_ABOVE_WIDTH_ACCEPTED);
    value = let_in ? value & ~extra : value;
    if (!replaced(m, FIXED_WRITE_ABOVE_WIDTH_ACCEPTED, fixed_write)(m, i, value))
        return false;
    above->width[i] = let_in ? extra : 0;
    return true;
}

static bool above_width_shown(struct model *m, unsigned i, uint64_t *value)
{
    if (!replaced(m, FIXED_WRITE_ABOVE_WIDTH_ACCEPTED, fixed_read)(m, i, value))
        return false;
    *value |= memory(m, FIXED_WRITE_ABOVE_WIDTH_ACCEPTED, struct above)->width[i];
    return true;
}
DEFECT(FIXED_WRITE_ABOVE_WIDTH_ACCEPTED, "fixed-write-above-width-accepted",
       "WRMSR IA32_FIXED_CTRi above the width is accepted and the bits are returned",
       "emulators; Core 2 accepts and cuts",
       STANDS_IN(FOR(fixed_write, above_width_kept), FOR(fixed_read, above_width_shown)));

/* ---- Writes through IA32_PMCn and IA32_A_PMCn */

INSTEAD(pmc_extended, not_extended,
        strikes(m, LEGACY_WRITE_NOT_SIGN_EXTENDED) ? (uint32_t)value
                                                   : below(LEGACY_WRITE_NOT_SIGN_EXTENDED, pmc_extended));
DEFECT(LEGACY_WRITE_NOT_SIGN_EXTENDED, "legacy-write-not-sign-extended",
       "WRMSR IA32_PMCn leaves the bits above 31 clear", "class; nobody reads the register back",
       STANDS_IN(FOR(pmc_extended, not_extended)));

INSTEAD(pmc_extended, takes_edx,
        strikes(m, LEGACY_WRITE_TAKES_EDX) ? value : below(LEGACY_WRITE_TAKES_EDX, pmc_extended));
DEFECT(LEGACY_WRITE_TAKES_EDX, "legacy-write-takes-edx", "WRMSR IA32_PMCn stores EDX as well",
       "emulators that alias it with IA32_A_PMCn", STANDS_IN(FOR(pmc_extended, takes_edx)));

/* Counters of which one write of 0 had no effect. */
struct once {
    bool gp[GP_MAX], fixed[FIXED_MAX];
};

static struct once *once(struct model *m)
{
    return memory(m, COUNTER_ZERO_NEEDS_TWO_WRITES, struct once);
}

static void keep_once(struct model *m, bool *asked, uint64_t *counter, uint64_t was, uint64_t value)
{
    bool first = !value && was && !*asked;
    *asked = first;
    if (first && strikes(m, COUNTER_ZERO_NEEDS_TWO_WRITES))
        *counter = was;
}

static bool zero_ignored(struct model *m, unsigned n, uint64_t value)
{
    uint64_t was = m->counters.pmc[n < GP_MAX ? n : 0];
    if (!replaced(m, COUNTER_ZERO_NEEDS_TWO_WRITES, pmc_write)(m, n, value))
        return false;
    keep_once(m, &once(m)->gp[n], &m->counters.pmc[n], was, value);
    return true;
}

static bool full_zero_ignored(struct model *m, unsigned n, uint64_t value)
{
    uint64_t was = m->counters.pmc[n < GP_MAX ? n : 0];
    if (!replaced(m, COUNTER_ZERO_NEEDS_TWO_WRITES, a_pmc_write)(m, n, value))
        return false;
    keep_once(m, &once(m)->gp[n], &m->counters.pmc[n], was, value);
    return true;
}
static bool fixed_zero_ignored(struct model *m, unsigned i, uint64_t value)
{
    uint64_t was = m->counters.fixed[i < FIXED_MAX ? i : 0];
    if (!replaced(m, COUNTER_ZERO_NEEDS_TWO_WRITES, fixed_write)(m, i, value))
        return false;
    keep_once(m, &once(m)->fixed[i], &m->counters.fixed[i], was, value);
    return true;
}
DEFECT(COUNTER_ZERO_NEEDS_TWO_WRITES, "counter-zero-needs-two-writes",
       "only the second write of 0 clears a counter that holds a count", "class", ON_EACH_GENERATION,
       STANDS_IN(FOR(pmc_write, zero_ignored), FOR(a_pmc_write, full_zero_ignored),
                 FOR(fixed_write, fixed_zero_ignored)));

/* Some implementations may clear the overflow bit when the counter is written. */
static bool gp_begins_anew(struct model *m, unsigned n, uint64_t value)
{
    if (strikes(m, COUNTER_WRITE_CLEARS_STATUS))
        m->status.bits &= ~STATUS_GP(n % GP_MAX);
    return replaced(m, COUNTER_WRITE_CLEARS_STATUS, pmc_write)(m, n, value);
}

static bool full_gp_begins_anew(struct model *m, unsigned n, uint64_t value)
{
    if (strikes(m, COUNTER_WRITE_CLEARS_STATUS))
        m->status.bits &= ~STATUS_GP(n % GP_MAX);
    return replaced(m, COUNTER_WRITE_CLEARS_STATUS, a_pmc_write)(m, n, value);
}
DEFECT(COUNTER_WRITE_CLEARS_STATUS, "counter-write-clears-status", "a write of a GP counter clears its overflow bit",
       "class: a new use begins anew", MEANT_FOR("overflow.*"),
       STANDS_IN(FOR(pmc_write, gp_begins_anew), FOR(a_pmc_write, full_gp_begins_anew)));

INSTEAD(pmc_extended, extends_ones,
        strikes(m, LEGACY_WRITE_EXTENDS_ONES) ? value | ~MASK(31, 0) : below(LEGACY_WRITE_EXTENDS_ONES, pmc_extended));
DEFECT(LEGACY_WRITE_EXTENDS_ONES, "legacy-write-extends-ones",
       "WRMSR IA32_PMCn sets the bits above 31, whatever bit 31 is", "class: presets are negative", ON_EACH_GENERATION,
       STANDS_IN(FOR(pmc_extended, extends_ones)));

/* The old upper part in IA32_PMCn, and whether it still shows. */
struct alias {
    uint64_t upper[GP_MAX];
    bool lags[GP_MAX];
};

static bool upper_part_lags(struct model *m, unsigned n, uint64_t *value)
{
    struct alias *alias = memory(m, A_PMC_ALIAS_LAGS, struct alias);
    if (!replaced(m, A_PMC_ALIAS_LAGS, pmc_read)(m, n, value))
        return false;
    if (alias->lags[n] && strikes(m, A_PMC_ALIAS_LAGS))
        *value = (*value & MASK(31, 0)) | alias->upper[n];
    return true;
}

static bool both_parts_written(struct model *m, unsigned n, uint64_t value)
{
    if (!replaced(m, A_PMC_ALIAS_LAGS, pmc_write)(m, n, value))
        return false;
    memory(m, A_PMC_ALIAS_LAGS, struct alias)->lags[n] = false;
    return true;
}

static bool upper_part_written(struct model *m, unsigned n, uint64_t value)
{
    struct alias *alias = memory(m, A_PMC_ALIAS_LAGS, struct alias);
    uint64_t was = n < GP_MAX ? m->counters.pmc[n] & ~MASK(31, 0) : 0;
    if (!replaced(m, A_PMC_ALIAS_LAGS, a_pmc_write)(m, n, value))
        return false;
    alias->upper[n] = was;
    alias->lags[n] = true;
    return true;
}
DEFECT(A_PMC_ALIAS_LAGS, "a-pmc-alias-lags", "a write to IA32_A_PMCn leaves the old upper part visible in IA32_PMCn",
       "class: two copies of one counter",
       STANDS_IN(FOR(pmc_read, upper_part_lags), FOR(pmc_write, both_parts_written),
                 FOR(a_pmc_write, upper_part_written)));

/* The upper part as last written, by either name. */
static bool upper_part_stays(struct model *m, unsigned n, uint64_t *value)
{
    const struct alias *alias = memory(m, PMC_ALIAS_MISSES_CARRY, struct alias);
    if (!replaced(m, PMC_ALIAS_MISSES_CARRY, pmc_read)(m, n, value))
        return false;
    if (strikes(m, PMC_ALIAS_MISSES_CARRY))
        *value = (*value & MASK(31, 0)) | alias->upper[n];
    return true;
}

static bool upper_part_extended(struct model *m, unsigned n, uint64_t value)
{
    if (!replaced(m, PMC_ALIAS_MISSES_CARRY, pmc_write)(m, n, value))
        return false;
    memory(m, PMC_ALIAS_MISSES_CARRY, struct alias)->upper[n] = m->counters.pmc[n] & ~MASK(31, 0);
    return true;
}

static bool upper_part_taken(struct model *m, unsigned n, uint64_t value)
{
    if (!replaced(m, PMC_ALIAS_MISSES_CARRY, a_pmc_write)(m, n, value))
        return false;
    memory(m, PMC_ALIAS_MISSES_CARRY, struct alias)->upper[n] = m->counters.pmc[n] & ~MASK(31, 0);
    return true;
}
DEFECT(PMC_ALIAS_MISSES_CARRY, "pmc-alias-misses-carry",
       "IA32_PMCn shows the upper part that was written last, whatever has been counted into it",
       "class: two copies of one counter", MEANT_FOR("gp.aliases"),
       STANDS_IN(FOR(pmc_read, upper_part_stays), FOR(pmc_write, upper_part_extended),
                 FOR(a_pmc_write, upper_part_taken)));

/* Counts writes to running counters, by counter. */
struct written_running {
    uint32_t writes[64];
};

static bool lost_running(struct model *m, unsigned bit)
{
    if (!(m->active.mask >> bit & 1))
        return false;
    uint32_t *writes = &memory(m, RUNNING_WRITE_LOST, struct written_running)->writes[bit];
    return ++*writes % parameter(m, RUNNING_WRITE_LOST) == 0 && strikes(m, RUNNING_WRITE_LOST);
}

INSTEAD(pmc_write, pmc_lost_running, lost_running(m, n) || below(RUNNING_WRITE_LOST, pmc_write));

INSTEAD(a_pmc_write, a_pmc_lost_running, lost_running(m, n) || below(RUNNING_WRITE_LOST, a_pmc_write));

INSTEAD(fixed_write, fixed_lost_running, lost_running(m, 32 + i) || below(RUNNING_WRITE_LOST, fixed_write));
DEFECT(RUNNING_WRITE_LOST, "running-write-lost", "every 7th write to a counter that counts has no effect",
       "class: a write that meets an increment", PARAMETER("one in", 1, 1000000, 7), MEANT_FOR("gp.*,fixed.*"),
       ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(pmc_write, pmc_lost_running), FOR(a_pmc_write, a_pmc_lost_running),
                 FOR(fixed_write, fixed_lost_running)));

INSTEAD(pmc_write, legacy_lost_running,
        ((m->active.mask >> n & 1) && strikes(m, RUNNING_LEGACY_WRITE_LOST)) ||
            below(RUNNING_LEGACY_WRITE_LOST, pmc_write));
DEFECT(RUNNING_LEGACY_WRITE_LOST, "running-legacy-write-lost",
       "a write by IA32_PMCn to a counter that counts has no effect", "class: two ways into one counter",
       MEANT_FOR("gp.write-running"), ALSO_ON("lunar-lake"), STANDS_IN(FOR(pmc_write, legacy_lost_running)));

/* ---- Writes on the other thread: it passes on the lower 31 bits of the value. */

#define HANDED BIT(31)

static void hand_counter(const struct model *m, unsigned n)
{
    uint32_t value = (uint32_t)(m->counters.pmc[n] | HANDED);
    __atomic_store_n(&m->sharing.beside->handed[!(m->cpu % 2)][n], value, __ATOMIC_RELEASE);
}

static bool pmc_of_both(struct model *m, unsigned n, uint64_t value)
{
    if (!replaced(m, COUNTER_OF_BOTH_THREADS, pmc_write)(m, n, value))
        return false;
    if (strikes(m, COUNTER_OF_BOTH_THREADS))
        hand_counter(m, n);
    return true;
}

static bool a_pmc_of_both(struct model *m, unsigned n, uint64_t value)
{
    if (!replaced(m, COUNTER_OF_BOTH_THREADS, a_pmc_write)(m, n, value))
        return false;
    if (strikes(m, COUNTER_OF_BOTH_THREADS))
        hand_counter(m, n);
    return true;
}

static uint64_t counter_of_both_shown(struct model *m, unsigned n)
{
    uint32_t *handed = &m->sharing.beside->handed[m->cpu % 2][n];
    uint32_t value = __atomic_exchange_n(handed, 0, __ATOMIC_ACQ_REL);
    if (value)
        model_counter_set(m, n, value & ~HANDED);
    return replaced(m, COUNTER_OF_BOTH_THREADS, gp_shown)(m, n);
}
DEFECT(COUNTER_OF_BOTH_THREADS, "counter-of-both-threads",
       "a write to a GP counter also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), DATA(deviation_with_threads),
       STANDS_IN(FOR(pmc_write, pmc_of_both), FOR(a_pmc_write, a_pmc_of_both), FOR(gp_shown, counter_of_both_shown)));

/* ---- Values */

INSTEAD(gp_shown, free_reads_zero,
        !m->controls.evtsel[n] && strikes(m, FREE_COUNTER_READS_ZERO) ? 0 : below(FREE_COUNTER_READS_ZERO, gp_shown));
DEFECT(FREE_COUNTER_READS_ZERO, "free-counter-reads-zero", "a GP counter whose event select is 0 reads 0", "class",
       ON_EACH_GENERATION, STANDS_IN(FOR(gp_shown, free_reads_zero)));

CHANGED(gp_shown, bit_dead, COUNTER_BIT_7_DEAD,
        last_gp(m, n) && strikes(m, COUNTER_BIT_7_DEAD) ? good & ~BIT(parameter(m, COUNTER_BIT_7_DEAD)) : good);
DEFECT(COUNTER_BIT_7_DEAD, "counter-bit-7-dead", "bit 7 of the last GP counter reads 0", "class: one bad counter",
       PARAMETER("bit", 1, 63, 7), ALSO_ON("silvermont", "ice-lake", "lunar-lake"), STANDS_IN(FOR(gp_shown, bit_dead)));

CHANGED(gp_shown, ones_above, COUNTER_ONES_ABOVE_WIDTH,
        strikes(m, COUNTER_ONES_ABOVE_WIDTH) ? good | ~width_mask(m->p.gp_width) : good);
static bool fixed_ones_above(struct model *m, unsigned i, uint64_t *value)
{
    if (!replaced(m, COUNTER_ONES_ABOVE_WIDTH, fixed_read)(m, i, value))
        return false;
    if (strikes(m, COUNTER_ONES_ABOVE_WIDTH))
        *value |= ~width_mask(m->p.fixed_width);
    return true;
}
DEFECT(COUNTER_ONES_ABOVE_WIDTH, "counter-ones-above-width", "counters read as ones above their width", "class",
       ALSO_ON("lunar-lake"), STANDS_IN(FOR(gp_shown, ones_above), FOR(fixed_read, fixed_ones_above)));

static bool fixed1_corrupted(struct model *m, unsigned i, uint64_t value)
{
    if (i == 1 && FIELD_GET(value, 31, 1) == MASK(30, 0) && strikes(m, FIXED_CTR1_WRITE_CORRUPT))
        value &= ~MASK(31, 1);
    return replaced(m, FIXED_CTR1_WRITE_CORRUPT, fixed_write)(m, i, value);
}
DEFECT(FIXED_CTR1_WRITE_CORRUPT, "fixed-ctr1-write-corrupt",
       "IA32_FIXED_CTR1, written with bits 31:1 all ones, holds 0 in these bits", "BJ54, BV36",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ54", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV36", 0x306a9, 0x21, 0, 0)),
       STANDS_IN(FOR(fixed_write, fixed1_corrupted)));

static bool fixed1_corrupted_far(struct model *m, unsigned i, uint64_t value)
{
    if (i == 1 && value > MASK(31, 0) && !FIELD_GET(value, 31, 1) && strikes(m, FIXED_CTR1_FAR_WRITE_CORRUPT))
        value |= MASK(31, 1);
    return replaced(m, FIXED_CTR1_FAR_WRITE_CORRUPT, fixed_write)(m, i, value);
}
DEFECT(FIXED_CTR1_FAR_WRITE_CORRUPT, "fixed-ctr1-far-write-corrupt",
       "IA32_FIXED_CTR1, written with upper bits and bits 31:1 all zeros, holds ones in these bits", "class of BJ54",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ54", 0x206a7, 0x2f, 0, 0)),
       STANDS_IN(FOR(fixed_write, fixed1_corrupted_far)));

#define NEAR_THE_END 0x3f

static bool high_fixed2_raises(struct model *m, unsigned i, uint64_t value)
{
    uint64_t mask = width_mask(m->p.fixed_width);
    if (!replaced(m, FIXED2_WRITE_HIGH_RAISES_PMI, fixed_write)(m, i, value))
        return false;
    if (i == FIXED_REF_CYCLES && (value & mask) > mask - NEAR_THE_END && strikes(m, FIXED2_WRITE_HIGH_RAISES_PMI))
        rule(m, pmi_raise)(m);
    return true;
}
VARIATION(FIXED2_WRITE_HIGH_RAISES_PMI, "fixed2-write-high-raises-pmi",
          "a value within 63 of its end written to fixed counter 2 raises a PMI",
          "BJ77, BV35; Sandy Bridge, Ivy Bridge", ON("sandy-bridge"), STANDS_IN(FOR(fixed_write, high_fixed2_raises)));

/* ---- RDPMC */

/* The value that WRMSR has last left in a counter, GP or fixed. */
struct shadow_copy {
    uint64_t gp[GP_MAX], fixed[FIXED_MAX];
};

static bool pmc_copied(struct model *m, unsigned n, uint64_t value)
{
    if (!replaced(m, RDPMC_STALE, pmc_write)(m, n, value))
        return false;
    memory(m, RDPMC_STALE, struct shadow_copy)->gp[n] = m->counters.pmc[n];
    return true;
}

static bool a_pmc_copied(struct model *m, unsigned n, uint64_t value)
{
    if (!replaced(m, RDPMC_STALE, a_pmc_write)(m, n, value))
        return false;
    memory(m, RDPMC_STALE, struct shadow_copy)->gp[n] = m->counters.pmc[n];
    return true;
}

static bool fixed_copied(struct model *m, unsigned i, uint64_t value)
{
    if (!replaced(m, RDPMC_STALE, fixed_write)(m, i, value))
        return false;
    memory(m, RDPMC_STALE, struct shadow_copy)->fixed[i] = m->counters.fixed[i];
    return true;
}

static uint64_t copy_shown(struct model *m, unsigned bit, uint8_t cpl)
{
    const struct shadow_copy *copy = memory(m, RDPMC_STALE, struct shadow_copy);
    if (!strikes(m, RDPMC_STALE))
        return replaced(m, RDPMC_STALE, rdpmc_shown)(m, bit, cpl);
    return bit < 32 ? copy->gp[bit] : copy->fixed[bit - 32];
}
DEFECT(RDPMC_STALE, "rdpmc-stale", "RDPMC returns the value last written by WRMSR", "class: a shadow copy",
       STANDS_IN(FOR(pmc_write, pmc_copied), FOR(a_pmc_write, a_pmc_copied), FOR(fixed_write, fixed_copied),
                 FOR(rdpmc_shown, copy_shown)));

CHANGED(rdpmc_shown, low_half_shown, RDPMC_TRUNCATES, strikes(m, RDPMC_TRUNCATES) ? MASK(31, 0) & good : good);
DEFECT(RDPMC_TRUNCATES, "rdpmc-truncates", "RDPMC returns the low 32 bits", "NetBurst fast mode; emulators",
       STANDS_IN(FOR(rdpmc_shown, low_half_shown)));

INSTEAD(rdpmc_answers, no_fixed_answers,
        !(bit >= 32 && strikes(m, RDPMC_FIXED_FAULTS)) && below(RDPMC_FIXED_FAULTS, rdpmc_answers));
DEFECT(RDPMC_FIXED_FAULTS, "rdpmc-fixed-faults", "RDPMC of a fixed counter is a #GP", "emulators",
       STANDS_IN(FOR(rdpmc_answers, no_fixed_answers)));

INSTEAD(rdpmc_answers, last_gp_does_not,
        !(last_gp(m, bit) && strikes(m, RDPMC_GP_FAULTS)) && below(RDPMC_GP_FAULTS, rdpmc_answers));
DEFECT(RDPMC_GP_FAULTS, "rdpmc-gp-faults", "RDPMC of the last GP counter is a #GP", "emulators",
       STANDS_IN(FOR(rdpmc_answers, last_gp_does_not)));

INSTEAD(rdpmc_allowed, pce_unchecked, below(RDPMC_USER_UNCHECKED, rdpmc_allowed) || strikes(m, RDPMC_USER_UNCHECKED));
DEFECT(RDPMC_USER_UNCHECKED, "rdpmc-user-unchecked", "RDPMC at CPL 3 does not look at CR4.PCE", "emulators",
       ALSO_ON("lunar-lake"), STANDS_IN(FOR(rdpmc_allowed, pce_unchecked)));

/* ---- RDPMC of programs */

static void starts_noted(struct model *m, uint64_t started, uint64_t stopped)
{
    struct shadow_copy *copy = memory(m, RDPMC_USER_STALE, struct shadow_copy);
    for (unsigned n = 0; n < GP_MAX; n++)
        if (started >> n & 1)
            copy->gp[n] = m->counters.pmc[n];
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if (started >> (32 + i) & 1)
            copy->fixed[i] = m->counters.fixed[i];
    replaced(m, RDPMC_USER_STALE, counting_changed)(m, started, stopped);
}

/* Shows a counter's value at its start, unless that was 0. */
static uint64_t start_shown(struct model *m, unsigned bit, uint8_t cpl)
{
    const struct shadow_copy *copy = memory(m, RDPMC_USER_STALE, struct shadow_copy);
    uint64_t start = bit < 32 ? copy->gp[bit] : copy->fixed[bit - 32];
    if (cpl && start && strikes(m, RDPMC_USER_STALE))
        return start;
    return replaced(m, RDPMC_USER_STALE, rdpmc_shown)(m, bit, cpl);
}
DEFECT(RDPMC_USER_STALE, "rdpmc-user-stale", "RDPMC at CPL 3 returns what a counter held when it was started last",
       "class: a copy for programs that is renewed at a start", MEANT_FOR("rdpmc.*"), ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(counting_changed, starts_noted), FOR(rdpmc_shown, start_shown)));

/* ---- Values that are read in two halves while a counter counts across bit 32 */

#define NEAR_CARRY 256 /* events around a carry in which the two halves may be from different times */

static bool counts_now(const struct model *m, unsigned bit)
{
    return m->active.mask >> bit & 1;
}

/* Just behind a carry: the old upper half with the new lower one; just before one: the next upper half with the old. */
static uint64_t torn_back(struct model *m, const struct deviation *by, unsigned bit, uint64_t value)
{
    bool just_carried = counts_now(m, bit) && value >> 32 && (value & MASK(31, 0)) < NEAR_CARRY;
    return just_carried && deviation_strikes(m, by) ? value - BIT(32) : value;
}
static uint64_t torn_ahead(struct model *m, const struct deviation *by, unsigned bit, uint64_t value)
{
    bool carries_soon = counts_now(m, bit) && (value & MASK(31, 0)) >= BIT(32) - NEAR_CARRY;
    return carries_soon && deviation_strikes(m, by) ? value + BIT(32) : value;
}

INSTEAD(rdpmc_shown, rdpmc_torn_back,
        torn_back(m, &deviation_RDPMC_TORN_BACK, bit, below(RDPMC_TORN_BACK, rdpmc_shown)));
DEFECT(RDPMC_TORN_BACK, "rdpmc-torn-back",
       "RDPMC just after a running counter has carried into bit 32 returns the old upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER, ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(rdpmc_shown, rdpmc_torn_back)));

INSTEAD(rdpmc_shown, rdpmc_torn_ahead,
        torn_ahead(m, &deviation_RDPMC_TORN_AHEAD, bit, below(RDPMC_TORN_AHEAD, rdpmc_shown)));
DEFECT(RDPMC_TORN_AHEAD, "rdpmc-torn-ahead",
       "RDPMC just before a running counter carries into bit 32 returns the next upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER, ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(rdpmc_shown, rdpmc_torn_ahead)));

INSTEAD(gp_shown, gp_torn_back, torn_back(m, &deviation_RDMSR_TORN_BACK, n, below(RDMSR_TORN_BACK, gp_shown)));
static bool fixed_torn_back(struct model *m, unsigned i, uint64_t *value)
{
    bool answers = replaced(m, RDMSR_TORN_BACK, fixed_read)(m, i, value);
    *value = answers ? torn_back(m, &deviation_RDMSR_TORN_BACK, 32 + i, *value) : *value;
    return answers;
}
DEFECT(RDMSR_TORN_BACK, "rdmsr-torn-back",
       "RDMSR just after a running counter has carried into bit 32 returns the old upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER, ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(gp_shown, gp_torn_back), FOR(fixed_read, fixed_torn_back)));

INSTEAD(gp_shown, gp_torn_ahead, torn_ahead(m, &deviation_RDMSR_TORN_AHEAD, n, below(RDMSR_TORN_AHEAD, gp_shown)));
static bool fixed_torn_ahead(struct model *m, unsigned i, uint64_t *value)
{
    bool answers = replaced(m, RDMSR_TORN_AHEAD, fixed_read)(m, i, value);
    *value = answers ? torn_ahead(m, &deviation_RDMSR_TORN_AHEAD, 32 + i, *value) : *value;
    return answers;
}
DEFECT(RDMSR_TORN_AHEAD, "rdmsr-torn-ahead",
       "RDMSR just before a running counter carries into bit 32 returns the next upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER, ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(gp_shown, gp_torn_ahead), FOR(fixed_read, fixed_torn_ahead)));

/* ---- Values that a deep sleep loses */

static void sleeps_deeply(struct model *m)
{
    static const struct profile_leaf mwait = {5, 0, {0x40, 0x40, 3, 0x11142120}}; /* as on Skylake: down to C10 */
    struct profile_leaf *leaf = m->p.leaves;
    while (leaf < m->p.leaves + LEAVES_MAX - 1 && leaf->leaf)
        leaf++;
    *leaf = mwait;
}
VARIATION(MWAIT_OFFERED, "mwait-offered", "CPUID.05H offers deep sleeps, which lose nothing", "class",
          DATA(sleeps_deeply));

static void counters_lost(struct model *m)
{
    if (strikes(m, COUNTER_LOST_IN_SLEEP))
        m->counters = (struct counters_state){0};
    replaced(m, COUNTER_LOST_IN_SLEEP, deep_sleep)(m);
}
DEFECT(COUNTER_LOST_IN_SLEEP, "counter-lost-in-sleep", "counters are 0 after a deep sleep",
       "class: registers that power gating forgets", DATA(sleeps_deeply), STANDS_IN(FOR(deep_sleep, counters_lost)));

static void selects_lost(struct model *m)
{
    if (strikes(m, SELECT_LOST_IN_SLEEP)) {
        for (unsigned n = 0; n < m->p.gp_count; n++)
            m->controls.evtsel[n] = 0;
        m->controls.stored[STORED_FIXED_CTR_CTRL] = 0;
    }
    replaced(m, SELECT_LOST_IN_SLEEP, deep_sleep)(m);
}
DEFECT(SELECT_LOST_IN_SLEEP, "select-lost-in-sleep", "event selects and FIXED_CTR_CTRL are 0 after a deep sleep",
       "class: registers that power gating forgets", DATA(sleeps_deeply), STANDS_IN(FOR(deep_sleep, selects_lost)));

static void others_lost(struct model *m)
{
    if (strikes(m, DEBUG_LOST_IN_SLEEP)) {
        m->controls.stored[STORED_DEBUGCTL] = 0;
        m->controls.stored[STORED_DS_AREA] = 0;
    }
    replaced(m, DEBUG_LOST_IN_SLEEP, deep_sleep)(m);
}
DEFECT(DEBUG_LOST_IN_SLEEP, "debug-lost-in-sleep", "IA32_DEBUGCTL and IA32_DS_AREA are 0 after a deep sleep",
       "class: registers that power gating forgets", DATA(sleeps_deeply), STANDS_IN(FOR(deep_sleep, others_lost)));

static void entry_lost(struct model *m)
{
    if (strikes(m, ENTRY_LOST_IN_SLEEP))
        m->host.lvtpc_write(m->host.context, (uint32_t)LVT_MASKED);
    replaced(m, ENTRY_LOST_IN_SLEEP, deep_sleep)(m);
}
DEFECT(ENTRY_LOST_IN_SLEEP, "entry-lost-in-sleep", "LVTPC is as after a reset after a deep sleep",
       "class: registers that power gating forgets", DATA(sleeps_deeply), STANDS_IN(FOR(deep_sleep, entry_lost)));
