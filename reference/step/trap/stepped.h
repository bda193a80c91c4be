/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stepper that needs no hypervisor. It replaces the CPU's interrupt table and task state by its own (tables.h), and
 * each instruction that asks for what the model answers, a site, by INT3 (sites.h). While something counts, code runs
 * under TF: each #DB is an instruction that has retired. Interrupts and faults arrive on the stepper's table, too, and
 * are passed to the kernel's own handler on a frame built by hand (deliver.h), since the CPU would have pushed TF.
 *
 * What runs is called the program: this image, and the user code that it starts. Code of the stepper is never stepped,
 * has interrupts off and contains no site.
 *
 * This file: what is stored for each CPU.
 */
#pragma once

#include "kernel/interrupt/frame.h"
#include "reference/step/call.h"
#include "reference/step/interpreter/decoded.h"
#include "reference/step/stepper.h"
#include "reference/step/tables.h"

#define VECTOR_CALL 0x84 /* INT of stepper_call() */
/* A call of this stepper alone: stepping ends for good. */
enum { CALL_LEAVE = CALLS_OF_ALL };

/*
 * Its stacks. Each lies at a multiple of its size, with a pointer to the struct stepped at its top, so that the stack
 * pointer tells the CPU.
 */
enum { STACK_OTHER, STACK_FAULT, STACK_NMI, STACK_MACHINE_CHECK, STEPPED_STACKS };
#define STEPPED_STACK 16384ul
#define STEPPED_STACK_TOP (STEPPED_STACK - 16) /* offset of the pointer */

/* Events that wait for the next instruction boundary. */
union pending {
    struct {
        bool nmi;
        bool machine_check;
        u8 forced_vector; /* to be delivered regardless of IF and TPR; 0: none */
    };
    u32 any;
};

enum way { WAY_TRAP, WAY_EACH, WAYS };

struct stepped {
    /* Offsets known to entry.asm. */
    volatile u64 inside; /* 0: nesting level of the stepper's code: 2 during a fault of its own */
    u64 frame;           /* 8: address of the program's registers while inside */

    u32 cpu;
    bool active;
    enum way way;
    u8 *stacks; /* STEPPED_STACKS of them */
    struct model *model;
    struct model_setup setup;

    bool stepping; /* TF is ours; the program's own is in program_tf */
    bool forced;   /* step although no counter counts: for the counted snippets of the self-proof */
    bool leaving;  /* nothing is stepped any more, whatever counts */
    bool program_tf;
    bool nmi_blocked; /* virtual: from an NMI's delivery to the IRET that ends its handler */
    bool woken;       /* an event came while inside, and TF is set in the program's frame so that it is looked at */
    bool woken_tf;    /* TF in that frame before */
    union pending pending;
    u8 requested; /* an interrupt of the model's waits for an instruction boundary: while instructions are executed
                     here, the local APIC finds none. Counts boundaries with IF set down */
    u8 requested_vector;
    bool asleep;                  /* other CPUs read this, and the next: sleep.c */
    bool looked;                  /* whether this CPU sleeps for good was looked at */
    volatile bool interrupt, nmi; /* what came while it slept */
    volatile bool came;           /* an NMI or a machine check: it does not go to sleep again */
    volatile u8 vector;           /* of that interrupt */

    const struct decoded *at;          /* the instruction that is about to be stepped */
    const struct instruction *current; /* the same, decoded for stepping */
    u64 current_rip;
    u8 current_cpl;
    u8 execution;                 /* enum execution, if the model wants to know; */
    u8 access;                    /* enum memory_access of its memory operand, if the model wants to know */
    u64 address;                  /* of its memory operand */
    const struct frame *retiring; /* the program's registers after the instruction that is being reported */

    struct gate *idt; /* the stepper's */
    struct table_pointer program_idt;
    u64 program_tss[2]; /* the descriptor of the kernel's task state */
    u64 program_tss_base;
    struct {
        u64 page;        /* where it is mapped; 0: no local APIC */
        bool x2;         /* the machine's is in x2APIC mode, in which the page shows nothing */
        u32 destination; /* in x2APIC mode: what was written to the page's ICR_HIGH */
        u32 lvtpc;       /* the machine's own entry, given back by disarm */
    } apic;
    struct {
        bool open;
        struct frame fallback; /* the program's registers if it aborts, but RAX */
    } transaction;
    bool pmu_stopped; /* the machine's own PMU was counting: its IA32_PERF_GLOBAL_CTRL is 0 meanwhile */
    u64 global_ctrl;  /* and this before */
    struct stepper_statistics statistics;
    struct decoded decoded[DECODED];
};
_Static_assert(offsetof(struct stepped, inside) == 0, "entry.asm");
_Static_assert(offsetof(struct stepped, frame) == 8, "entry.asm");

/* The running CPU's, for code on one of those stacks. */
static inline struct stepped *stepped_here(void)
{
    u64 rsp;
    __asm__ volatile("mov %%rsp, %0" : "=r"(rsp));
    return *(struct stepped **)((rsp & ~(STEPPED_STACK - 1)) + STEPPED_STACK_TOP);
}

struct stepped *stepped(void);        /* of the calling CPU; NULL: it never was armed */
struct stepped *stepped_of(u32 cpu);  /* likewise */
void stepped_keep(struct stepped *s); /* makes it its CPU's */
