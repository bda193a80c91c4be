/* What the monitor keeps for each CPU, and how its parts call each other. */
#pragma once

#include "boot/cpu.h"
#include "kernel/cpu/frame.h"
#include "pmu/reference/monitor/interpreter/decode.h"
#include "pmu/reference/monitor/interpreter/execution.h"
#include "pmu/reference/monitor/interpreter/loop.h"
#include "pmu/reference/monitor/interpreter/operand.h"
#include "pmu/reference/monitor/interpreter/operation.h"
#include "pmu/reference/monitor/monitor.h"
#include "pmu/reference/monitor/vmcb.h"

#define NATIVE_LEAVES 64

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

/* A loop that was met; translated once it has been met often enough. */
#define LOOPS 64
struct hot_loop {
    u64 top, branch; /* where it begins, and the branch back to there; top 0: none */
    u32 taken;
    bool refused;
    struct loop loop; /* count 0: not translated */
};

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
    };
    u32 any;
};

struct vcpu {
    /* Offsets known to vmrun.asm and stubs.asm. */
    struct vmcb *vmcb;    /* 0 */
    u64 host_stack;       /* 8 */
    volatile u64 in_stub; /* 16: the in-guest half is running */
    u64 stub_frame;       /* 24: where it has the guest's registers */

    u32 cpu;
    bool active;
    struct model *model;
    struct model_setup setup;
    enum monitor_stepping how;

    bool foreign;             /* the guest is another kernel, in an address space of its own */
    bool resident;            /* this image itself: the shadow IDT and TSS stay loaded, unless stepping by exit */
    bool shadowed;            /* they are loaded */
    bool viewing;             /* its instructions are executed from outside, */
    bool code32;              /* and are 32-bit code */
    bool stepping;            /* TF is ours; shadowed, unless stepping by exit */
    bool forced;              /* step although no counter counts: the counted snippets of the self-proof */
    const struct decoded *at; /* what is about to be stepped, */
    const struct instruction *current; /* as an instruction */
    u64 current_rip;
    u8 current_cpl;
    u8 execution;                 /* enum execution, if the model wants to know; */
    u8 access;                    /* enum memory_access of its memory operand, if the model wants to know, */
    u64 address;                  /* and where that is */
    const struct frame *retiring; /* the guest after the instruction that is being reported */
    bool guest_tf;                /* TF as the guest set it */

    bool requested; /* an interrupt of the model's, which the next instruction boundary must let in */
    bool hangs;     /* the exit under way was for an access that never comes back */
    union pending pending;
    bool guest_sce;   /* EFER.SCE as a foreign guest set it */
    bool guest_pce;   /* CR4.PCE as the guest set it */
    bool nmi_blocked; /* virtual NMI: TCG's injection does not block further ones */
    bool iret_exits;  /* so that the end of a virtual NMI is seen while nothing is stepped */
    bool returning;   /* that IRET is under way, with a trap behind it */
    volatile bool host_irq, host_nmi;
    volatile u8 host_vector; /* what the host's own interrupt table took */

    struct {
        u64 page;     /* its address */
        u64 *entry;   /* the nested mapping; NULL: no local APIC */
        bool open;    /* writable until the instruction under way has completed */
        bool command; /* that one writes the command register, of `scratch` instead of the page */
        u32 *scratch;
        bool guest_tf; /* TF before it was set for that instruction */
    } apic;

    struct vmcb_segment guest_idt, guest_tr; /* while the shadow ones are loaded */
    struct vmcb *host_save, *segments;       /* VM_HSAVE_PA page; VMSAVE and VMLOAD image */
    struct native_leaf native[NATIVE_LEAVES];
    struct monitor_statistics statistics;
    struct decoded decoded[DECODED];
    struct hot_loop loops[LOOPS];
    struct loop_state loop_state;
    u8 *loop_code; /* of each of `loops`; read-only */
};

/* The calling CPU's; NULL before its first monitor_arm(). */
struct vcpu *vcpu(void);

/*
 * What always exits: whatever would show the real machine instead of the model, NMIs, whose blocking is virtual, and
 * HLT, since stepping may begin before it without an exit.
 */
#define INTERCEPT_BASE                                                                                        \
    (INTERCEPT_RDPMC | INTERCEPT_CPUID | INTERCEPT_MSR | INTERCEPT_SVM | INTERCEPT_SHUTDOWN | INTERCEPT_NMI | \
     INTERCEPT_HLT)

/* Model reset as v->setup says; LVTPC masked. */
void monitor_reset_model(struct vcpu *v);

/* ---- Calls by VMMCALL from the guest: code in RAX, argument in RDI, result in RAX. */
enum monitor_call {
    CALL_REARM = 0x706d7500, /* model and virtual state as the set-up says */
    CALL_LEAVE_STUB,         /* from the in-guest half: back to the guest's own IDT and TSS */
    CALL_COUNT_BEGIN,        /* step from here, counting retired instructions */
    CALL_COUNT_END,          /* stop; the number of retired instructions */
    CALL_STEPPING,           /* argument: enum monitor_stepping */
    CALL_IDT,                /* argument: address of the interrupt table to use from here; the one before */
    CALL_APIC_CLOSE,         /* from the in-guest half: the store to the APIC's page has completed */
    CALL_APIC_WRITE,         /* from the in-guest half: argument is offset << 32 | value */
    CALL_NOTHING,            /* an exit, which looks again at what has to exit; benchmarks */
    CALL_OVERWRITTEN,        /* from the in-guest half: the loop at the argument changed itself while forwarded */
    CALL_HOST,               /* argument: struct monitor_guest, which takes the place of the caller */
};
u64 monitor_call(enum monitor_call code, u64 argument); /* vmrun.asm */

/* ---- exit.c: one VM exit. `f` holds the guest's registers and is written back. */
void monitor_exit(struct vcpu *v, struct frame *f);

/* ---- step.c */
/* Prepares the instruction at f->rip for stepping, emulating as many before it as have to be; or stops stepping. */
void step_begin(struct vcpu *v, struct frame *f);
/* Executes what it can of the instructions from f->rip on, counting each. From the in-guest half, after a step. */
void step_run(struct vcpu *v, struct frame *f);
/* The stepped instruction has completed (#DB). */
void step_completed(struct vcpu *v, struct frame *f);
/* Something else came while stepping: accounts for what completed before it. */
void step_interrupted(struct vcpu *v, struct frame *f);
/* Starts stepping if the model wants it and it is not on yet. */
void step_start_if_needed(struct vcpu *v, struct frame *f);
/* Goes on after something was handled by the in-guest half: stepping or not, as the model wants. */
void step_resume(struct vcpu *v, struct frame *f);
/* Must the next IRET exit? `inside`: that of the in-guest half is meant. */
bool iret_must_exit(const struct vcpu *v, bool inside);

/* ---- look.c */
/* Finds or decodes the instruction at f->rip: v->at. */
void step_find(struct vcpu *v, const struct frame *f);
/* The same, as the one that is about to be stepped: `current`. */
void step_look(struct vcpu *v, const struct frame *f);

/* ---- forward.c: many turns of a loop at once. */
bool forward_init(struct vcpu *v); /* false: no memory */
/*
 * The branch at `branch` has just led back to f->rip, in the run of instructions under way: that loop, if it can be
 * forwarded here and now.
 */
struct hot_loop *forward_find(struct vcpu *v, const struct frame *f, u64 branch);
/* Executes and reports up to `most` instructions, which must be within model_run_room(). Returns how many. */
u32 forward(struct vcpu *v, struct frame *f, struct hot_loop *h, u32 most);
bool forward_code(const struct vcpu *v, u64 rip); /* is this within a translation? */
/* Was this #SS, #GP or #PF in one? Then f is sent out of it, to the instruction that did it. */
bool forward_faulted(struct vcpu *v, struct frame *f);

/* ---- emulate.c */
enum emulated {
    EMULATED_NOT,  /* to be stepped natively */
    EMULATED,      /* done, with RIP behind it or in a fault handler */
    EMULATED_HANGS /* the access never comes back: RIP stays, only an NMI gets out */
};
enum emulated emulate(struct vcpu *v, struct frame *f, const struct instruction *i);
/* RDMSR or WRMSR of a register that is not the model's, for a patched access. */
void emulate_natively(struct vcpu *v, struct frame *f, const struct instruction *i);
/* Was this a fault of the WRMSR in there? Then f is sent to where it is told. */
bool native_fault(struct frame *f);
void retire(struct vcpu *v, const struct frame *f, enum retired_kind kind, u64 rip, u8 cpl, bool taken);
bool emulate_sysret(struct vcpu *v, struct frame *f); /* false: it is undefined, or not allowed */
void emulate_iretq(struct vcpu *v, struct frame *f);

/* ---- deliver.c */
/* Builds the guest's frame for an interrupt or exception as the CPU would, and goes to the handler. */
void deliver(struct vcpu *v, struct frame *f, u8 vector, u64 error);
/* The guest's #GP(0): by frame while stepping or without an exit, else injected. */
void deliver_gp(struct vcpu *v, struct frame *f);

/* ---- record.c: what a PEBS record takes from the guest, and where it goes. */
void record_callbacks(struct model_host *host);

/* ---- guest_memory.c: the guest's memory by its linear addresses. False if something there is not mapped. */
bool guest_read(struct vcpu *v, void *to, u64 linear, u64 count);
bool guest_write(struct vcpu *v, u64 linear, const void *from, u64 count);
/*
 * From here on guest_load(), guest_store() and guest_view_fetch() see this guest's memory from outside, with its
 * rights, at v->vmcb->cpl; the page tables are believed not to change meanwhile. NULL: the current address space again.
 */
void guest_view(struct vcpu *v);
/* The 16 bytes of an instruction through the view; false if they are not all there, or may not be executed. */
bool guest_view_fetch(u64 to[2], u64 rip);
/* Is all of [base, end) mapped at its own address, for the supervisor to read, write and execute? */
bool guest_identity(const struct vcpu *v, u64 base, u64 end);

/* ---- foreign.c */
/* Loads CS and SS where the frame has other selectors than the VMCB. */
void load_segments(struct vcpu *v, const struct frame *f);
/* Can it be stepped inside itself: does it run 64-bit code as supervisor, with the monitor mapped at its own address?
 */
bool foreign_can_shadow(struct vcpu *v, const struct frame *f);
/* Prepares for a return to CPL 3, and says whether stepping must begin there: then IRET and #UD have to exit. */
bool foreign_watches(struct vcpu *v);
/* A #UD that exited: the SYSRET that was made undefined, or the guest's own. */
void foreign_sysret(struct vcpu *v, struct frame *f);
/* Other CPUs are not the guest's: may it write this to the local APIC's command register? */
bool foreign_may_send(u32 command);
bool runs_code64(const struct vcpu *v); /* as the VMCB has it */
/* Or 32-bit code with segments that begin at 0 and end nowhere? */
bool runs_flat32(const struct vcpu *v, const struct frame *f);
void foreign_enter(struct vcpu *v, struct frame *f, const struct monitor_guest *guest);

/* ---- guest_memory.asm */
/* Copies between addresses of the current address space; false if it faults. */
bool guest_copy(void *to, const void *from, u64 count);
/* 1, 2, 4 or 8 bytes likewise, in one access. */
bool direct_load(u64 *value, u64 address, u64 size);
bool direct_store(u64 address, u64 value, u64 size);
/* XMM0 to 15. */
void guest_xmm(u64 to[16][2]);
/* 16 bytes at once: instructions. */
bool guest_fetch(u64 to[2], const void *from);
/* RDMSR of the machine's own registers, whatever became of the kernel's accessors. */
bool native_rdmsr(u32 msr, u64 *value);
/* Was this #PF or #GP inside one of these, or native_fault()? Then f is sent to its error return. */
bool guest_copy_fault(struct frame *f);

/* ---- shadow.c: the IDT and TSS that are loaded into the guest while stepping inside it. */
bool shadow_init(struct vcpu *v); /* false: no memory */
void shadow_load(struct vcpu *v);
void shadow_unload(struct vcpu *v);
struct vmcb_segment *guest_idt(struct vcpu *v); /* the guest's own, whether loaded or not */
bool shadow_code(u64 rip);                      /* is this an address of the in-guest entries? */

/* ---- patch.c: register accesses of this image that need no exit. */
void patch_cpu_resident(void); /* one CPU more runs on a shadow table */
/* From the exit of such an access: from now on it traps to the shadow table instead, if that is possible. */
void patch_site(const struct vcpu *v, u64 rip, enum instruction_kind kind);
/* Turns a decoded INT n at `rip` back into the access that it stands for, if it does. */
void patch_undo(struct instruction *i, u64 rip);
extern const u8 image_start[], rodata_start[]; /* this image's code is between them: kernel.ld */
static inline bool image_text(u64 rip)
{
    return rip >= (u64)image_start && rip < (u64)rodata_start;
}

/* ---- control.c: CR4.PCE as the guest sees it. */
void control_start(struct vcpu *v);
/* An access to CR4 that exited; false if it cannot be understood. */
bool control_access(struct vcpu *v, struct frame *f);

/* ---- apic_page.c: stores to the local APIC's page, which the model puts right afterwards. */
bool apic_page_init(struct vcpu *v); /* false: no memory */
/* A nested page fault: true if it was such a store, which has been made. */
bool apic_page_store(struct vcpu *v, struct frame *f);
/* The same for those that the CPU must make: true if it may now complete. */
bool apic_page_fault(struct vcpu *v, struct frame *f);
void apic_page_close(struct vcpu *v, struct frame *f);

/* ---- vmrun.asm */
void monitor_enter(struct vcpu *v);
void host_take_interrupts(void); /* opens GIF and IF for a moment */
void host_take_nmi(void);        /* opens GIF for a moment */
void host_halt(bool interrupts); /* sleeps until an interrupt or, without them, an NMI */
