/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stepper that needs no hypervisor. It replaces the CPU's interrupt table and task state by its own (tables.h), and
 * each instruction that asks for what the model answers, a site, by INT3 (sites.h). While something counts, code runs
 * under TF: each #DB is an instruction that has retired. Interrupts and faults arrive on the stepper's table, too, and
 * are passed to the kernel's own handler on a frame built by hand, since the CPU would have pushed TF.
 *
 * What runs is called the program: this image, and the user code that it starts. Code of the stepper is never stepped,
 * has interrupts off and contains no site.
 *
 * This file: what is stored for each CPU.
 */
#pragma once

#include "kernel/interrupt/frame.h"
#include "reference/step/interpreter/interpret.h"
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

/* ---- Stepping: every instruction that retires while a counter can count is seen here, with or without a trap. */

/* The stepped instruction has completed (#DB). */
void step_completed(struct stepped *s, struct frame *f);
/* Executes as many of the instructions from f->rip on as it can, counting each; after a step. */
void step_run(struct stepped *s, struct frame *f);
/* Another event came while stepping: reports the instructions that completed before it. */
void step_interrupted(struct stepped *s, struct frame *f);
/* Continues after an event: stepping or not, as the model wants, with pending events delivered. */
void step_resume(struct stepped *s, struct frame *f);

/* The machine's local APIC, in the mode that it is in: by its page, or by MSRs (x2APIC). Offsets are the page's. */

/* Looks for it, and keeps its LVT performance-counter entry. */
void apic_find(struct stepped *s);
bool apic_there(const struct stepped *s);
/* Without one: 0, and nothing. */
u32 apic_load(const struct stepped *s, u32 offset);
void apic_store(struct stepped *s, u32 offset, u32 value);
/* The bit of a vector in the 256 of IRR or ISR. */
bool apic_tells(const struct stepped *s, u32 base, u8 vector);

/* ---- Events go to the program's own handlers on frames built by hand, without the stepper's TF in them. */

/* An interrupt, an NMI or an exception. SDM 3A, "Exception- or Interrupt-Handler Procedures". */
void deliver(struct stepped *s, struct frame *f, u8 vector, u64 error);
/* INT n, with RIP behind it. */
void deliver_software(struct stepped *s, struct frame *f, u8 vector);
void deliver_gp(struct stepped *s, struct frame *f);
/* The program's own single step: #DB. */
void deliver_single_step(struct stepped *s, struct frame *f);

/* Instructions that the stepper executes in the program's place: the model's, and those that TF does not step. */

enum emulated {
    EMULATED_NOT,  /* must be stepped by the CPU */
    EMULATED,      /* done: RIP is behind it or in a fault handler */
    EMULATED_HANGS /* the access never comes back: RIP stays, and only an NMI gets out */
};
/* The instruction at f->rip. */
enum emulated emulate(struct stepped *s, struct frame *f, const struct instruction *i);
/* RDMSR or WRMSR of a register that is not the model's. */
void emulate_natively(struct stepped *s, struct frame *f, const struct instruction *i);
/* RIP moves behind an instruction that the caller has executed, and it retires. */
void emulated_plain(struct stepped *s, struct frame *f, unsigned length);

/* ---- What the model asks of the machine, and the machine's own PMU meanwhile. */

/* A fault of the stepper's own ends the run, on another CPU that CPU: the others stay on the reference PMU. */
_Noreturn void machine_fatal(const struct stepped *s, const struct frame *f);
/* Resets the model by s->setup; LVTPC is masked. */
void machine_reset_model(struct stepped *s);
/* The same between two tests: nothing of the first may reach the second. Inside. */
void machine_reset(struct stepped *s);
/* The machine's own PMU must not use LVTPC while the model does: its counters stop, and go on later. */
void machine_pmu_stop(struct stepped *s);
void machine_pmu_go_on(struct stepped *s);

/* ---- The instruction at the program's RIP, and the one place where an instruction is reported to the model. */

/* Decodes the instruction at `rip`, unless it is what is known. */
void step_decode(struct decoded *known, u64 rip);
/* Finds or decodes the instruction at `rip`: as it is without the stepper's patches. Valid until the next call. */
static inline const struct decoded *step_decoded(struct stepped *s, u64 rip)
{
    struct decoded *known = decoded_place(s->decoded, rip);
    if (known->rip != rip || !known->steady)
        step_decode(known, rip);
    return known;
}
/* The one at f->rip, into s->at. */
static inline void step_find(struct stepped *s, const struct frame *f)
{
    s->at = step_decoded(s, f->rip);
}
/* The same, and makes it s->current, the instruction that is about to be stepped. */
void step_look(struct stepped *s, const struct frame *f);
/* The instruction at `rip`, which began at `cpl`, has retired, once; f is the program after it. */
void retire(struct stepped *s, const struct frame *f, enum retired_kind kind, u64 rip, u8 cpl, bool taken);

/* ---- The stepper's interrupt table and task state, which the CPU has while it is armed. */

bool shadow_create(struct stepped *s); /* false: no memory */
void shadow_load(struct stepped *s);   /* keeps what was loaded */
void shadow_unload(struct stepped *s); /* back to that */
/* The table of a CPU that sleeps inside, or the stepper's own again. */
void shadow_sleeps(struct stepped *s, bool asleep);
/* Is it code of the gates, on the way in or out? */
bool shadow_code(u64 rip);
/* The program's frame on its way in or out, on the stack of this stack pointer. */
struct frame *shadow_frame(u64 rsp);

/* ---- The program's HLT and MWAIT: the CPU sleeps here in its place. */

/* The length of the instruction in s->at, if it is HLT or MWAIT; else 0. */
unsigned sleep_length(const struct stepped *s);
/* HLT or MWAIT at f->rip, `length` bytes long. */
void sleep_begin(struct stepped *s, struct frame *f, unsigned length);

/*
 * XBEGIN and XABORT. A transaction that the model lets go on is stepped like other code; what ends it is XABORT, any
 * event, or any instruction that is emulated: then the program's registers are those of XBEGIN again. What it has
 * written to memory stays: no code here writes in a transaction. SDM 1, "Programming with Intel Transactional
 * Synchronization Extensions".
 */

/* XBEGIN at f->rip: RIP moves into the transaction, or the transaction has aborted. False: its code cannot be read. */
bool transaction_begin(struct stepped *s, struct frame *f, const struct instruction *i);
/* XABORT at f->rip: ends the transaction; outside of one it does nothing. */
void transaction_abort(struct stepped *s, struct frame *f, const struct instruction *i);
/* Something that no transaction survives: returns whether one was open, and has been aborted. */
bool transaction_broken(struct stepped *s, struct frame *f);

/* ---- Whether this machine, or what emulates it, traps as the stepper needs it. */

/* NULL: #DB by TF comes after each instruction, and #BP at each INT3; or what does not (one line). Boot CPU. */
const char *traps_tried(void);
