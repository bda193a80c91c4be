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

/* CPUs, 0 being the boot CPU; their numbers are 0..cpu_count()-1 in order of the MADT. cpus_all() says which run. */
u32 cpu_count(void);
/* Local APIC id of a CPU. */
u32 cpu_apic_id(u32 cpu);

/*
 * Starts every enabled CPU of the MADT that the option cpus does not leave out, by directed INIT-SIPI-SIPI; the log
 * names those that do not answer in time. A step of the start.
 */
void cpus_start(void);

/*
 * Runs function(argument) on every CPU of `set` at once and returns when all have finished. After timeout_ms a guarded
 * call that still runs is ended by an NMI (guard_result.timeout), and half a second later the next one; a CPU that does
 * not answer even that makes the result false, is in *late (if not NULL) and is left out of every later call. The boot
 * CPU takes part itself if it is in the set; another CPU watches it meanwhile. Caller: the boot CPU only.
 */
bool cpus_run(const struct cpu_set *set, void (*function)(void *), void *argument, u32 timeout_ms,
              struct cpu_set *late);
/*
 * Lets every CPU of `set` but the boot CPU begin function(argument) and returns at once; it goes on until it returns by
 * itself. cpus_join() waits for that, at most timeout_ms, with the outcome of cpus_run(). Others may be given work with
 * cpus_run() meanwhile.
 */
void cpus_begin(const struct cpu_set *set, void (*function)(void *), void *argument);
bool cpus_join(const struct cpu_set *set, u32 timeout_ms, struct cpu_set *late);
/*
 * What a CPU has done since the start, in microseconds that a machine of ordinary speed takes for it; NULL, as on
 * hardware: that is not counted. Where it is, time-outs are in work as well (kernel/core/allowance.h).
 */
extern u64 (*cpus_work_us)(u32 cpu);
/* Lets each CPU of `set` take so long for something. */
struct allowance cpus_allow(const struct cpu_set *set, u64 us);
bool cpus_over(const struct cpu_set *set, struct allowance *allowance);
/* For a function that keeps its CPU for long: what the CPU would do for the others while it sleeps. */
void cpus_watch(void);
/* Called on the boot CPU at each wake-up while it waits in cpus_run(): heartbeats. NULL: nothing. */
extern void (*cpus_poll)(void);
/* Called, on any CPU, whenever work that CPUs were given is done, or is seen to go on. NULL: nothing. */
extern void (*cpus_progress)(void);
/* All CPUs that were started and still answer. */
struct cpu_set cpus_all(void);
/* How many these are. With 1, nobody watches the boot CPU. */
u32 cpus_answering(void);
/* How many did not start, or were lost since; each has its `# error cpu=` line. */
u32 cpus_lost(void);
