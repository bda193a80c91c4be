/* SPDX-License-Identifier: BSD-2-Clause */
/* What the monitor stores for each CPU. */
#pragma once

#include "boot/cpu.h"
#include "hosting/monitor/guest/clock.h"
#include "hosting/monitor/monitor.h"
#include "hosting/monitor/state.h"
#include "hosting/monitor/step/block_cache.h"
#include "hosting/monitor/vmcb.h"
#include "kernel/interrupt/frame.h"
#include "reference/step/interpreter/interpret.h"
#include "reference/step/tables.h"

#define NATIVE_LEAVES 64

/*
 * The stacks on which monitor code runs: the host's, and three of the in-guest half. Each lies at a multiple of its
 * size, with a pointer to the struct vcpu at its top, so that the stack pointer tells the CPU, whatever a foreign guest
 * has loaded into the task register.
 */
enum { STACK_HOST, STACK_OTHER, STACK_FAULT, STACK_MACHINE_CHECK, MONITOR_STACKS };
#define MONITOR_STACK 16384ul
#define MONITOR_STACK_TOP (MONITOR_STACK - 16) /* offset of the pointer to the struct vcpu */

/* Copies of instructions, hashed by their bytes. */
#define COPIES 1024

struct native_leaf {
    bool known;
    u32 leaf, subleaf;
    u32 registers[4];
};

/* Events that wait for the next instruction boundary. */
union pending {
    struct {
        bool nmi;
        bool machine_check;
        u8 forced_vector; /* to be delivered regardless of IF and TPR; 0: none */
        bool init;        /* INIT: other pending events are dropped */
    };
    u32 any;
};

#define REQUESTED 2
struct vcpu {
    /* Offsets known to vmrun.asm. */
    struct vmcb *vmcb;    /* 0 */
    u64 host_stack;       /* 8 */
    volatile u64 in_stub; /* 16: nesting level of the in-guest half: 2 during a fault of its own */
    u64 stub_frame;       /* 24: address of the guest's registers while in the in-guest half */

    u32 cpu;
    bool active;
    u32 startup;             /* requested INIT or start-up IPI: startup.c */
    u8 *stacks;              /* MONITOR_STACKS of them */
    struct gate *shadow_idt; /* each guest may have its CPL 0 code segment elsewhere in its GDT */
    u16 shadow_code_selector;
    struct model *model;
    struct model_setup setup;
    enum monitor_stepping how;

    /* The state, which only transition.h changes. The booleans below are facts about the guest. */
    enum whose whose;
    enum running running;

    bool code32;                       /* the code that is viewed is 32-bit */
    bool untrapped;                    /* the next instruction gets no trap: an STI before HLT */
    bool forced;                       /* step although no counter counts: for the counted snippets of the self-proof */
    const struct decoded *at;          /* the instruction that is about to be stepped */
    const struct instruction *current; /* the same, decoded for stepping */
    u64 current_rip;
    u8 current_cpl;
    u8 execution;                 /* enum execution, if the model wants to know; */
    u8 access;                    /* enum memory_access of its memory operand, if the model wants to know */
    u64 address;                  /* of its memory operand */
    const struct frame *retiring; /* the guest's registers after the instruction that is being reported */
    bool guest_tf;                /* TF as the guest set it */

    bool exiting; /* an exit is being handled: this is the host's side, whatever was running */
    u8 requested; /* an interrupt of the model's waits for an instruction boundary: while the monitor executes
                     instructions itself, the local APIC finds none. Counts boundaries with IF set down from
                     REQUESTED */
    u8 requested_vector;
    bool hangs;  /* this exit is for an access that never comes back: it is entered again unchanged, and exits again,
                    so that an NMI still gets in as on a CPU that hangs */
    bool asleep; /* by HLT with interrupts off; other CPUs read this */
    enum stuck { NOT_STUCK, MAY_BE_STUCK, LOOKED_AT } stuck; /* asleep without a timer: stuck.c; likewise */
    struct idle {
        u64 at, behind; /* address of the HLT or MWAIT by which a foreign guest sleeps by itself, and the address */
    } idle, idled;      /* behind it; 0: it does not sleep. `idled`: the same for the current exit */
    bool woken;         /* the next NMI is not the guest's: startup.c */
    union pending pending;
    bool guest_sce;   /* EFER.SCE as a foreign guest set it: really clear while SYSRET has to raise #UD */
    bool guest_bs;    /* DR6.BS as a foreign guest has it while it is stepped */
    bool guest_pce;   /* CR4.PCE as the guest set it: really always set, or TCG refuses RDPMC before it exits */
    bool nmi_blocked; /* virtual NMI: TCG's injection does not block further ones */
    bool iret_exits;  /* so that the end of a virtual NMI is seen while unstepped */
    bool returning;   /* such an IRET is being executed, and traps afterwards */
    bool alone_tf;    /* TF before it was set for a single instruction of an unstepped guest */
    volatile bool host_irq, host_nmi;
    volatile u8 host_vector; /* vector of the last interrupt that the host took */

    struct {
        u64 page;     /* its address */
        u64 *entry;   /* its nested page table entry; NULL: no local APIC */
        bool hidden;  /* a foreign guest has disabled the APIC, or has it in x2APIC mode: `scratch` is mapped instead */
        bool open;    /* accessible until the current instruction has completed */
        u32 offset;   /* of the register that this instruction accesses */
        u32 before;   /* the register's value in `scratch` before */
        bool instead; /* `scratch` is mapped for this instruction */
        bool stores;  /* it certainly stores */
        u32 *scratch;
    } apic;

    struct {
        u64 *tables, *hiding; /* NULL: there are none */
        unsigned small;       /* number of tables of small pages in use */
    } nested;                 /* nested.c */
    struct {
        bool noted, stores;
        u64 physical;
        u64 told; /* 1 + the large page whose loads were logged last; 0: none */
    } stray;      /* a foreign guest's access to the monitor's memory */

    struct clock_cpu clock; /* used if keeps_time() */
    struct {
        bool set; /* the machine's timer is set to `end` of the guest's clock, with this LVT entry */
        u64 end;
        u32 entry;
        u64 apart;                  /* the machine's clock minus the guest's at that time */
        u32 due;                    /* a command that is to be written to the APIC; 0: none */
        bool requested, in_service; /* its vector was already requested, or in service, and still is */
    } timer;

    struct vmcb_segment guest_idt, guest_tr; /* the guest's own, while the shadow ones are loaded */
    struct vmcb *host_save, *segments;       /* VM_HSAVE_PA page; VMSAVE and VMLOAD image */
    struct native_leaf native[NATIVE_LEAVES];
    struct stepper_statistics statistics;
    struct decoded decoded[DECODED];
    struct blocks blocks;
    bool guarded;                  /* the host's tables are those of shadow_guard() */
    struct table_pointer host_idt; /* the table before shadow_guard() */
    struct copy copies[COPIES];
    u8 *copy_code; /* code of each of `copies`; read-only */
    struct {
        u64 rip;             /* of the last copied x87 instruction that is no control instruction */
        u64 address, copied; /* of the last such operand, and its address in the copy */
    } x87;
};

_Static_assert(offsetof(struct vcpu, vmcb) == 0, "vmrun.asm");
_Static_assert(offsetof(struct vcpu, host_stack) == 8, "vmrun.asm");
_Static_assert(offsetof(struct vcpu, in_stub) == 16, "vmrun.asm");
_Static_assert(offsetof(struct vcpu, stub_frame) == 24, "vmrun.asm");

/* The running CPU's vcpu, for code on one of those stacks. */
static inline struct vcpu *vcpu_here(void)
{
    u64 rsp;
    __asm__ volatile("mov %%rsp, %0" : "=r"(rsp));
    return *(struct vcpu **)((rsp & ~(MONITOR_STACK - 1)) + MONITOR_STACK_TOP);
}

static inline bool is_stepped(const struct vcpu *v)
{
    return running_stepped(v->running);
}

static inline bool is_shadowed(const struct vcpu *v)
{
    return running_shadowed(v->running);
}

static inline bool is_foreign(const struct vcpu *v)
{
    return v->whose == WHOSE_FOREIGN;
}

/* Has its guest a clock of its own? */
static inline bool keeps_time(const struct vcpu *v)
{
    return is_foreign(v) && v->setup.tsc_khz;
}
