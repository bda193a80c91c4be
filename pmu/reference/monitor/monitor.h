/*
 * The monitor puts the reference PMU under the running CPU: the calling context goes on as an SVM guest, and CPUID,
 * RDMSR, WRMSR and RDPMC are answered by the model. While a counter can count, the guest is single-stepped: most
 * instructions are executed by the monitor on the saved registers, the others by the CPU under its trap flag. Straight
 * loops are executed by the CPU from a translation, many turns at a time, where nothing but counts can come of them.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/reference/model/model.h"

/* Why the reference PMU cannot be used here (one line, what to do), or NULL if it can. Asks CPUID only. */
const char *monitor_unavailable(void);

/*
 * Puts the calling CPU under the monitor with the given set-up, or, if it is there already, re-arms it: model reset,
 * LVTPC masked, a pending PMI drained, virtual NMI state cleared. Call it on every CPU at a barrier with counters
 * stopped.
 */
/* False: no memory for it. */
bool monitor_arm(const struct model_setup *setup);
/* Is the calling CPU under the monitor? */
bool monitor_active(void);

/*
 * How instructions are stepped: inside the guest, straight loops many turns at a time (fast); the same with each
 * instruction by itself; or by the CPU with a VM exit each (slow, the cross-check).
 */
enum monitor_stepping { STEP_IN_GUEST, STEP_SINGLY, STEP_BY_EXIT };
void monitor_set_stepping(enum monitor_stepping how);

/*
 * Runs the counted snippets on the calling CPU and compares each count with its known value. Returns the number of
 * wrong ones and describes the first in text (MONITOR_TEXT bytes). Must be 0 before the reference PMU is used.
 */
#define MONITOR_TEXT 128
unsigned monitor_prove(char *text);

/* Another kernel's start: 32-bit protected mode without paging, flat segments, interrupts off. */
struct monitor_guest {
    u32 entry, eax, ebx, esi;
};
/*
 * Makes it the guest on the calling CPU, which must be under the monitor, and does not return. From here on the
 * monitor uses no memory but its own, and stays until the machine is reset.
 */
_Noreturn void monitor_host(const struct monitor_guest *guest);

#define MONITOR_STATES 5
struct monitor_statistics {
    u64 exits, steps, retired;
    u64 traps;                   /* steps that took a #DB; the others were executed by the monitor, */
    u64 forwarded;               /* these many turns of a loop at a time */
    u64 accesses;                /* to registers, answered without an exit and not as steps */
    u64 hung;                    /* exits for an access that does not come back */
    u64 checked[MONITOR_STATES]; /* exits after which the state was one of the table's: by enum running */
};
struct monitor_statistics monitor_statistics(void);
/* What a CPU has had done so far, in microseconds that a machine of ordinary speed takes for it. */
u64 monitor_work_us(u32 cpu);

/* Costs in picoseconds on the calling CPU, which must be under the monitor with its counters stopped. */
struct monitor_speed {
    u64 trap_ps; /* a bare #DB trap with an empty handler */
    u64 step_ps; /* a step of the reference PMU with one counter counting */
    u64 loop_us; /* ten million instructions of a straight loop, counted likewise; 0: they are not fast-forwarded */
    u64 exit_ps; /* a VM exit */
    u64 free_ps; /* an instruction that is not stepped */
};
struct monitor_speed monitor_speed(void);
