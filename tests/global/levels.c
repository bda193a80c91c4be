/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * USR and the second enable bit of a fixed counter are for all privilege levels above 0: code at CPL 1 and at CPL 2 is
 * counted by them as code at CPL 3 is, and not by OS and the first enable bit. All counters that count instructions
 * count a block at one level in two lengths; each goes through every set of rings. The changes of level cancel.
 * Counters of cycles must count in a long block there.
 *
 * No common operating system uses these levels, but hypervisors of one kind run kernels there: their work would vanish
 * from all profiles, or count as the hypervisor's.
 */
#include "harness/test.h"

#define LEVELS 2
#define SETS 4
#define SHORT_K 4
#define LONG_K 20
#define CYCLES_K 400 /* 4,800 instructions */

struct block {
    unsigned cpl;
    u32 turn; /* of the sets of rings */
    unsigned n;
    struct counter list[COUNTERS_MAX];
    u64 difference[COUNTERS_MAX];
};

static unsigned flags_at(u32 place)
{
    static const unsigned rings[SETS] = {0, COUNT_OS, COUNT_USR, COUNT_OS | COUNT_USR};
    return rings[place % SETS];
}

static void count(struct test *t, const struct block *block, u64 k, u64 counted[COUNTERS_MAX])
{
    u64 mask = 0;
    for (unsigned i = 0; i < block->n; i++) {
        counter_setup(block->list[i], ARCH_EVENT_INSTRUCTIONS, flags_at(block->turn + i), 0);
        mask |= BIT(block->list[i].bit);
    }
    struct switch_write start_stop = counters_switch(t->caps, mask);
    counted_at(&start_stop, k, workloads[0].user, block->cpl);
    for (unsigned i = 0; i < block->n; i++)
        counted[i] = counter_read(block->list[i]);
}

static bool run(struct test *t, void *argument)
{
    struct block *block = argument;
    u64 shorter[COUNTERS_MAX], longer[COUNTERS_MAX];
    count(t, block, SHORT_K, shorter);
    count(t, block, LONG_K, longer);
    for (unsigned i = 0; i < block->n; i++) {
        block->difference[i] = longer[i] - shorter[i];
        counter_clear(block->list[i]);
    }
    return false;
}

static void judge(struct test *t, const struct block *block)
{
    for (unsigned i = 0; i < block->n; i++) {
        unsigned flags = flags_at(block->turn + i);
        u64 want = flags & COUNT_USR ? (LONG_K - SHORT_K) * workloads[0].instructions_per_k : 0;
        u64 aspects = ASPECT_INSTRUCTIONS | (flags == COUNT_USR ? ASPECT_USR_ALONE : 0);
        check_count(about(t, aspects), block->cpl == 1 ? "cpl-1" : "cpl-2", block->difference[i], want,
                    block->list[i].msr);
    }
}

struct clock {
    struct counter counter;
    unsigned cpl, flags;
    u64 counted;
};

/* Alone, as what is beside it must not matter. How often a clock ticks nobody promises. */
static bool run_clock(struct test *t, void *argument)
{
    struct clock *clock = argument;
    counter_setup(clock->counter, 0, clock->flags, 0);
    struct switch_write start_stop = counters_switch(t->caps, BIT(clock->counter.bit));
    if (clock->cpl)
        counted_at(&start_stop, CYCLES_K, workloads[0].user, clock->cpl);
    else
        workloads[0].run(&start_stop, CYCLES_K);
    clock->counted = counter_read(clock->counter);
    counter_clear(clock->counter);
    return false;
}

static void check_clock(struct test *t, struct counter c, unsigned cpl, unsigned flags)
{
    static const char *const labels[] = {"clock-cpl-0", "clock-cpl-1", "clock-cpl-2"};
    struct clock clock = {.counter = c, .cpl = cpl, .flags = flags};
    repeat_clean(t, run_clock, &clock);
    check_true(t, labels[cpl], clock.counted, clock.counted, "a count", c.msr);
}

/* By the enable bit of the level alone, and at CPL 0 by both: above, what the changes of level count would hide it. */
static void clocks(struct test *t)
{
    for_each_fixed_counter (t, i) {
        struct counter c = fixed_counter(t->caps, i);
        if (counts_exactly(c) || !counts_anything(c))
            continue;
        for (unsigned cpl = 0; cpl <= LEVELS; cpl++)
            check_clock(t, c, cpl, cpl ? COUNT_USR : COUNT_OS);
        check_clock(t, c, 0, COUNT_OS | COUNT_USR);
    }
}

static void levels(struct test *t)
{
    struct block block = {.n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, block.list)};
    for_each_own_turn (t, turn, LEVELS * SETS) {
        block.cpl = 1 + turn % LEVELS;
        block.turn = turn / LEVELS;
        repeat_clean(t, run, &block);
        judge(t, &block);
    }
    clocks(t);
}

TEST("global.levels", .title = "CPL 1 and 2 count as user levels",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .needs = {.version = 2, .event = 2},
     .scope = EACH_CPU, .run = levels);
