/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value of a counter that CPUID leaf 23H enumerates has an alias, and so has the event select of a GP counter:
 * these registers can be read by RDMSR. Which other registers of the range can be read is measured: a fixed counter has
 * no CFG_A, CFG_B and CFG_C exist only if later sub-leaves enumerate them, and no document says what is at the
 * addresses between.
 */
#include "harness/chapter/alias.h"

static bool answers(u32 msr)
{
    u64 value;
    return rdmsr_try(msr, &value) == NO_FAULT;
}

/* Does CPUID enumerate the register, on this kind of core? */
static bool named(const struct pmu_caps *caps, u32 msr)
{
    const struct register_row *row = register_row_of(caps, msr);
    return row && register_is_there(row, caps, register_number_in(row, msr));
}

/* Measures which other registers from `first` on can be read, in the range of `counters` counters: bit n, the n-th. */
static void measure_others(struct test *t, const char *name, u32 first, unsigned counters)
{
    u64 others = 0;
    for (unsigned n = 0; n < counters * ALIAS_APART; n++)
        if (!named(t->caps, first + n) && answers(first + n))
            others |= BIT(n);
    measure(t, name, "mask", others);
}

static void must_answer(struct test *t, u32 msr)
{
    u64 value;
    check_fault(t, "silent", rdmsr_try(msr, &value), NO_FAULT, msr);
}

static void all_answer(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    need_aliases(t);
    unsigned n = alias_counters(t, list);
    for (unsigned i = 0; i < n; i++) {
        must_answer(t, msr_ctr(list[i]));
        if (!list[i].fixed)
            must_answer(t, MSR_PMC_GP_CFG_A(list[i].index));
    }
    measure_others(t, "others-of-gp", MSR_PMC_GP_CTR(0), GP_COUNTERS_MAX);
    measure_others(t, "others-of-fixed", MSR_PMC_FX_CTR(0), FIXED_COUNTERS_MAX);
}

TEST("alias.answers", .title = "The aliases of counters that CPUID leaf 23H enumerates can be read",
     .spec = "SDM 4, Architectural MSRs", .covers = "B-074", .needs = NEEDS_VERSION(5), .scope = EACH_CPU,
     .run = all_answer, .measures = true);
