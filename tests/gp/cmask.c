/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With a counter mask of c, IA32_PERFEVTSELn counts the cycles in which the event occurred at least c times: the higher
 * c, the fewer cycles. Each counter has a different c and all count the same block together, so the counts must not
 * rise from one to the next (two cycles are allowed for starting them). With the highest c nothing is counted, nor with
 * any one of the bits that stand for 32 or more: no CPU retires that many instructions in a cycle. Some cores retire 16
 * operations in a cycle, so lower ones may be reached.
 *
 * Nor can the condition hold in more cycles than there are, or with EDGE become true more often than it holds: of two
 * neighbouring counters on the same block, one counts the cycles or the condition, the other a number that cannot be
 * larger.
 *
 * EDGE counts rises of the condition, not the cycles in which it holds: an awake core has cycle after cycle, and code
 * that waits for nothing retires instructions in most of them. For at least one of the two events, cycles or
 * instructions, there are less than half as many rises as cycles in which it occurs; their number is not promised.
 *
 * Counts with INV are only measured, alone and as a sum with those of the plain condition, which should be all cycles:
 * on many CPUs they include cycles of other threads, and cycles outside C0.
 */
#include "harness/test.h"

#define K 10
#define NEIGHBOURS_K 100 /* the cycles for starting are few compared with it */
#define START_SLACK 2
#define MASKED(c, flags) (EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN | EVTSEL_CMASK(c) | (flags))

#define CYCLES (EVTSEL_ENCODING(ARCH_EVENT_CORE_CYCLES) | EVTSEL_OS | EVTSEL_EN)

static void select_from_0(struct test *t, unsigned n, u64 control)
{
    write_msr(t, MSR_PERFEVTSEL(n), 0);
    write_msr(t, MSR_PMC(n), 0);
    write_msr(t, MSR_PERFEVTSEL(n), control);
}

/* For the event in `condition`, are there less than half as many rises as cycles? Uses two neighbouring counters. */
static bool rises_differ(struct test *t, u64 condition, u64 *rises)
{
    u32 other = caps_gp_index(t->caps, 1);
    select_from_0(t, 0, condition | EVTSEL_CMASK(1) | EVTSEL_EDGE);
    select_from_0(t, other, condition | EVTSEL_CMASK(1));
    run_block(t, GLOBAL_GP(0) | GLOBAL_GP(other), NEIGHBOURS_K);
    *rises = read_msr(t, MSR_PMC(0));
    return *rises < read_msr(t, MSR_PMC(other)) / 2;
}

static void check_edge(struct test *t)
{
    u64 of_cycles, of_instructions;
    bool differ = rises_differ(t, CYCLES, &of_cycles);
    differ |= rises_differ(t, MASKED(0, 0), &of_instructions);
    check_true(t, "levels-counted", differ, of_cycles, "fewer rises than cycles, of cycles or of instructions",
               MSR_PMC(0));
}

/* The mask is `first` in the first counter, and larger by `step` in each further one. */
static void run_masked(struct test *t, u64 first, u64 step, u64 flags)
{
    u64 mask = first;
    for_each_gp_counter (t, n) {
        select_from_0(t, n, MASKED(mask, flags));
        mask += step;
    }
    run_block(t, caps_gp_bits(t->caps), K);
}

/* Of each two neighbours the lower one counts a number that cannot exceed the other's. */
static void check_neighbours(struct test *t, const char *label, u64 control, u64 at_most)
{
    struct counter list[COUNTERS_MAX];
    unsigned count = gp_counters(t, list);
    for (unsigned i = 0; i + 1 < count; i += 2) {
        select_from_0(t, list[i].index, control);
        select_from_0(t, list[i + 1].index, at_most);
    }
    run_block(t, caps_gp_bits(t->caps), NEIGHBOURS_K);
    for (unsigned i = 0; i + 1 < count; i += 2) {
        u32 lower = MSR_PMC(list[i].index), other = MSR_PMC(list[i + 1].index);
        u64 most = read_msr(t, other) + START_SLACK;
        check_range(about(t, ASPECT_INSTRUCTIONS), label, read_msr(t, lower), 0, most, lower);
    }
}

static void check_unreachable(struct test *t)
{
    static const u8 masks[] = {32, 64, 128, 255};
    u64 counted[32] = {0};
    for (unsigned i = 0; i < ARRAY_SIZE(masks); i++) {
        run_masked(t, masks[i], 0, 0);
        for_each_gp_counter (t, n)
            counted[n] += read_msr(t, MSR_PMC(n));
    }
    for_each_gp_counter (t, n)
        check_range(about(t, ASPECT_INSTRUCTIONS), "counts-below-mask", counted[n], 0, ARRAY_SIZE(masks) * START_SLACK,
                    MSR_PMC(n));
}

/* Only the first two counters: c = 1 and c = 2, plain, inverted and with EDGE. */
static void measure_qualifiers(struct test *t)
{
    u32 second = MSR_PMC(caps_gp_index(t->caps, 1));
    u64 cycles = read_msr(t, MSR_PMC(0));
    measure(t, "at-least-1", "cycles", cycles);
    measure(t, "at-least-2", "cycles", read_msr(t, second));
    run_masked(t, 1, 1, EVTSEL_INV);
    measure(t, "below-1", "cycles", read_msr(t, MSR_PMC(0)));
    measure(t, "below-2", "cycles", read_msr(t, second));
    run_masked(t, 1, 1, EVTSEL_EDGE);
    measure(t, "rises-1", "rises", read_msr(t, MSR_PMC(0)));
    measure(t, "rises-2", "rises", read_msr(t, second));
}

/* Each cycle either has an instruction that retires or has none. */
static void measure_sum(struct test *t)
{
    static const u64 controls[] = {MASKED(1, 0), MASKED(1, EVTSEL_INV), CYCLES};
    struct counter list[COUNTERS_MAX];
    u64 count[ARRAY_SIZE(controls)];
    if (gp_counters(t, list) < ARRAY_SIZE(controls))
        return;
    for (unsigned i = 0; i < ARRAY_SIZE(controls); i++)
        select_from_0(t, list[i].index, controls[i]);
    run_block(t, caps_gp_bits(t->caps), NEIGHBOURS_K);
    for (unsigned i = 0; i < ARRAY_SIZE(controls); i++)
        count[i] = read_msr(t, MSR_PMC(list[i].index));
    if (count[2])
        measure(t, "plain-and-inverted", "permille-of-cycles", (count[0] + count[1]) * 1000 / count[2]);
}

static bool compare(struct test *t)
{
    run_masked(t, 1, 1, 0);
    u64 before = read_msr(t, MSR_PMC(0));
    for_each_gp_counter (t, n) {
        u64 cycles = read_msr(t, MSR_PMC(n));
        check_range(about(t, ASPECT_INSTRUCTIONS), "rises", cycles, 0, before + START_SLACK, MSR_PMC(n));
        before = cycles;
    }
    if (t->turn % 8 == 0) {
        measure_qualifiers(t);
        check_unreachable(t);
        if (caps_event_available(t->caps, 0))
            check_neighbours(t, "more-than-cycles", MASKED(1, 0), CYCLES);
        check_neighbours(t, "more-rises", MASKED(1, EVTSEL_EDGE), MASKED(1, 0));
        if (caps_event_available(t->caps, 0)) {
            check_edge(t);
            measure_sum(t);
        }
    }
    return true;
}

static void need_two_counters(struct test *t)
{
    if (t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX=0x%08x: one GP counter, two are needed", t->caps->leaf0a.eax);
}

TEST("gp.cmask", .title = "The higher the counter mask, the fewer cycles are counted, and EDGE counts their rises",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-057,B-058,A-089",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = need_two_counters, .repeat = compare,
     .measures = true);
