/* SPDX-License-Identifier: BSD-2-Clause */
/* What stepping costs on this machine, next to a bare trap measured in the same run on the same CPU. */
#include "kernel/core/time.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/gate/write.h"
#include "reference/step/stepper.h"
#include "reference/step/tables.h"

#define STEPS 100000ul  /* instructions of a stepped run: two a turn */
#define LOOP 10000000ul /* instructions of a loop that is executed many turns at a time */
#define FREE_TURNS 5000000ul
#define CALLS 2000ul

extern const u8 speed_trap[]; /* a handler that only returns */
void speed_loop(u64 turns);
void speed_loop_trapped(u64 turns);

static u64 picoseconds(u64 ticks, u64 events)
{
    return ticks * 1000000000 / time_tsc_khz() / events;
}

static u64 time_of(void (*code)(u64), u64 turns)
{
    u64 start = time_now();
    code(turns);
    return time_now() - start;
}

/* A guest that steps itself: no in-guest step can be faster. */
static u64 bare_trap(void)
{
    struct gate idt[256] __attribute__((aligned(16)));
    struct table_pointer kernel = idt_copy(idt);
    idt_set_handler(&idt[1], speed_trap);
    idt_load(idt, sizeof(idt));
    u64 ticks = time_of(speed_loop_trapped, STEPS / 2);
    idt_load((const struct gate *)kernel.base, kernel.limit + 1u);
    return picoseconds(ticks, STEPS);
}

/* With a counter that counts every instruction, as in tests; 0 on NetBurst, which has other counters. */
static u64 counted(u64 instructions)
{
    if (wrmsr_try(MSR_PERFEVTSEL(0), EVTSEL_EN | EVTSEL_OS | ARCH_EVENT_INSTRUCTIONS) != NO_FAULT)
        return 0;
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, 1);
    u64 ticks = time_of(speed_loop, instructions / 2);
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, 0);
    wrmsr(MSR_PERFEVTSEL(0), 0);
    wrmsr(MSR_PMC(0), 0);
    return ticks;
}

static u64 counted_step(void (*set_way)(unsigned way), unsigned way, unsigned single)
{
    set_way(single);
    u64 ticks = counted(STEPS);
    set_way(way);
    return picoseconds(ticks, STEPS);
}

static void calls(u64 count)
{
    for (u64 i = 0; i < count; i++)
        stepper_call(CALL_NOTHING, 0);
}

static void sites(u64 count)
{
    for (u64 i = 0; i < count; i++)
        cpuid(0, 0);
}

struct stepper_speed stepper_speed(void (*set_way)(unsigned way), unsigned way, unsigned single)
{
    u64 flags = interrupts_off();
    speed_loop(1000); /* so that it is known */
    struct stepper_speed speed = {
        .trap_ps = bare_trap(),
        .step_ps = counted_step(set_way, way, single),
        .loop_us = way < single ? time_us(counted(LOOP)) : 0,
        .call_ps = picoseconds(time_of(calls, CALLS), CALLS),
        .site_ps = picoseconds(time_of(sites, CALLS), CALLS),
        .free_ps = picoseconds(time_of(speed_loop, FREE_TURNS), 2 * FREE_TURNS),
    };
    interrupts_restore(flags);
    return speed;
}
