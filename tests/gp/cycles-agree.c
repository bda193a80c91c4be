/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same warm block takes about as many core cycles on every core of a kind, whatever the clock rate. So a core whose
 * counter counts each cycle several times, or only some cycles, differs from the other cores, though its number may
 * look plausible. Other threads of a core make it slower, but the fastest of many runs by less than a factor of MOST.
 *
 * All CPUs measure at once; each is compared with the first one of its kind.
 */
#include "harness/test.h"

#define MOST 4

static u64 quickest[MAX_CPUS]; /* additional cycles of the longer block over the shorter; 0: not known */

static u64 run(struct test *t, u64 k)
{
    u64 before = read_msr(t, MSR_PMC(0));
    run_block(t, GLOBAL_GP(0), k);
    return (read_msr(t, MSR_PMC(0)) - before) & counter_mask(t->caps->gp_width);
}

static bool both_lengths(struct test *t, void *fastest)
{
    fastest_add(fastest, CYCLES_SHORT_K, run(t, CYCLES_SHORT_K));
    fastest_add(fastest, CYCLES_LONG_K, run(t, CYCLES_LONG_K));
    return true;
}

static u32 first_alike(const struct test *t)
{
    u32 cpu = 0;
    while (cpu < t->cpu && !(quickest[cpu] && caps_same_kind(pmu_caps_of(cpu), t->caps)))
        cpu++;
    return cpu;
}

static void cycles_agree(struct test *t)
{
    struct fastest fastest = {0};
    quickest[t->cpu] = 0;
    counter_setup(gp_counter(t->caps, 0), ARCH_EVENT_CORE_CYCLES, COUNT_OS, 0);
    if (!barrier(t))
        return;
    repeat_clean(t, both_lengths, &fastest);
    if (!throttled(t) && fastest.longer > fastest.shorter)
        quickest[t->cpu] = fastest.longer - fastest.shorter;
    if (!barrier(t))
        return;
    if (throttled(t))
        skip_for(t, REASON_NOISE_HEAT, "IA32_THERM_STATUS: the thermal monitor slowed the clock, cycles differ");
    u64 first = quickest[first_alike(t)];
    check_range(t, "differs", quickest[t->cpu], (first + MOST - 1) / MOST, first * MOST, MSR_PMC(0));
}

TEST("gp.cycles-agree", .title = "Cores of a kind count about as many cycles for the same block",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-068",
     .needs = {.version = 2, .event = 1, .cpus = 2}, .scope = ALL_TOGETHER, .run = cycles_agree);
