/* What each CPU has of its own: task state, stacks, the guard of the code it runs, and what it was asked to do. */
#pragma once

#include "boot/cpu.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/interrupt/machine_check.h"

/* Stacks of the interrupt stack table: these arrive when RSP cannot be trusted. */
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

/* Where guarded_call() goes back to. Filled by kernel/interrupt/guard.asm: the order is known there. */
struct guard_context {
    u64 rsp, rbx, rbp, r12, r13, r14, r15, rflags;
};

struct cpu_state {
    u32 index, apic_id;
    struct tss tss;
    bool guarded;
    struct guard_context guard;
    struct guard_result result;
    struct interrupt_counts counts;
    struct strays strays;
    struct machine_checks machine_checks;
    u64 ring3_rsp;  /* kernel stack to come back to from CPL 3 */
    u64 user_stack; /* top */
    void (*volatile work)(void *);
    void *work_argument;
    u64 work_begun; /* what the CPU had done by then: cpus_work_us */
    volatile bool busy;
    volatile bool died;  /* of a fault outside any guarded call, which is in `result` */
    volatile bool abort; /* the next NMI ends the guarded call: it takes too long */
};

/* Allocates and fills the area of CPU `index` (stacks, TSS); NULL if memory is short. */
struct cpu_state *cpu_state_create(u32 index, u32 apic_id);
struct cpu_state *cpu_state_of(u32 index);
struct cpu_state *cpu_state(void);
/* Loads GDT, IDT and TSS on the calling CPU. */
void tables_load(struct cpu_state *self);
/* Builds the tables of interrupts, and loads one for the time until tables_load(): the first thing of all, so that an
 * NMI does not reset the machine. The image's data, which is summed up, stays as it is. */
void tables_load_first(void);
