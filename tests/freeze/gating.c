/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter counts while three conditions hold: its own enable (IA32_PERFEVTSELn.EN, or the field of
 * IA32_FIXED_CTR_CTRL), its bit of IA32_PERF_GLOBAL_CTRL, and IA32_PERF_GLOBAL_STATUS.CTR_FRZ being 0. All eight
 * combinations are tried on every counter, at CPL 0 and at CPL 3, with instructions, branches and cycles, and with the
 * rings of OS, of USR and of both. CTR_FRZ is set by software here, so that no interrupt is needed.
 */
#include "harness/test.h"

#define K 4
#define COUNTS_K 100 /* 1,206 instructions: USR alone may miss some after the change of ring (SKL117) */
#define MIXES 3
#define ENABLED 1
#define GLOBAL 2
#define FROZEN 4
#define COMBINATIONS 8

struct block {
    u32 which, mix;
    bool user;
    u64 here; /* bits of the counters that count in this ring */
    struct counter_values counted;
};

static void disable(struct test *t)
{
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PERFEVTSEL(n), read_msr(t, MSR_PERFEVTSEL(n)) & ~EVTSEL_EN);
    if (t->caps->fixed_bitmap)
        write_msr(t, MSR_FIXED_CTR_CTRL, 0);
}

static bool run(struct test *t, void *argument)
{
    struct block *block = argument;
    t->cell.user = block->user;
    u64 mask = setup_mixed(t, NULL, block->mix);
    block->here = counters_of_ring(t);
    if (!(block->which & ENABLED))
        disable(t);
    if (block->which & FROZEN)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    run_block(t, block->which & GLOBAL ? mask : 0, block->which == (ENABLED | GLOBAL) ? COUNTS_K : K);
    read_counters(t, &block->counted);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    return false;
}

/* The reference clock may not have ticked yet. */
static void judge_counting(struct test *t, const struct block *block)
{
    for_each_counter (t, c)
        if (block->here >> c->bit & 1 && counts_anything(*c) && !overflows_again(*c))
            check_true(t, "does-not-count", block->counted.value[c->bit], block->counted.value[c->bit], "a count",
                       c->msr);
}

static void judge(struct test *t, const struct block *block)
{
    const char *label = block->which & FROZEN ? "frozen-counts" : "disabled-counts";
    if (block->which == (ENABLED | GLOBAL)) {
        judge_counting(t, block);
        return;
    }
    for_each_counter (t, c)
        check_true(about(t, block->which & FROZEN ? ASPECT_STAYS_FROZEN : 0), label, !block->counted.value[c->bit],
                   block->counted.value[c->bit], "no count", c->msr);
}

static void gating(struct test *t)
{
    struct block block;
    for_each_own_turn (t, turn, 2 * COMBINATIONS * MIXES) {
        block.user = turn % 2;
        block.which = turn / 2 % COMBINATIONS;
        block.mix = turn / 2 / COMBINATIONS;
        repeat_clean(t, run, &block);
        judge(t, &block);
    }
    t->cell.user = false;
}

TEST("freeze.gating", .title = "A counter counts only if enabled, enabled globally and not frozen",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-025,B-059",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .run = gating, .aside = ASIDE(AROUND_SAMPLED));
