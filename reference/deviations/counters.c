/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the counters' values: how they are read, written and kept. */
#define CHAPTERS "access.*,enum.*,gp.*,fixed.*,rdpmc.*,handoff.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Accesses that fault, or do not */

DEFECT(enumerated_counter_faults, INSTEAD(pmc_read, last_gp(m, n), false), "RDMSR of the last GP counter is a #GP",
       "class: counters fused off after enumeration");
DEFECT(enumerated_fixed_faults, INSTEAD(fixed_read, model_has_fixed(m, i) && !(m->p.fixed_bitmap >> (i + 1)), false),
       "RDMSR of the last fixed counter is a #GP", "class: counters fused off after enumeration");
DEFECT(full_width_write_no_gp, CHANGED(a_pmc_fits, !good, true),
       "WRMSR IA32_A_PMCn above the width is accepted and cut", "emulators", ALSO_ON("silvermont"));

/* Bits above the width that a write has left. */
struct above {
    uint64_t width[FIXED_MAX];
};

STAND_IN(fixed_write_above_width_accepted, fixed_write)
{
    struct above *above = memory(struct above);
    uint64_t extra = value & ~width_mask(m->p.fixed_width);
    bool let_in = extra && model_has_fixed(m, i) && strikes();
    value = let_in ? value & ~extra : value;
    if (!below(fixed_write))
        return false;
    above->width[i] = let_in ? extra : 0;
    return true;
}

DEFECT(fixed_write_above_width_accepted,
       ALL(NOTED(fixed_read, good, *value |= memory(struct above)->width[i]), FUNCTIONS),
       "WRMSR IA32_FIXED_CTRi above the width is accepted and the bits are returned",
       "emulators; Core 2 accepts and cuts");

/* ---- Writes through IA32_PMCn and IA32_A_PMCn */

DEFECT(legacy_write_not_sign_extended, INSTEAD(pmc_extended, true, (uint32_t)value),
       "WRMSR IA32_PMCn leaves the bits above 31 clear", "class; nobody reads the register back");
DEFECT(legacy_write_takes_edx, INSTEAD(pmc_extended, true, value), "WRMSR IA32_PMCn stores EDX as well",
       "emulators that alias it with IA32_A_PMCn");

/* Counters of which one write of 0 had no effect. */
struct once {
    bool gp[GP_MAX], fixed[FIXED_MAX];
};

static struct once *once(struct at_work *self)
{
    return memory(struct once);
}

static void keep_once(struct at_work *self, struct model *m, bool *asked, uint64_t *counter, uint64_t was,
                      uint64_t value)
{
    bool first = !value && was && !*asked;
    *asked = first;
    if (first && strikes())
        *counter = was;
}

STAND_IN(counter_zero_needs_two_writes, pmc_write)
{
    uint64_t was = m->counters.pmc[n < GP_MAX ? n : 0];
    if (!below(pmc_write))
        return false;
    keep_once(self, m, &once(self)->gp[n], &m->counters.pmc[n], was, value);
    return true;
}

STAND_IN(counter_zero_needs_two_writes, a_pmc_write)
{
    uint64_t was = m->counters.pmc[n < GP_MAX ? n : 0];
    if (!below(a_pmc_write))
        return false;
    keep_once(self, m, &once(self)->gp[n], &m->counters.pmc[n], was, value);
    return true;
}
STAND_IN(counter_zero_needs_two_writes, fixed_write)
{
    uint64_t was = m->counters.fixed[i < FIXED_MAX ? i : 0];
    if (!below(fixed_write))
        return false;
    keep_once(self, m, &once(self)->fixed[i], &m->counters.fixed[i], was, value);
    return true;
}
DEFECT(counter_zero_needs_two_writes, FUNCTIONS, "only the second write of 0 clears a counter that holds a count",
       "class", ON_EACH_GENERATION);

/* Some implementations may clear the overflow bit when the counter is written. */
DEFECT(counter_write_clears_status,
       ALL(BOTH(BEFORE, pmc_write, a_pmc_write, true, m->status.bits &= ~STATUS_GP(n % GP_MAX))),
       "a write of a GP counter clears its overflow bit", "class: a new use begins anew", MEANT_FOR("overflow.*"));
DEFECT(legacy_write_extends_ones, INSTEAD(pmc_extended, true, value | ~MASK(31, 0)),
       "WRMSR IA32_PMCn sets the bits above 31, whatever bit 31 is", "class: presets are negative", ON_EACH_GENERATION);

/* The old upper part in IA32_PMCn, and whether it still shows. */
struct alias {
    uint64_t upper[GP_MAX];
    bool lags[GP_MAX];
};

STAND_IN(a_pmc_alias_lags, a_pmc_write)
{
    struct alias *alias = memory(struct alias);
    uint64_t was = n < GP_MAX ? m->counters.pmc[n] & ~MASK(31, 0) : 0;
    if (!below(a_pmc_write))
        return false;
    alias->upper[n] = was;
    alias->lags[n] = true;
    return true;
}
DEFECT(a_pmc_alias_lags,
       ALL(AFTER(pmc_read, good && (memory(struct alias)->lags[n]),
                 *value = (*value & MASK(31, 0)) | memory(struct alias)->upper[n]),
           NOTED(pmc_write, good, memory(struct alias)->lags[n] = false), FUNCTIONS),
       "a write to IA32_A_PMCn leaves the old upper part visible in IA32_PMCn", "class: two copies of one counter");

/* The upper part as last written, by either name. */
DEFECT(pmc_alias_misses_carry,
       ALL(AFTER(pmc_read, good, *value = (*value & MASK(31, 0)) | memory(struct alias)->upper[n]),
           BOTH(NOTED, pmc_write, a_pmc_write, good,
                memory(struct alias)->upper[n] = m->counters.pmc[n] & ~MASK(31, 0))),
       "IA32_PMCn shows the upper part that was written last, whatever has been counted into it",
       "class: two copies of one counter", MEANT_FOR("gp.aliases"));

/* Counts writes to running counters, by counter. */
struct written_running {
    uint32_t writes[64];
};

static bool lost_running(struct at_work *self, struct model *m, unsigned bit)
{
    if (!(m->active.mask >> bit & 1))
        return false;
    uint32_t *writes = &memory(struct written_running)->writes[bit];
    return ++*writes % parameter() == 0 && strikes();
}

DEFECT(running_write_lost,
       ALL(IS(pmc_write, lost_running(self, m, n) || below(pmc_write)),
           IS(a_pmc_write, lost_running(self, m, n) || below(a_pmc_write)),
           IS(fixed_write, lost_running(self, m, 32 + i) || below(fixed_write))),
       "every 7th write to a counter that counts has no effect", "class: a write that meets an increment",
       PARAMETER("one in", 1, 1000000, 7), MEANT_FOR("gp.*,fixed.*"), ALSO_ON("lunar-lake"));
DEFECT(running_legacy_write_lost, INSTEAD(pmc_write, (m->active.mask >> n & 1), true),
       "a write by IA32_PMCn to a counter that counts has no effect", "class: two ways into one counter",
       MEANT_FOR("gp.write-running"), ALSO_ON("lunar-lake"));

/* ---- Writes on the other thread: it passes on the lower 31 bits of the value. */

#define HANDED BIT(31)

static void hand_counter(const struct model *m, unsigned n)
{
    uint32_t value = (uint32_t)(m->counters.pmc[n] | HANDED);
    __atomic_store_n(&m->sharing.beside->handed[!(m->cpu % 2)][n], value, __ATOMIC_RELEASE);
}

STAND_IN(counter_of_both_threads, gp_shown)
{
    uint32_t *handed = &m->sharing.beside->handed[m->cpu % 2][n];
    uint32_t value = __atomic_exchange_n(handed, 0, __ATOMIC_ACQ_REL);
    if (value)
        model_counter_set(m, n, value & ~HANDED);
    return below(gp_shown);
}
DEFECT(counter_of_both_threads, ALL(BOTH(AFTER, pmc_write, a_pmc_write, good, hand_counter(m, n)), FUNCTIONS),
       "a write to a GP counter also goes to that of the core's other thread", "class: a thread's number lost",
       MEANT_FOR("access.*"), ON("ice-lake"), PREPARED(deviation_with_threads));

/* ---- Values */

DEFECT(free_counter_reads_zero, INSTEAD(gp_shown, !m->controls.evtsel[n], 0),
       "a GP counter whose event select is 0 reads 0", "class", ON_EACH_GENERATION);
DEFECT(counter_bit_7_dead, CHANGED(gp_shown, last_gp(m, n), good & ~BIT(parameter())),
       "bit 7 of the last GP counter reads 0", "class: one bad counter", PARAMETER("bit", 1, 63, 7),
       ALSO_ON("silvermont", "ice-lake", "lunar-lake"));
DEFECT(counter_ones_above_width,
       ALL(CHANGED(gp_shown, true, good | ~width_mask(m->p.gp_width)),
           AFTER(fixed_read, good, *value |= ~width_mask(m->p.fixed_width))),
       "counters read as ones above their width", "class", ALSO_ON("lunar-lake"));
DEFECT(fixed_ctr1_write_corrupt,
       BEFORE(fixed_write, i == 1 && FIELD_GET(value, 31, 1) == MASK(30, 0), value &= ~MASK(31, 1)),
       "IA32_FIXED_CTR1, written with bits 31:1 all ones, holds 0 in these bits", "BJ54, BV36",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ54", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV36", 0x306a9, 0x21, 0, 0)));
DEFECT(fixed_ctr1_far_write_corrupt,
       BEFORE(fixed_write, i == 1 && value > MASK(31, 0) && !FIELD_GET(value, 31, 1), value |= MASK(31, 1)),
       "IA32_FIXED_CTR1, written with upper bits and bits 31:1 all zeros, holds ones in these bits", "class of BJ54",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ54", 0x206a7, 0x2f, 0, 0)));

#define NEAR_THE_END 0x3f

VARIATION(fixed2_write_high_raises_pmi,
          AFTER(fixed_write,
                good && (i == FIXED_REF_CYCLES) && (-value & width_mask(m->p.fixed_width)) - 1 < NEAR_THE_END,
                rule(m, pmi_raise)(m)),
          "a value within 63 of its end written to fixed counter 2 raises a PMI",
          "BJ77, BV35; Sandy Bridge, Ivy Bridge", ON("sandy-bridge"));

/* ---- RDPMC */

/* The value that WRMSR has last left in a counter, GP or fixed. */
struct shadow_copy {
    uint64_t gp[GP_MAX], fixed[FIXED_MAX];
};

DEFECT(rdpmc_stale,
       ALL(BOTH(NOTED, pmc_write, a_pmc_write, good, memory(struct shadow_copy)->gp[n] = m->counters.pmc[n]),
           NOTED(fixed_write, good, memory(struct shadow_copy)->fixed[i] = m->counters.fixed[i]),
           INSTEAD(rdpmc_shown, true,
                   bit < 32 ? memory(struct shadow_copy)->gp[bit] : memory(struct shadow_copy)->fixed[bit - 32])),
       "RDPMC returns the value last written by WRMSR", "class: a shadow copy");
DEFECT(rdpmc_truncates, CHANGED(rdpmc_shown, true, MASK(31, 0) & good), "RDPMC returns the low 32 bits",
       "NetBurst fast mode; emulators");
DEFECT(rdpmc_fixed_faults, INSTEAD(rdpmc_answers, bit >= 32, false), "RDPMC of a fixed counter is a #GP", "emulators");
DEFECT(rdpmc_gp_faults, INSTEAD(rdpmc_answers, last_gp(m, bit), false), "RDPMC of the last GP counter is a #GP",
       "emulators");
DEFECT(rdpmc_user_unchecked, CHANGED(rdpmc_allowed, !good, true), "RDPMC at CPL 3 does not look at CR4.PCE",
       "emulators", ALSO_ON("lunar-lake"));

/* ---- RDPMC of programs */

STAND_IN(rdpmc_user_stale, counting_changed)
{
    struct shadow_copy *copy = memory(struct shadow_copy);
    for (unsigned n = 0; n < GP_MAX; n++)
        if (started >> n & 1)
            copy->gp[n] = m->counters.pmc[n];
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if (started >> (32 + i) & 1)
            copy->fixed[i] = m->counters.fixed[i];
    below(counting_changed);
}

/* Shows a counter's value at its start, unless that was 0. */
STAND_IN(rdpmc_user_stale, rdpmc_shown)
{
    const struct shadow_copy *copy = memory(struct shadow_copy);
    uint64_t start = bit < 32 ? copy->gp[bit] : copy->fixed[bit - 32];
    if (cpl && start && strikes())
        return start;
    return below(rdpmc_shown);
}
DEFECT(rdpmc_user_stale, FUNCTIONS, "RDPMC at CPL 3 returns what a counter held when it was started last",
       "class: a copy for programs that is renewed at a start", MEANT_FOR("rdpmc.*"), ALSO_ON("lunar-lake"));

/* ---- Values that are read in two halves while a counter counts across bit 32 */

#define NEAR_CARRY 256 /* events around a carry in which the two halves may be from different times */

static bool counts_now(const struct model *m, unsigned bit)
{
    return m->active.mask >> bit & 1;
}

/* Just behind a carry: the old upper half with the new lower one; just before one: the next upper half with the old. */
static uint64_t torn_back(struct at_work *self, struct model *m, unsigned bit, uint64_t value)
{
    bool just_carried = counts_now(m, bit) && value >> 32 && (value & MASK(31, 0)) < NEAR_CARRY;
    return just_carried && strikes() ? value - BIT(32) : value;
}
static uint64_t torn_ahead(struct at_work *self, struct model *m, unsigned bit, uint64_t value)
{
    bool carries_soon = counts_now(m, bit) && (value & MASK(31, 0)) >= BIT(32) - NEAR_CARRY;
    return carries_soon && strikes() ? value + BIT(32) : value;
}

DEFECT(rdpmc_torn_back, IS(rdpmc_shown, torn_back(self, m, bit, below(rdpmc_shown))),
       "RDPMC just after a running counter has carried into bit 32 returns the old upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER,
       ALSO_ON("lunar-lake"));
DEFECT(rdpmc_torn_ahead, IS(rdpmc_shown, torn_ahead(self, m, bit, below(rdpmc_shown))),
       "RDPMC just before a running counter carries into bit 32 returns the next upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER,
       ALSO_ON("lunar-lake"));
DEFECT(rdmsr_torn_back,
       ALL(IS(gp_shown, torn_back(self, m, n, below(gp_shown))),
           NOTED(fixed_read, true, *value = good ? torn_back(self, m, 32 + i, *value) : *value)),
       "RDMSR just after a running counter has carried into bit 32 returns the old upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER,
       ALSO_ON("lunar-lake"));
DEFECT(rdmsr_torn_ahead,
       ALL(IS(gp_shown, torn_ahead(self, m, n, below(gp_shown))),
           NOTED(fixed_read, true, *value = good ? torn_ahead(self, m, 32 + i, *value) : *value)),
       "RDMSR just before a running counter carries into bit 32 returns the next upper half",
       "class: two halves that are read one after the other", MEANT_FOR("rdpmc.*"), EACH_COUNTER,
       ALSO_ON("lunar-lake"));

/* ---- Values that a deep sleep loses */

static void sleeps_deeply(struct model *m)
{
    static const struct profile_leaf mwait = {5, 0, {0x40, 0x40, 3, 0x11142120}}; /* as on Skylake: down to C10 */
    struct profile_leaf *leaf = m->p.leaves;
    while (leaf < m->p.leaves + LEAVES_MAX - 1 && leaf->leaf)
        leaf++;
    *leaf = mwait;
}
VARIATION(mwait_offered, NO_RULE, "CPUID.05H offers deep sleeps, which lose nothing", "class", PREPARED(sleeps_deeply));
DEFECT(counter_lost_in_sleep, BEFORE(deep_sleep, true, m->counters = (struct counters_state){0}),
       "counters are 0 after a deep sleep", "class: registers that power gating forgets", PREPARED(sleeps_deeply));

STAND_IN(select_lost_in_sleep, deep_sleep)
{
    if (strikes()) {
        for (unsigned n = 0; n < m->p.gp_count; n++)
            m->controls.evtsel[n] = 0;
        m->controls.stored[STORED_FIXED_CTR_CTRL] = 0;
    }
    below(deep_sleep);
}
DEFECT(select_lost_in_sleep, FUNCTIONS, "event selects and FIXED_CTR_CTRL are 0 after a deep sleep",
       "class: registers that power gating forgets", PREPARED(sleeps_deeply));
DEFECT(debug_lost_in_sleep,
       BEFORE(deep_sleep, true, m->controls.stored[STORED_DEBUGCTL] = 0; m->controls.stored[STORED_DS_AREA] = 0),
       "IA32_DEBUGCTL and IA32_DS_AREA are 0 after a deep sleep", "class: registers that power gating forgets",
       PREPARED(sleeps_deeply));
DEFECT(entry_lost_in_sleep, BEFORE(deep_sleep, true, m->host.lvtpc_write(m->host.context, (uint32_t)LVT_MASKED)),
       "LVTPC is as after a reset after a deep sleep", "class: registers that power gating forgets",
       PREPARED(sleeps_deeply));
