/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No false alarm on real CPUs: the tests of register bits run on recordings of named CPUs, and are judged as on
 * silicon. Every failure must be excused by an erratum.
 */
#include "tests/host/harness/recorded_cpu.h"

#include "harness/core/judge.h"
#include "harness/protocol.h"
#include "harness/run/needs.h"
#include "tests/host/case.h"

#include <stdio.h>

extern const struct test_declaration *const __start_tests[], *const __stop_tests[];

#define ABOVE(width) (~0ull << (width))
#define UPPER MASK(63, 32)
#define EVTSELS(n, bad, lost)                                \
    {                                                        \
        MSR_PERFEVTSEL(0), n, .faults = bad, .dropped = lost \
    }
#define PMCS(n)                               \
    {                                         \
        MSR_PMC(0), n, .kind = LEGACY_COUNTER \
    }
#define A_PMCS(n, width)                                              \
    {                                                                 \
        MSR_A_PMC(0), n, .faults = ABOVE(width), .kind = FULL_COUNTER \
    }
#define FIXED(bad, lost)                                    \
    {                                                       \
        MSR_FIXED_CTR(0), 3, .faults = bad, .dropped = lost \
    }
#define FIXED_CTRL(bad, lost)                                 \
    {                                                         \
        MSR_FIXED_CTR_CTRL, 1, .faults = bad, .dropped = lost \
    }
#define GLOBAL_CTRL(bad)                       \
    {                                          \
        MSR_PERF_GLOBAL_CTRL, 1, .faults = bad \
    }
#define GLOBAL_STATUS                                \
    {                                                \
        MSR_PERF_GLOBAL_STATUS, 1, .kind = READ_ONLY \
    }
#define OVF_CTRL(accepted, value)                                                                     \
    {                                                                                                 \
        MSR_PERF_GLOBAL_STATUS_RESET, 1, .faults = ~(accepted), .reads = value, .kind = RESETS_STATUS \
    }
#define STATUS_SET(accepted)                                                      \
    {                                                                             \
        MSR_PERF_GLOBAL_STATUS_SET, 1, .faults = ~(accepted), .kind = SETS_STATUS \
    }
#define DEBUGCTL(valid)                     \
    {                                       \
        MSR_DEBUGCTL, 1, .faults = ~(valid) \
    }
#define PERF_CAPABILITIES                           \
    {                                               \
        MSR_PERF_CAPABILITIES, 1, .kind = READ_ONLY \
    }

static const struct recorded_cpu recorded[] = {
    {"conroe-b2", /* Core 2 X6800: accepts all bits, and OVF_CTRL reads back */
     {EVTSELS(2, 0, UPPER), PMCS(2), FIXED(0, ABOVE(40)), FIXED_CTRL(0, ABOVE(12)), GLOBAL_CTRL(0), GLOBAL_STATUS,
      OVF_CTRL(~0ull, 0x700000007), DEBUGCTL(MASK(12, 6) | 3), PERF_CAPABILITIES}},
    {"harpertown", /* Xeon X5482: ANY faults, all of GLOBAL_CTRL is kept */
     {EVTSELS(2, UPPER | EVTSEL_ANY, 0), PMCS(2), FIXED(ABOVE(40), 0), FIXED_CTRL(0xfffffffffffff444, 0),
      GLOBAL_CTRL(0), GLOBAL_STATUS, OVF_CTRL(~0ull, ~0ull), DEBUGCTL(MASK(12, 6) | BIT(14) | 3), PERF_CAPABILITIES}},
    {"bonnell", /* Atom 330 */
     {EVTSELS(2, UPPER, 0), PMCS(2), FIXED(ABOVE(40), 0), FIXED_CTRL(ABOVE(12), 0), GLOBAL_CTRL(0xfffffff8fffffffc),
      GLOBAL_STATUS, OVF_CTRL(0xc000000700000003, 0), DEBUGCTL(MASK(12, 6) | 3), PERF_CAPABILITIES}},
    {"silvermont", /* Pentium N3530 */
     {EVTSELS(2, UPPER, 0), PMCS(2), A_PMCS(2, 40), FIXED(ABOVE(40), 0), FIXED_CTRL(ABOVE(12), 0),
      GLOBAL_CTRL(0xfffffff8fffffffc), GLOBAL_STATUS, OVF_CTRL(0xc000000700000003, 0),
      DEBUGCTL(MASK(12, 6) | BIT(14) | 3), PERF_CAPABILITIES}},
    {"sandy-bridge", /* Core i7-2635QM */
     {EVTSELS(4, UPPER | EVTSEL_PC, 0), PMCS(4), A_PMCS(4, 48), FIXED(ABOVE(48), 0), FIXED_CTRL(ABOVE(12), 0),
      GLOBAL_CTRL(0xfffffff8fffffff0), GLOBAL_STATUS, OVF_CTRL(0xe00000070000000f, 0), DEBUGCTL(MASK(14, 6) | 3),
      PERF_CAPABILITIES}},
    {"ivy-bridge-8", /* Core i5-3570, without hyper-threading */
     {EVTSELS(8, UPPER | EVTSEL_PC, 0), PMCS(8), A_PMCS(8, 48), FIXED(ABOVE(48), 0), FIXED_CTRL(ABOVE(12), 0),
      GLOBAL_CTRL(0xfffffff8ffffff00), GLOBAL_STATUS, OVF_CTRL(0xe0000007000000ff, 0), DEBUGCTL(MASK(14, 6) | 3),
      PERF_CAPABILITIES}},
    {"broadwell", /* Core i7-5600U */
     {EVTSELS(4, MASK(63, 33) | EVTSEL_PC, 0), PMCS(4), A_PMCS(4, 48), FIXED(ABOVE(48), 0), FIXED_CTRL(ABOVE(12), 0),
      GLOBAL_CTRL(0xfffffff8fffffff0), GLOBAL_STATUS, OVF_CTRL(0xe08000070000000f, 0), DEBUGCTL(MASK(15, 6) | 3),
      PERF_CAPABILITIES}},
    {"skylake", /* Core i7-6700K; STATUS_SET takes bit 63 as well: SKL164 */
     {EVTSELS(4, MASK(63, 33) | EVTSEL_PC, 0),
      PMCS(4),
      A_PMCS(4, 48),
      FIXED(ABOVE(48), 0),
      FIXED_CTRL(ABOVE(12), 0),
      GLOBAL_CTRL(0xfffffff8fffffff0),
      GLOBAL_STATUS,
      OVF_CTRL(0xfc8000070000000f, 0),
      STATUS_SET(0xfc8000070000000f),
      DEBUGCTL(MASK(15, 6) | 3),
      PERF_CAPABILITIES,
      {MSR_PERF_GLOBAL_INUSE, 1, .kind = READ_ONLY}}},
};

static struct results results;
static unsigned passed, skipped;

static void one_test(const struct test_declaration *declaration, const struct recorded_cpu *cpu)
{
    const struct pmu_caps *caps = recorded_use(cpu);
    struct environment environment = {.vendor = "GenuineIntel", .apic = true, .cpus = 1};
    struct unmet unmet;
    struct test t = {.declaration = declaration, .caps = caps, .results = &results, .cpus = 1};
    if (needs_unmet(&declaration->needs, caps, &environment, &unmet)) {
        skipped++;
        return;
    }
    results_clear(&results);
    if (!__builtin_setjmp(results.leave))
        run_declared(&t);
    judge_results(&results, caps, declaration->id, PMU_REFERENCE);
    if (results.outcome > OUTCOME_KNOWN)
        fail_msg("%s on %s: %s %s, first check %s", declaration->id, cpu->name, outcome_name(results.outcome),
                 results.reason, results.checks ? results.check[0].label : "none");
    if (results.outcome == OUTCOME_SKIP)
        skipped++;
    else
        passed++;
}

CASE(no_false_alarm)
{
    for_each_row (recorded, cpu)
        for (const struct test_declaration *const *test = __start_tests; test < __stop_tests; test++)
            one_test(*test, cpu);
    assert_true(passed > 80); /* although not everything is skipped */
}

/* The same judge finds a defect: Skylake's registers, with a GLOBAL_CTRL that accepts reserved bits. */
CASE(a_real_alarm)
{
    struct recorded_cpu wrong = recorded[ARRAY_SIZE(recorded) - 1];
    unsigned failed = 0;
    for (struct recorded_register *reg = wrong.reg; reg < wrong.reg + RECORDED_REGISTERS; reg++)
        if (reg->first == MSR_PERF_GLOBAL_CTRL)
            reg->faults &= ~MASK(31, 16);
    for (const struct test_declaration *const *test = __start_tests; test < __stop_tests; test++) {
        struct test t = {.declaration = *test, .caps = recorded_use(&wrong), .results = &results, .cpus = 1};
        results_clear(&results);
        if (!__builtin_setjmp(results.leave))
            run_declared(&t);
        judge_results(&results, t.caps, (*test)->id, PMU_REFERENCE);
        failed += results.outcome == OUTCOME_FAIL;
    }
    assert_int_equal(failed, 1);
}

int main(void)
{
    return run_cases();
}
