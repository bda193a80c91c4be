/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whatever the controls hold, all of IA32_PERF_GLOBAL_INUSE follows from them: a bit for each event select that is not
 * 0, for each fixed counter that is enabled, and the last one for anybody who may raise a PMI. Dozens of states of all
 * controls are drawn, with counters enabled globally or selected for sampling, frozen or not. Each is read three times
 * without a write in between, as an agent does that polls.
 */
#include "harness/chapter/sharing.h"

#define STATES 64
#define READS 3

/* One of four has no event, one of four an event with few bits. EN only where no counter is enabled globally: nothing
 * is to count an event that nobody knows. `silent`: nobody raises a PMI. */
static u64 select(u64 *random, bool counts, bool silent)
{
    u64 value = random_next(random) & EVTSEL_DEFINED & (silent ? ~EVTSEL_INT : ~0ull);
    u32 kind = random_below(random, 4);
    value &= kind ? kind == 1 ? ~MASK(3, 0) : ~0ull : ~MASK(7, 0);
    return counts ? value & ~EVTSEL_EN : value;
}

/* Of the first counters that can sample each set in turn. */
static u64 samplers(const struct test *t, u32 set)
{
    u64 bits = 0;
    for (u64 left = pebs_counter_bits(t->caps); left; left &= left - 1, set /= 2)
        bits |= set % 2 ? left & -left : 0;
    return bits;
}

/* From 0, so that none overflows: fixed counters may count. */
static void put(struct test *t, struct pmu_state *state, u64 *random, u32 turn)
{
    bool counts = turn % 4 == 1, silent = turn % 4 != 2;
    for_each_gp_counter (t, n) {
        state->evtsel[n] = select(random, counts, silent);
        write_msr(t, MSR_PERFEVTSEL(n), state->evtsel[n]);
    }
    state->fixed_control = random_next(random) & gate_bits(t->caps, MSR_FIXED_CTR_CTRL);
    for_each_fixed_counter (t, i)
        state->fixed_control &= silent ? ~FIXED_PMI(i) : ~0ull;
    if (t->caps->fixed_bitmap)
        write_msr(t, MSR_FIXED_CTR_CTRL, state->fixed_control);
    state->pebs_enable = counts ? 0 : samplers(t, turn / 4);
    if (state->pebs_enable)
        write_msr(t, MSR_PEBS_ENABLE, state->pebs_enable);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, counts ? random_next(random) & caps_counter_bits(t->caps) : 0);
    if (!random_below(random, 4))
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
}

static void clear(struct test *t, const struct pmu_state *state)
{
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    if (state->pebs_enable)
        write_msr(t, MSR_PEBS_ENABLE, 0);
    for_each_counter (t, c)
        counter_clear(*c);
}

/* Whether the PMI of a fixed counter beyond those that the manual names is a user it does not say. */
static u64 judged(const struct test *t, const struct pmu_state *state)
{
    u64 beyond = 0;
    for (unsigned i = INUSE_FIXED_NAMED; i < FIXED_COUNTERS_MAX; i++)
        beyond |= FIXED_PMI(i);
    return inuse_named_bits(t) & (state->fixed_control & beyond ? ~INUSE_PMI : ~0ull);
}

static void any_state(struct test *t)
{
    for_each_own_turn (t, turn, STATES) {
        u64 random = random_begin(turn);
        struct pmu_state state = {0};
        put(t, &state, &random, turn);
        u64 mask = judged(t, &state), want = in_use_computed(t->caps, &state) & mask;
        for (unsigned read = 0; read < READS; read++)
            check_bits(t, read ? "differs-later" : "differs", MSR_PERF_GLOBAL_INUSE, mask, want);
        clear(t, &state);
    }
}

TEST("inuse.any-state", .title = "All of INUSE follows from the controls, whatever they hold",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .needs = NEEDS_VERSION(4), .scope = EACH_CPU,
     .run = any_state);
