/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine's CPUs: who was started, which one is running, and how to run a function on some of them at once.
 * Idle CPUs sleep in HLT with interrupts on and are woken by VECTOR_WAKE; they never spin.
 */
#pragma once

#include "boot/bits.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/register/cpuid.h"

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
 * work is not counted. If it is counted, time-outs also bound the work (kernel/core/time.h).
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

/* ---- A list of CPUs as users write it: the option cpus. Pure. */

extern struct option_value option_cpus;

#define CPU_LIST_ERROR 160
/* Parses "0,2-3" into *set; every number must be below `cpus`. False with one line in error. */
bool cpu_list_parse(const char *list, u32 cpus, struct cpu_set *set, char error[CPU_LIST_ERROR]);

/*
 * Per-CPU variables. The boot CPU uses the variable itself; each other CPU gets memory for its copy when it is created,
 * so memory use grows with the number of CPUs. All start as zero.
 *
 *     static PER_CPU struct log logs;
 *     of_cpu(logs, cpu_index()).count++;
 */

#define PER_CPU __attribute__((section(".bss.per_cpu")))
/* The copy that belongs to a CPU below cpu_count(). */
#define of_cpu(variable, cpu) (*(__typeof__(variable) *)per_cpu_at((u64) & (variable), cpu))

u64 per_cpu_at(u64 variable, u32 cpu);
/* Allocates the copies of CPU `cpu`; false if there is no memory. Call once, before the CPU runs. */
bool per_cpu_create(u32 cpu);

/* ---- What each CPU must set before it can use the page tables of kernel/core/memory.h. */

/*
 * Sets all of the calling CPU's PAT, whatever firmware left there: the memory types that a mapping's rights select.
 * Faults must be caught already; also works under the boot tables. A CPU without a PAT, or with one that cannot be
 * written, is left as it is.
 */
void paging_cpu_types(void);
/* Switches the calling CPU to the tables; includes paging_cpu_types(). */
void paging_cpu_init(void);

/* ---- What the CPU's own registers state about the TSC's rate. */

/*
 * MSR_PLATFORM_INFO, for tsc_rate_ratio(). 0 if the CPU has no such register or is not an Intel CPU whose unit is
 * known: then the register is not even read.
 */
u64 tsc_cpu_platform_info(void);
/*
 * The TSC's rate in kHz, measured with the local APIC's timer, which counts the crystal of this frequency if CPUID leaf
 * 15H enumerates one: SDM 3A, "APIC Timer". 0: none is enumerated, there is no APIC, or its timer stands still. Takes
 * 10 ms; call on the boot CPU before the timer is in use.
 */
u64 tsc_cpu_by_apic(u32 crystal_hz);

/*
 * How far the TSCs of the CPUs are from the boot CPU's. Firmware may have written one, or sockets left reset one after
 * another: Linux then calls the TSC unstable. A measurement, not a verdict: the tests only compare times that the same
 * CPU took. SDM 3B, "Time-Stamp Counter" and "IA32_TSC_ADJUST Support".
 */

/* One question to another CPU and its answer: `asked` and `heard` in the asking CPU's ticks, `answered` in the
 * other's. */
struct tsc_round {
    u64 asked, answered, heard;
};

struct tsc_apart {
    bool known;
    s64 ticks;      /* by how much the other TSC is ahead */
    u64 bound;      /* the greatest error of `ticks` */
    bool adjusts;   /* IA32_TSC_ADJUST exists */
    u64 adjustment; /* the value of IA32_TSC_ADJUST */
};

/* Takes a round. The answer came between question and arrival, so the shortest round is the most exact one. Pure. */
void tsc_apart_take(struct tsc_apart *best, struct tsc_round round);
/* Is the difference far larger than the error of the measurement explains? Pure. */
bool tsc_apart_far(const struct tsc_apart *apart);
/* May one line describe both CPUs? True if neither is far apart, or both by the same amount within the error. Pure. */
bool tsc_apart_alike(const struct tsc_apart *a, const struct tsc_apart *b);

/* Measures all started CPUs in turn, some microseconds each. Call on the boot CPU, with the others idle. */
void tsc_apart_measure(void);
/* For a CPU below cpu_count(); `known` is false if it did not answer in time. */
const struct tsc_apart *tsc_apart_of(u32 cpu);

/* ---- The machine's sleep in S3, and everything that it takes to go on afterwards. */

/* Why the machine cannot sleep; NULL: it can. */
const char *suspend_unavailable(void);
/*
 * Sleeps for so many seconds (less than 60) and wakes all CPUs again, with what the kernel needs of them; one that does
 * not come back is logged and left out. The screen may stay dark, as nobody sets its mode again; UARTs are as firmware
 * leaves them (serial_resume()). False: the machine did not fall asleep. On the boot CPU, with all others idle.
 */
bool suspend(u32 seconds);
