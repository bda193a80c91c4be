/* Where the CPUs of an ALL_TOGETHER test meet. */
#include "harness/protocol.h"
#include "harness/run/budget.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"

#define BARRIER_US 2000000 /* beyond the time of a test, which one CPU may take before it comes */
#define EVENTS_US 3000000  /* most that exact counts take where they go on until enough events were seen */

static struct {
    u32 cpus, arrived, round;
    bool broken;
} meeting;

void barrier_prepare(u32 cpus)
{
    meeting.cpus = cpus;
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

/* Who left may have been here before: then all have. */
static bool wait_for_round(u32 round)
{
    u64 us = BARRIER_US + budget().us + (budget().events ? EVENTS_US : 0);
    struct deadline deadline = deadline_us(us);
    struct cpu_set others = cpus_all();
    cpu_set_remove(&others, cpu_index());
    struct allowance allowance = cpus_allow(&others, us);
    while (!is_over(round)) {
        bool late = deadline_passed(&deadline);
        if (cpus_work_us)
            late = cpus_over(&others, &allowance);
        if (__atomic_load_n(&meeting.broken, __ATOMIC_SEQ_CST) || late)
            return is_over(round);
    }
    return true;
}

bool barrier(struct test *t)
{
    u32 round = __atomic_load_n(&meeting.round, __ATOMIC_SEQ_CST);
    if (__atomic_add_fetch(&meeting.arrived, 1, __ATOMIC_SEQ_CST) == meeting.cpus) {
        meeting.arrived = 0;
        __atomic_store_n(&meeting.round, round + 1, __ATOMIC_SEQ_CST);
        return true;
    }
    if (wait_for_round(round))
        return true;
    error(t, "%u of %u CPUs came to the barrier in time", meeting.arrived, meeting.cpus);
}
