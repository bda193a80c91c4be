/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts on vectors without a handler, counted by vector. Each CPU's own interrupt handler writes its counts.
 * Pure. */
#pragma once

#include "boot/bits.h"
#include "boot/cpu.h"
#include "kernel/interrupt/frame.h"
#include "kernel/register/msr.h"

struct stray {
    u8 vector;
    u32 count; /* since start */
    u64 rip;   /* RIP at the first one */
};

/* A vector keeps its row. Interrupts on further vectors are only counted, in `others`. */
#define STRAYS_KEPT 8
struct strays {
    u32 kept, others;
    struct stray row[STRAYS_KEPT];
};

/* Counts an interrupt on `vector` that came at `rip`. */
void stray_note(struct strays *all, u8 vector, u64 rip);

/* ---- Vectors, their handlers, and the interrupt flag. */

/* Vectors that the image uses itself. Tests may use all others through interrupt_handle(). */
#define VECTOR_RING3_RETURN 0x81 /* `int 0x81` at CPL 3 returns from ring3_run() */
#define VECTOR_PMI 0xe0          /* LVTPC in fixed delivery mode */
#define VECTOR_WAKE 0xf0         /* wakes a parked CPU */
#define VECTOR_SPURIOUS 0xff

typedef void (*interrupt_handler)(struct frame *frame);

/* Installs `handler` for `vector` on all CPUs (NULL removes it). The handler must acknowledge the local APIC itself. */
void interrupt_handle(u8 vector, interrupt_handler handler);
/* The handler of `vector`, or NULL. */
interrupt_handler interrupt_handler_of(u8 vector);

/*
 * Makes the gate of `vector` on all CPUs lead to `entry`: special code for a caller that counts each instruction of a
 * handler, which continues at the vector's stub (boot/stubs.asm) for interrupts that it does not recognise. NULL: to
 * the stub. Boot CPU only, while no other CPU can receive this vector.
 */
void interrupt_entry(u8 vector, const void *entry);

/* Interrupt flag helpers: interrupts_off() returns the previous RFLAGS for interrupts_restore(). */
u64 interrupts_off(void);
void interrupts_restore(u64 rflags);
void interrupts_on(void);

/*
 * Interrupts and exceptions. A fault goes first to the exception table (rdmsr_try and friends), then to a registered
 * handler, then to the guard of the running code; without one it ends the run.
 */

/* Interrupts that no test asked for, counted per CPU since the start: brackets of the judging protocol compare them. */
struct interrupt_counts {
    u32 foreign_nmis;   /* NMIs that no handler claimed */
    u32 machine_checks; /* #MC that the CPU survived */
    u32 unexpected;     /* vectors without a handler */
    u32 spurious;       /* the local APIC's own vector, for an interrupt that went away before it was taken */
    u32 apic_errors;
    u32 wakes; /* wake-ups by other CPUs and by the timer, where the image waits for work: no bracket checks them */
    u8 stray;  /* the last vector counted in `unexpected` or `spurious` */
};
struct interrupt_counts interrupt_counts(void);
/* The counts of any CPU; a CPU other than the calling one must be idle. */
struct interrupt_counts interrupt_counts_of(u32 cpu);
/* Which vectors without a handler arrived. Any CPU, as above. */
const struct strays *interrupt_strays_of(u32 cpu);
/* An NMI handler calls this when the NMI was not its own. */
void interrupt_foreign_nmi(void);

/* Why a guarded call ended. If the function returned by itself: fault is NO_FAULT, storm and timeout are false. */
struct guard_result {
    fault_t fault;
    u32 cpu;
    u64 rip;            /* of the faulting instruction */
    u64 address;        /* CR2 for #PF */
    u32 msr;            /* ECX at the fault: the MSR, if the instruction was RDMSR or WRMSR */
    bool storm;         /* ended to stop an interrupt storm, not by a fault */
    bool timeout;       /* ended from outside, because it took too long or slept for ever */
    struct frame frame; /* registers at that moment */
    u64 stack[8];       /* what the stack pointer pointed at */
};
/*
 * Runs function(argument) on this CPU so that an unexpected fault ends only the function: registers, stack and
 * interrupt state are restored, and the fault is returned. One level per CPU.
 */
struct guard_result guarded_call(void (*function)(void *), void *argument);

/* For handlers: ends the interrupted guarded call with the frame's exception as its fault; without one, ends the
 * run. */
void interrupt_end_guarded(struct frame *frame);

/* Machine checks: handled, logged and, if the CPU allows it, survived. SDM 3B, "Machine-Check Architecture". */

/* The content of one bank. */
struct machine_check {
    u64 global; /* IA32_MCG_STATUS at the time of the event */
    u8 bank;    /* MACHINE_CHECK_NO_BANK: there was a machine check, but no bank held an error */
    u64 status;
    u64 address, misc; /* 0 unless the status says that they are valid */
};
#define MACHINE_CHECK_NO_BANK 0xff

/* The banks that one CPU has stored since they were last forgotten; those without room are only counted. */
#define MACHINE_CHECKS_KEPT 8
struct machine_checks {
    u32 count, dropped;
    struct machine_check kept[MACHINE_CHECKS_KEPT];
};

/* Registers the handler. The caller sets CR4.MCE on each CPU. */
void machine_check_init(void);
/* Reads the calling CPU's banks and stores those that hold an error. Clears nothing. */
void machine_check_look(void);
/* Any CPU; one other than the calling CPU must be idle. The pointer stays valid until the next machine check. */
const struct machine_checks *machine_checks_of(u32 cpu);
void machine_checks_forget(u32 cpu);

/* Each bank has four registers, from 400H on: those of a 33rd bank would be the ones that enumerate VMX, at 480H. */
#define MACHINE_CHECK_BANKS 32
/* How many banks may be read on a CPU with this IA32_MCG_CAP. */
u32 machine_check_banks(u64 capabilities);
/* "bank=3 status=0x... address=0x... misc=0x... mcg-status=0x5" into text of MACHINE_CHECK_TEXT bytes. */
#define MACHINE_CHECK_TEXT 128
const char *machine_check_text(const struct machine_check *check, char *text);

/* ---- Per-CPU state: task state, stacks, the guard of the code that it runs, and its work. */

/* Stacks of the interrupt stack table: for interrupts that may come when RSP cannot be trusted. */
enum { IST_NMI = 1, IST_DOUBLE_FAULT, IST_MACHINE_CHECK, IST_DEBUG, IST_COUNT = IST_DEBUG };
#define IST_PAGES 2

/* 64-bit task state segment. SDM 3A, "Task Management in 64-bit Mode". */
struct __attribute__((packed)) tss {
    u32 reserved0;
    u64 rsp[3];
    u64 reserved1;
    u64 ist[7];
    u64 reserved2;
    u16 reserved3, io_map;
};
_Static_assert(sizeof(struct tss) == 104, "TSS layout");

/* Where guarded_call() returns to. kernel/interrupt/guard.asm fills it and depends on the order of the fields. */
struct guard_context {
    u64 rsp, rbx, rbp, r12, r13, r14, r15, rflags;
};

struct cpu_state {
    u32 index, apic_id;
    u64 stack; /* top of the stack on which it began; 0: the boot CPU, or not started yet */
    struct tss tss;
    bool guarded;
    struct guard_context guard;
    struct guard_result result;
    struct interrupt_counts counts;
    struct strays strays;
    struct machine_checks machine_checks;
    u64 ring3_rsp;  /* kernel stack pointer for the return from CPL 3 */
    u64 user_stack; /* top of the stack for CPL 3 */
    void (*volatile work)(void *);
    void *work_argument;
    u64 work_begun; /* cpus_work_us() when the work began */
    volatile bool busy;
    volatile bool died;  /* by a fault outside any guarded call; it is in `result` */
    volatile bool abort; /* the next NMI ends the guarded call, which took too long */
};

/* Allocates and fills the area of CPU `index` (stacks, TSS); NULL if memory is short. */
struct cpu_state *cpu_state_create(u32 index, u32 apic_id);
struct cpu_state *cpu_state_of(u32 index);
struct cpu_state *cpu_state(void);
/* Loads GDT, IDT and TSS on the calling CPU. */
void tables_load(struct cpu_state *self);
/* Builds the interrupt tables, and loads one to use until tables_load(). It is the first step of all, so that an NMI
 * does not reset the machine, and does not change the image's data, which is about to be summed up. */
void tables_load_first(void);

/* Runs code at CPL 3, or at 1 or 2, and comes back. Code and data must lie in the sections .user.text and .user.data.
 */

/* Calls code(argument) at CPL 3 on this CPU's user stack. It ends with `int VECTOR_RING3_RETURN`, result in RAX. */
u64 ring3_run(void (*code)(u64), u64 argument);
/* The same at CPL 1, 2 or 3; at 1 and 2 it has the supervisor's access to memory, but no privileged instruction. */
u64 ring_run(unsigned cpl, void (*code)(u64), u64 argument);
/*
 * Memory that CPL 0 and CPL 3 share: RING3_ROOM bytes of this CPU's user stack, far below the part that the code there
 * uses. Each address is 16-byte aligned and the same at both levels.
 */
#define RING3_ROOM 2048
void *ring3_room(void);
/* Does the address belong to code that runs at CPL 3 only? */
bool ring3_code(u64 rip);
/* Does it belong to code that runs at CPL 0? */
bool ring0_code(u64 rip);

/* ---- For when the run cannot go on: logs what happened and where, ends the log with a verdict, and stops. */

/* An unexpected fault outside any guarded call: ends the run, or on another CPU stops it, which the boot CPU
 * notices. */
_Noreturn void fatal_fault(const struct frame *frame);
/* Ends the run for a reason other than a fault: one line on log and screen, verdict=error. Boot CPU only. */
_Noreturn __attribute__((format(printf, 1, 2))) void fatal(const char *format, ...);

/* ---- Faults of CPUs that are starting and have no tables yet: such a CPU does not know its number. */

/* Records a fault of a CPU without a task register, and stops the CPU, which then counts as not started. */
_Noreturn void fault_at_start(const struct frame *frame);
/* Logs the recorded faults. Boot CPU only. */
void faults_at_start_report(void);

/* ---- Logs what is known of aborted code: registers, stack and symbol names. */

/* Logs a guarded call that ended early: `# fault ...` lines. Boot CPU only. */
void guard_log(const struct guard_result *result);
/* Is a dump being written? For code that may have interrupted it. */
bool guard_log_busy(void);
/* Copies the words at the stack pointer; words in unmapped memory become zero. */
void guard_copy_stack(u64 rsp, u64 *words, unsigned count);
