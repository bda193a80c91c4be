/*
 * A counter that CPUID leaf 23H names has its value by an alias, and a GP counter its event select as well: these
 * registers answer RDMSR. Which other registers of the range answer is measured: a fixed counter has no CFG_A, CFG_B
 * and CFG_C are there only for what later sub-leaves name, and no document says what is at the addresses between.
 */
#include "harness/chapter/alias.h"
#include "pmu/cpu/alias.h"
#include "pmu/state/register.h"

static bool answers(u32 msr)
{
    u64 value;
    return rdmsr_try(msr, &value) == NO_FAULT;
}

/* One that CPUID tells of, on this kind of core. */
static bool named(const struct pmu_caps *caps, u32 msr)
{
    const struct register_row *row = register_row_of(caps, msr);
    return row && register_is_there(row, caps, register_number_in(row, msr));
}

/* Those of `counters` counters from `first` on that answer all the same: bit n, the n-th. */
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

TEST("alias.answers", .title = "The aliases of counters that CPUID leaf 23H names answer",
     .spec = "SDM 4, Architectural MSRs", .covers = "B-074", .needs = NEEDS_VERSION(5), .scope = EACH_CPU,
     .run = all_answer, .measures = true);
