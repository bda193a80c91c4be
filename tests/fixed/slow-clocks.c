/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fixed counter 2 and event 013CH count reference cycles, each by a clock that no manual names: by that of the TSC, of
 * a bus, or of a crystal. But no core runs at more than eight times the rate of its TSC, nor at less than a sixteenth,
 * and each of these clocks ticks at least once in a thousand core cycles. So in thousands of core cycles, counted by
 * fixed counter 1 in the same block, both count a number between these bounds, in either ring; and all counters of
 * event 013CH about the same one.
 *
 * The difference of two lengths is judged, because these counters may take over values in steps. A thermal monitor that
 * slows the core may stop these clocks. CPUs before version 4 are known to show event 013CH and not to have it (AAJ79):
 * there its counters are only compared with each other.
 */
#include "harness/test.h"

#define SHORT_K 4
#define LONG_K 1000
#define LONGEST_K 16000
#define ENOUGH 12000 /* core cycles */
#define STEP 167     /* TSC ticks in one of a crystal of 24 MHz, of a TSC of 4 GHz */
#define VERSION_TRUE 4

/* Ticks in so many core cycles. */
struct bounds {
    u64 cycles_in_a_tick, ticks_in_a_cycle, slack;
};
static const struct bounds of_tsc = {8, 16, 2 * STEP}, of_any = {1024, 16, 2};

/* The counters of one block: fixed 1 and 2, and all GP counters. */
struct block {
    bool user, both; /* at CPL 3; the first counter counts in both rings, the second in this one, and so on */
    unsigned n;
    struct counter list[COUNTERS_MAX];
    u64 counted[COUNTERS_MAX];
};

static void set_up(const struct test *t, struct block *block)
{
    unsigned ring = block->user ? COUNT_USR : COUNT_OS;
    block->n = 0;
    block->list[block->n++] = fixed_counter(t->caps, FIXED_CORE_CYCLES);
    if (t->caps->fixed_bitmap & BIT(FIXED_REF_CYCLES))
        block->list[block->n++] = fixed_counter(t->caps, FIXED_REF_CYCLES);
    for_each_gp_counter (t, n)
        if (caps_event_available(t->caps, 2))
            block->list[block->n++] = gp_counter(t->caps, n);
    for (unsigned i = 0; i < block->n; i++)
        counter_setup(block->list[i], ARCH_EVENT_REF_CYCLES, i % 2 == block->both ? ring : COUNT_OS | COUNT_USR, 0);
}

static void run_system(const struct test *t, struct block *block, u64 k)
{
    u64 mask = 0;
    for (unsigned i = 0; i < block->n; i++) {
        mask |= BIT(block->list[i].bit);
        counter_write(block->list[i], 0);
    }
    run_block(t, mask, k);
    for (unsigned i = 0; i < block->n; i++)
        block->counted[i] = counter_read(block->list[i]);
    run_block(t, mask, SHORT_K);
    for (unsigned i = 0; i < block->n; i++)
        block->counted[i] -= counter_read(block->list[i]) - block->counted[i];
}

/* For LONG_K iterations, or for more so that there are enough core cycles. */
static bool count(struct test *t, void *argument)
{
    struct block *block = argument;
    u64 k = LONG_K;
    set_up(t, block);
    do {
        if (block->user)
            count_settled(t, workloads[0].user_work, block->list, block->n, SHORT_K, k, block->counted);
        else
            run_system(t, block, k);
        k *= 2;
    } while (block->counted[0] < ENOUGH && k <= LONGEST_K);
    for (unsigned i = 0; i < block->n; i++)
        counter_clear(block->list[i]);
    return false;
}

static u64 aspects_of(const struct block *block, unsigned i)
{
    return block->user && i % 2 == block->both ? ASPECT_USR_ALONE : 0;
}

static void judge_rate(struct test *t, const char *label, const struct block *block, unsigned i,
                       const struct bounds *bounds)
{
    u64 cycles = block->counted[0], least = cycles / bounds->cycles_in_a_tick;
    u64 most = cycles * bounds->ticks_in_a_cycle + bounds->slack;
    least = least > bounds->slack ? least - bounds->slack : 0;
    check_range(about(t, aspects_of(block, i)), label, block->counted[i], least, most, block->list[i].msr);
}

/* The first GP counter is what the others are compared with. */
static void judge(struct test *t, const struct block *block)
{
    unsigned first = 0;
    for (unsigned i = 1; i < block->n; i++) {
        if (block->list[i].fixed) {
            judge_rate(t, "reference-rate", block, i, &of_tsc);
            continue;
        }
        first = first ? first : i;
        u64 ticks = block->counted[first], apart = ticks / 4 + 1;
        check_range(about(t, aspects_of(block, i)), "differs", block->counted[i], ticks > apart ? ticks - apart : 0,
                    ticks + apart, block->list[i].msr);
        if (t->caps->version >= VERSION_TRUE)
            judge_rate(t, "event-rate", block, i, &of_any);
    }
}

static void slow_clocks(struct test *t)
{
    struct block block;
    if (!(t->caps->fixed_bitmap & BIT(FIXED_CORE_CYCLES)))
        skip(t, "CPUID.0AH:EDX=0x%08x: fixed counter 1 does not exist", t->caps->leaf0a.edx);
    for_each_own_turn (t, turn, 4) {
        block.user = turn & 1;
        block.both = turn & 2;
        repeat_clean(t, count, &block);
        if (throttled(t))
            skip_for(t, REASON_NOISE_HEAT, "IA32_THERM_STATUS: the thermal monitor slowed the clock, cycles differ");
        judge(t, &block);
    }
}

TEST("fixed.slow-clocks", .title = "Reference cycles are counted at a rate that a clock of the CPU can have",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-072,B-062",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = slow_clocks);
