/* What the monitor keeps for each CPU. */
#pragma once

#include "boot/cpu.h"
#include "kernel/interrupt/frame.h"
#include "pmu/reference/monitor/guest/clock.h"
#include "pmu/reference/monitor/guest/tables.h"
#include "pmu/reference/monitor/interpreter/decode.h"
#include "pmu/reference/monitor/interpreter/execution.h"
#include "pmu/reference/monitor/interpreter/operand.h"
#include "pmu/reference/monitor/interpreter/operation.h"
#include "pmu/reference/monitor/monitor.h"
#include "pmu/reference/monitor/state.h"
#include "pmu/reference/monitor/step/block_cache.h"
#include "pmu/reference/monitor/vmcb.h"

#define NATIVE_LEAVES 64

/*
 * The stacks on which monitor code runs: the host's, and three of the in-guest half. Each lies at a multiple of its
 * size, with the struct vcpu at its top, so that the CPU is known from the stack pointer, whatever a foreign guest has
 * loaded into the task register.
 */
enum { STACK_HOST, STACK_OTHER, STACK_FAULT, STACK_MACHINE_CHECK, MONITOR_STACKS };
#define MONITOR_STACK 16384ul
#define MONITOR_STACK_TOP (MONITOR_STACK - 16) /* where the pointer stands */

/* Decoded instructions by address. */
#define DECODED 4096
struct decoded {
    u64 rip;
    u64 bytes[2];
    struct instruction instruction;
    struct operand operand;
    struct operation operation;
    u8 execution;
};

/* Instructions that were copied, by what they are. */
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
        u8 forced_vector; /* to be delivered whatever IF and TPR say; 0: none */
        bool init;        /* INIT: whatever else waits is forgotten */
    };
    u32 any;
};

#define REQUESTED 2
struct vcpu {
    /* Offsets known to vmrun.asm. */
    struct vmcb *vmcb;    /* 0 */
    u64 host_stack;       /* 8 */
    volatile u64 in_stub; /* 16: how many times the in-guest half was entered and not left: 2 in a fault of its own */
    u64 stub_frame;       /* 24: where it has the guest's registers */

    u32 cpu;
    bool active;
    u32 startup;             /* what INIT and start-up IPIs ask of this CPU: startup.c */
    u8 *stacks;              /* MONITOR_STACKS of them */
    struct gate *shadow_idt; /* each guest's CPU may have its code of CPL 0 elsewhere in its GDT */
    u16 shadow_code_selector;
    struct model *model;
    struct model_setup setup;
    enum monitor_stepping how;

    /* The state, which transition.h alone changes. The booleans below are facts about the guest. */
    enum whose whose;
    enum running running;

    bool code32;                       /* what is viewed is 32-bit code */
    bool forced;                       /* step although no counter counts: the counted snippets of the self-proof */
    const struct decoded *at;          /* what is about to be stepped */
    const struct instruction *current; /* the same as an instruction */
    u64 current_rip;
    u8 current_cpl;
    u8 execution;                 /* enum execution, if the model wants to know; */
    u8 access;                    /* enum memory_access of its memory operand, if the model wants to know */
    u64 address;                  /* of its memory operand */
    const struct frame *retiring; /* the guest after the instruction that is being reported */
    bool guest_tf;                /* TF as the guest set it */

    bool exiting; /* an exit is under way: this is the host's side, whatever was running */
    u8 requested; /* an interrupt of the model's, which the next instruction boundary must let in: while the monitor
                     executes instructions by itself, the local APIC finds no boundary. So many boundaries with IF
                     set it takes at most: REQUESTED */
    u8 requested_vector;
    bool hangs;  /* the exit under way was for an access that never comes back: it is entered again as it was, and
                    exits again, so that an NMI still gets in as it would on a CPU that hangs */
    bool asleep; /* by HLT with interrupts off: others look */
    struct idle {
        u64 at, behind; /* the instruction by which a foreign guest sleeps unstepped with interrupts on, and where it */
    } idle, idled;      /* goes on; behind 0: none does. And the same, of the exit under way */
    bool woken;         /* the NMI that comes is no one's of the guest's: startup.c */
    union pending pending;
    bool guest_sce;   /* EFER.SCE as a foreign guest set it: really clear while its SYSRET has to raise #UD */
    bool guest_bs;    /* DR6.BS as a foreign guest has it while it is stepped */
    bool guest_pce;   /* CR4.PCE as the guest set it: really set, or TCG refuses RDPMC before it exits */
    bool nmi_blocked; /* virtual NMI: TCG's injection does not block further ones */
    bool iret_exits;  /* so that the end of a virtual NMI is seen while nothing is stepped */
    bool returning;   /* that IRET is under way, with a trap behind it */
    bool alone_tf;    /* TF before it was set for one instruction that is not stepped otherwise */
    volatile bool host_irq, host_nmi;
    volatile u8 host_vector; /* what the host's own interrupt table took */

    struct {
        u64 page;     /* its address */
        u64 *entry;   /* the nested mapping; NULL: no local APIC */
        bool hidden;  /* a foreign guest has disabled it, or has it in x2APIC mode: `scratch` is there in its place */
        bool open;    /* accessible until the instruction under way has completed */
        u32 offset;   /* of the register that it accesses */
        u32 before;   /* what `scratch` showed of the register */
        bool instead; /* `scratch` is in the page's place */
        bool stores;  /* it stores, for sure */
        u32 *scratch;
    } apic;

    struct {
        u64 *tables, *hiding; /* NULL: there are none */
        unsigned small;       /* tables of small pages in use */
    } nested;                 /* nested.c */
    struct {
        bool noted, stores;
        u64 physical;
        u64 told; /* the large page whose loads have their line, and one; 0: none */
    } stray;      /* an access of a foreign guest's to the monitor's memory */

    struct clock_cpu clock; /* of a guest that keeps_time() */
    struct {
        bool set; /* the machine's timer is set: `end` of that clock, with this entry */
        u64 end;
        u32 entry;
        u64 apart;                  /* with the machine's clock so far ahead of it; */
        u32 due;                    /* a command that waits to be written; 0: none */
        bool requested, in_service; /* and its vector was so already, and still is */
    } timer;

    struct vmcb_segment guest_idt, guest_tr; /* while the shadow ones are loaded */
    struct vmcb *host_save, *segments;       /* VM_HSAVE_PA page; VMSAVE and VMLOAD image */
    struct native_leaf native[NATIVE_LEAVES];
    struct monitor_statistics statistics;
    struct decoded decoded[DECODED];
    struct blocks blocks;
    bool guarded;                  /* by shadow_guard() */
    struct table_pointer host_idt; /* what stood there before */
    struct copy copies[COPIES];
    u8 *copy_code; /* of each of `copies`; read-only */
    struct {
        u64 rip;             /* of the last x87 instruction that was copied, and is no control instruction; */
        u64 address, copied; /* of the operand of the last one that has one, and where the copy had it */
    } x87;
};

_Static_assert(offsetof(struct vcpu, vmcb) == 0, "vmrun.asm");
_Static_assert(offsetof(struct vcpu, host_stack) == 8, "vmrun.asm");
_Static_assert(offsetof(struct vcpu, in_stub) == 16, "vmrun.asm");
_Static_assert(offsetof(struct vcpu, stub_frame) == 24, "vmrun.asm");

/* The CPU's that runs, of code on one of those stacks. */
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
