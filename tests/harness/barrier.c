/* SPDX-License-Identifier: BSD-2-Clause */
/* The meeting point of the CPUs of an ALL_TOGETHER test. */
#include "harness/core/budget.h"
#include "harness/protocol.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"

#define BARRIER_US 2000000 /* on top of the time of a test, which one CPU may use up before it arrives */
#define EVENTS_US 3000000  /* the longest time of exact counts that continue until enough events were seen */

static struct {
    struct cpu_set all, away; /* away: CPUs that have not arrived in this round yet */
    u32 cpus, arrived, round;
    bool broken;
} meeting;

void barrier_prepare(const struct cpu_set *cpus)
{
    meeting.all = meeting.away = *cpus;
    meeting.cpus = cpu_set_count(cpus);
    meeting.arrived = meeting.round = 0;
    __atomic_store_n(&meeting.broken, false, __ATOMIC_SEQ_CST);
}

void barrier_leave(void)
{
    __atomic_store_n(&meeting.broken, true, __ATOMIC_SEQ_CST);
}

static bool is_over(u32 round)
{
    return __atomic_load_n(&meeting.round, __ATOMIC_SEQ_CST) != round;
}

/*
 * Is one of the missing CPUs late? If work is counted, it is late when it has done too much work: many CPUs on a host
 * with few run one after another, and those that have arrived only wait. Checks only the CPUs that the allowance was
 * made for: the last one to arrive resets the list before it releases the others.
 */
static bool is_late(struct deadline *deadline, const struct cpu_set *asked, struct allowance *allowance)
{
    bool late = deadline_passed(deadline);
    if (!cpus_work_us)
        return late;
    struct cpu_set away = *asked;
    for (u32 i = 0; i < ARRAY_SIZE(away.word); i++)
        away.word[i] &= __atomic_load_n(&meeting.away.word[i], __ATOMIC_SEQ_CST);
    return cpus_over(&away, allowance);
}

/*
 * At least half of the whole test's time: a CPU that stood still for seconds, because its host had no time for it, is
 * still waited for, and a CPU that waits is not taken for one that hangs.
 */
static u64 most_us(void)
{
    struct budget now = budget();
    u64 least = BARRIER_US + now.us + (now.events ? EVENTS_US : 0), half = now.timeout_ms * 1000ul / 2;
    return least > half ? least : half;
}

/* If a CPU has left the test, the round may be complete nevertheless: it may have arrived before. */
static bool wait_for_round(u32 round)
{
    u64 us = most_us();
    struct deadline deadline = deadline_us(us);
    struct cpu_set away = meeting.away;
    struct allowance allowance = cpus_allow(&away, us);
    while (!is_over(round)) {
        bool late = is_late(&deadline, &away, &allowance);
        if (__atomic_load_n(&meeting.broken, __ATOMIC_SEQ_CST) || late)
            return is_over(round);
    }
    return true;
}

static void come(u32 cpu)
{
    __atomic_and_fetch(&meeting.away.word[cpu / 64], ~BIT(cpu % 64), __ATOMIC_SEQ_CST);
}

bool barrier(struct test *t)
{
    u32 round = __atomic_load_n(&meeting.round, __ATOMIC_SEQ_CST);
    come(t->cpu);
    if (__atomic_add_fetch(&meeting.arrived, 1, __ATOMIC_SEQ_CST) == meeting.cpus) {
        meeting.arrived = 0;
        meeting.away = meeting.all;
        __atomic_store_n(&meeting.round, round + 1, __ATOMIC_SEQ_CST);
        return true;
    }
    if (wait_for_round(round))
        return true;
    error(t, "%u of %u CPUs came to the barrier in time", meeting.arrived, meeting.cpus);
}
