/* SPDX-License-Identifier: BSD-2-Clause */
/* Per-CPU state: task state, stacks, the guard of the code that it runs, and its work. */
#pragma once

#include "boot/cpu.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/interrupt/machine_check.h"

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
