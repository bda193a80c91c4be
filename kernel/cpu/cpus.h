/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine's CPUs: who was started, which one is running, and how to run a function on some of them at once.
 * Idle CPUs sleep in HLT with interrupts on and are woken by VECTOR_WAKE; they never spin.
 */
#pragma once

#include "kernel/core/allowance.h"
#include "kernel/register/cpu_index.h"

struct cpu_set {
    u64 word[MAX_CPUS / 64];
};

static inline void cpu_set_add(struct cpu_set *set, u32 cpu)
{
    set->word[cpu / 64] |= BIT(cpu % 64);
}

static inline void cpu_set_remove(struct cpu_set *set, u32 cpu)
{
    set->word[cpu / 64] &= ~BIT(cpu % 64);
}

static inline bool cpu_set_has(const struct cpu_set *set, u32 cpu)
{
    return set->word[cpu / 64] >> (cpu % 64) & 1;
}

/* How many CPUs are in it. */
static inline u32 cpu_set_count(const struct cpu_set *set)
{
    u32 count = 0;
    for (u32 cpu = 0; cpu < MAX_CPUS; cpu++)
        count += cpu_set_has(set, cpu);
    return count;
}

/* CPU numbers are 0..cpu_count()-1: 0 is the boot CPU, the others follow in MADT order. cpus_all() has those that
 * run. */
u32 cpu_count(void);
/* Local APIC id of a CPU. */
u32 cpu_apic_id(u32 cpu);

/*
 * Starts every enabled CPU of the MADT, except those that the option cpus leaves out, by directed INIT-SIPI-SIPI; the
 * log names CPUs that do not answer in time. A step of the start.
 */
void cpus_start(void);

/*
 * Takes idle CPUs through INIT and a start-up IPI once more: all but the boot CPU of `set`. What they had in registers
 * is gone. False: one did not come back; it is left out from here on, and logged. SDM 3A, "Processor State After
 * Reset".
 */
bool cpus_restart(const struct cpu_set *set);
/*
 * Before the boot CPU sleeps: the page below 1 MiB where it has to wake in real mode, with this stack; 0: there is
 * none. Once it is set up it calls cpus_boot_cpu_wakes, which does not return.
 */
u32 cpus_await_boot_cpu(u64 stack);
extern void (*cpus_boot_cpu_wakes)(void);

/*
 * Runs function(argument) on every CPU of `set` at once and returns when all have finished. After timeout_ms an NMI
 * ends the guarded call that still runs (guard_result.timeout), and half a second later another NMI the next one. If a
 * CPU does not answer even that, the result is false, the CPU is in *late (if not NULL) and every later call leaves it
 * out. The boot CPU takes part itself if it is in the set; another CPU watches it meanwhile. Caller: the boot CPU only.
 */
bool cpus_run(const struct cpu_set *set, void (*function)(void *), void *argument, u32 timeout_ms,
              struct cpu_set *late);
/*
 * Makes every CPU of `set` except the boot CPU begin function(argument), and returns at once; the function ends by
 * itself. cpus_join() waits for that, at most timeout_ms, and returns what cpus_run() would. Meanwhile cpus_run() may
 * be used for other CPUs.
 */
void cpus_begin(const struct cpu_set *set, void (*function)(void *), void *argument);
bool cpus_join(const struct cpu_set *set, u32 timeout_ms, struct cpu_set *late);
/*
 * A CPU's work since the start, in microseconds that a machine of ordinary speed takes for it. NULL, as on hardware:
 * work is not counted. If it is counted, time-outs also bound the work (kernel/core/allowance.h).
 */
extern u64 (*cpus_work_us)(u32 cpu);
/* An allowance of `us` microseconds for each CPU of `set`. */
struct allowance cpus_allow(const struct cpu_set *set, u64 us);
bool cpus_over(const struct cpu_set *set, struct allowance *allowance);
/* For a function that keeps its CPU busy for long: does what the CPU would do for other CPUs in its sleep. */
void cpus_watch(void);
/* Called on the boot CPU at each wake-up in cpus_run(), for heartbeats. NULL: nothing is called. */
extern void (*cpus_poll)(void);
/* Called, on any CPU, whenever a CPU has finished its work or was seen to make progress. NULL: nothing is called. */
extern void (*cpus_progress)(void);
/* The next NMI on this CPU ends its guarded call, which would not end by itself. False: it is in none. */
bool cpus_give_up(u32 cpu);
/* All CPUs that were started and still answer. */
struct cpu_set cpus_all(void);
/* The number of CPUs in cpus_all(). With 1, nobody watches the boot CPU. */
u32 cpus_answering(void);
/* How many did not start, or were lost since; each has its `# error cpu=` line. */
u32 cpus_lost(void);
/* How many of firmware's list did not start: they are there and hang, or the list is wrong. */
u32 cpus_unanswered(void);
