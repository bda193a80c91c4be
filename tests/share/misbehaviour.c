/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Agents that do not keep to the sharing guide, and how others can notice it:
 *
 *   writes all of IA32_PERF_GLOBAL_CTRL   the victim's counter stops; it finds its bit clear, and can set it again
 *   freezes everybody                     nothing counts; IA32_PERF_GLOBAL_STATUS[59] shows it
 *   leaves its interrupt bit set          nobody else can get the PMI; the same with a counter enabled for sampling
 *   zeroes what it believes is free       the victim's counter looks free; it notices, and programs it again
 *   counts with event 0                   INUSE does not show it, but the counter must be left alone
 *   clears only its control               the counter is free, but still holds a value
 *
 * The victim's loss is measured. Judged is that the CPU's registers let it notice.
 */
#include "harness/chapter/sharing.h"

#define K 2

static void with_victim(struct test *t, void (*misbehave)(struct test *t, struct agent *victim, struct counter c))
{
    struct agent victim = {.name = "victim"};
    struct counter c;
    if (agent_obtain(&victim, &wish_branches, &c) != OBTAINED_OWN)
        no_counter(t);
    misbehave(t, &victim, c);
    agent_release_all(&victim);
}

static u64 counted_now(struct agent *victim, struct counter c)
{
    u64 before = counter_read(c);
    agent_count(victim, K);
    return counter_read(c) - before;
}

static void blind_write(struct test *t, struct agent *victim, struct counter c)
{
    agent_start(victim);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    u64 before = counter_read(c);
    run_block(t, 0, K);
    measure(t, "counted-after-blind-write", "branches", counter_read(c) - before);
    check_equal(t, "blind-write-unseen", agent_verify(victim), BIT(c.bit), MSR_PERF_GLOBAL_CTRL);
    agent_reclaim(victim);
    check_bit(t, "not-switched-on-again", MSR_PERF_GLOBAL_CTRL, BIT(c.bit), true);
    agent_stop(victim);
}

static void freeze(struct test *t, struct agent *victim, struct counter c)
{
    struct pmu_state state;
    if (t->caps->version < 4)
        return;
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    measure(t, "counted-while-frozen", "branches", counted_now(victim, c));
    agent_poll(t->caps, &state);
    check_true(t, "freeze-unseen", state.frozen, 0, "the freeze is seen", MSR_PERF_GLOBAL_STATUS);
    pmu_status_clear(STATUS_CTR_FRZ);
}

static void refused_beside(struct test *t, struct agent *victim, const char *label, u32 msr, u64 bits)
{
    struct counter unused;
    write_msr(t, msr, bits);
    enum obtained got = agent_obtain(victim, &wish_sampling, &unused);
    write_msr(t, msr, 0);
    if (!check_equal(t, label, got, OBTAINED_NOTHING, msr) && got == OBTAINED_OWN)
        agent_release(victim, unused);
}

/* By an event select, by the field of a fixed counter, and by a counter that samples. */
static void interrupt_left(struct test *t, struct agent *victim, struct counter c)
{
    unsigned n = !c.fixed && c.index == 0; /* not the victim's own */
    refused_beside(t, victim, "left-interrupt-unseen", MSR_PERFEVTSEL(n), EVTSEL_INT);
    for_each_fixed_counter (t, i)
        refused_beside(t, victim, "left-interrupt-unseen", MSR_FIXED_CTR_CTRL, FIXED_PMI(i));
    u64 sampling = pebs_counter_bits(t->caps) & caps_gp_bits(t->caps);
    if (sampling)
        refused_beside(t, victim, "sampler-unseen", MSR_PEBS_ENABLE, sampling & -sampling);
}

/* A counter with control 0 but enabled for sampling is taken: its reload value is in its user's DS area. */
static void sampled_left(struct test *t)
{
    struct pmu_state state;
    for (u64 bits = pebs_counter_bits(t->caps) & caps_gp_bits(t->caps); bits; bits &= bits - 1) {
        struct counter c = gp_counter(t->caps, (unsigned)__builtin_ctzll(bits));
        write_msr(t, MSR_PEBS_ENABLE, BIT(c.bit));
        agent_poll(t->caps, &state);
        write_msr(t, MSR_PEBS_ENABLE, 0);
        struct counter_state of = counter_state_of(&state, c);
        check_equal(t, "sampled-counter-free", use_of(&of)->use, USE_TAKEN, c.msr);
    }
}

/* The whole PMU is set to 0, as software does that resets it before use. */
static void zeroed(struct test *t, struct agent *victim, struct counter c)
{
    for_each_gp_counter (t, n) {
        write_msr(t, MSR_PERFEVTSEL(n), 0);
        counter_write(gp_counter(t->caps, n), 0);
    }
    u64 in_use = in_use_now(t);
    check_true(t, "zeroed-yet-in-use", !(in_use & BIT(c.bit)), in_use, "this counter's bit clear",
               MSR_PERFEVTSEL(c.index));
    measure(t, "counted-after-zeroing", "branches", counted_now(victim, c));
    measure(t, "taken-back-after-zeroing", "counters", agent_reclaim(victim) == BIT(c.bit));
}

/* The counter that a newcomer would be given first if it were free. */
static struct counter first_given(const struct test *t)
{
    struct pmu_state nothing = {0};
    struct counter c;
    agent_choose(t->caps, &nothing, &wish_branches, &c);
    return c;
}

static void invisible(struct test *t)
{
    struct counter hidden = first_given(t);
    struct pmu_state state;
    write_msr(t, MSR_PERFEVTSEL(hidden.index), EVTSEL_EN | EVTSEL_OS);
    agent_poll(t->caps, &state);
    struct counter_state of = counter_state_of(&state, hidden);
    measure(t, "hidden-in-use", "bit", of.claimed);
    check_equal(about(t, ASPECT_CONTROL_SEEN), "hidden-user-unseen", use_of(&of)->use, USE_HIDDEN,
                MSR_PERFEVTSEL(hidden.index));
    write_msr(t, MSR_PERFEVTSEL(hidden.index), 0);
}

static void value_left(struct test *t)
{
    struct agent newcomer = {.name = "newcomer"};
    struct counter last = first_given(t), c;
    struct pmu_state state;
    counter_write(last, 12345);
    agent_poll(t->caps, &state);
    check_true(t, "left-value-unseen", state.left >> last.bit & 1, state.left, "the value left behind is seen",
               last.msr);
    if (agent_obtain(&newcomer, &wish_branches, &c) == OBTAINED_OWN)
        check_equal(t, "left-value-kept", counter_read(c), 0, c.msr);
    agent_release_all(&newcomer);
    counter_write(last, 0);
}

static void misbehaviour(struct test *t)
{
    if (t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX=0x%08x: two counters are needed", t->caps->leaf0a.eax);
    with_victim(t, blind_write);
    with_victim(t, freeze);
    with_victim(t, interrupt_left);
    with_victim(t, zeroed);
    sampled_left(t);
    invisible(t);
    value_left(t);
}

TEST("share.misbehaviour", .title = "What an agent can notice of others that do not keep to the rules",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "B-022,S-008", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .run = misbehaviour, .measures = true);
