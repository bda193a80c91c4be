/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/budget.h"

static const struct budget normal_budget = {
    .us = 92000, .repeats = 100, .hopeless = 20, .stretch = 1, .draws = 8, .timeout_ms = 20000};
static const struct budget quick_budget = {
    .us = 18500, .repeats = 20, .hopeless = 4, .stretch = 1, .draws = 8, .timeout_ms = 10000};
static const struct budget normal_reference_budget = {
    .us = 20000, .repeats = 40, .hopeless = 8, .stretch = 1, .draws = 8, .alike = true, .timeout_ms = 20000};
static const struct budget quick_reference_budget = {
    .us = 2000, .repeats = 7, .hopeless = 4, .stretch = 1, .draws = 8, .alike = true, .timeout_ms = 10000};
#define EVENTS 1000000      /* in normal runs on real hardware */
#define IDLE_US 1000000     /* in normal runs on real hardware: the time of a test that only waits */
#define IDLE_TESTS 2        /* tests that wait IDLE_US */
#define SURROUNDED 64       /* a test in eight draws surroundings, for an eighth of its time */
#define SETUP_US 60000      /* per test: snapshots, settling, its lines at 115200 baud */
#define REPEAT_US 10        /* a short block with its share of a bracket, on slow silicon */
#define REPEAT_EVENTS 96    /* events that it has at least */
#define SLOPES_MOST 78      /* calls of count_slope() in all tests */
#define IN_TURN_US 10000000 /* for a test that runs CPU by CPU: all of them together */
#define TURN_US 2000        /* per turn: waking the CPU, snapshots, settling */
#define CPU_US 60           /* per CPU in any test: waking it, judging and folding its results */

/* In a proof a defect shows in every repeat, and a hundred runs of all tests must take only minutes. */
static const struct budget proof_budget = {
    .us = 2000, .repeats = 5, .hopeless = ~0u, .stretch = 1, .draws = 8, .hurried = true, .timeout_ms = 3000};

static struct budget soak_budget = {.repeats = 20, .hopeless = 4, .stretch = 1, .draws = 8, .share = 1};
#define REPEATS_FEWEST 3 /* on each of many CPUs of the reference PMU */
static bool quick_set, proof_set, soak_set;
static u32 cpus_set = 1, wait_ms;
static enum pmu_kind pmu_set = PMU_REFERENCE;

static struct budget own_budget(void)
{
    if (proof_set)
        return proof_budget;
    if (pmu_set == PMU_REFERENCE)
        return quick_set ? quick_reference_budget : normal_reference_budget;
    return quick_set ? quick_budget : normal_budget;
}

/* Those of the reference PMU are alike: many of them do together what two do. */
static u32 share(void)
{
    return cpus_set > 2 && pmu_set == PMU_REFERENCE && !proof_set ? cpus_set / 2 : 1;
}

static u32 shared(u32 repeats)
{
    u32 each = repeats / share();
    return share() == 1 || each > REPEATS_FEWEST ? each : REPEATS_FEWEST;
}

struct budget budget(void)
{
    struct budget now = soak_set ? soak_budget : own_budget();
    now.timeout_ms += wait_ms;
    if (soak_set)
        return now;
    now.share = share();
    now.repeats = shared(now.repeats);
    bool thorough = pmu_set == PMU_HARDWARE && !proof_set && !quick_set;
    now.events = thorough ? EVENTS : 0;
    now.idle_us = thorough ? IDLE_US : now.us;
    return now;
}

void budget_set_pmu(enum pmu_kind kind)
{
    pmu_set = kind;
}

void budget_set_cpus(u32 cpus)
{
    cpus_set = cpus;
}

u32 budget_turn_us(u32 cpus)
{
    struct budget now = budget();
    return soak_set || !cpus || (u64)now.us * cpus <= IN_TURN_US ? now.us : IN_TURN_US / cpus;
}

u64 budget_suite_us(u32 tests, u32 in_turn, u32 cpus)
{
    struct budget now = budget();
    u64 slopes = (u64)SLOPES_MOST * now.events / REPEAT_EVENTS * REPEAT_US;
    u64 turns = (u64)in_turn * cpus * (TURN_US + budget_turn_us(cpus));
    return IDLE_TESTS * (u64)now.idle_us + (u64)tests * now.us / SURROUNDED +
           (u64)tests * (SETUP_US + (u64)cpus * CPU_US) + (u64)(tests - in_turn) * now.us + turns + slopes;
}

void budget_set_proof(bool proof)
{
    proof_set = proof;
}

void budget_set_quick(bool quick)
{
    quick_set = quick;
}

void budget_set_wait(u32 seconds)
{
    wait_ms = seconds * 1000;
}

#define CALLS_MOST 8 /* calls of repeat_clean() in a test, each of which may take all of the time */
#define SOAK_TIMEOUT_MS 20000

void budget_set_soak(u32 us, u32 stretch)
{
    soak_set = true;
    soak_budget.us = soak_budget.idle_us = us;
    soak_budget.repeats = us < normal_budget.us ? quick_budget.repeats : normal_budget.repeats;
    soak_budget.hopeless = soak_budget.repeats / 5;
    soak_budget.stretch = stretch;
    soak_budget.timeout_ms = SOAK_TIMEOUT_MS + us / 1000 * CALLS_MOST;
}
