/* SPDX-License-Identifier: BSD-2-Clause */
/* VM exits: what the guest may not do by itself. The guest's registers are gathered in a frame, as in the stubs. */
#include "hosting/monitor/guest/control.h"
#include "hosting/monitor/guest/copied.h"
#include "hosting/monitor/guest/deliver.h"
#include "hosting/monitor/guest/emulate.h"
#include "hosting/monitor/guest/forced.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/look.h"
#include "hosting/monitor/guest/patch.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/guest/shown.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/run/apic_page.h"
#include "hosting/monitor/run/bios.h"
#include "hosting/monitor/run/enter.h"
#include "hosting/monitor/run/intercept.h"
#include "hosting/monitor/run/silence.h"
#include "hosting/monitor/run/sleep.h"
#include "hosting/monitor/run/startup.h"
#include "hosting/monitor/run/stray.h"
#include "hosting/monitor/step/blocks.h"
#include "hosting/monitor/step/foreign.h"
#include "hosting/monitor/step/shadow.h"
#include "hosting/monitor/step/step.h"
#include "hosting/monitor/step/transition.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"

extern const u8 host_halt_awake[];
void host_trap(struct frame *f); /* called by the host's stubs */
/* Called by vmrun.asm at each VM exit. `f` holds the guest's registers and is written back. */
void monitor_exit(struct vcpu *v, struct frame *f);

static bool within(u64 rip, const u8 *start, const u8 *end)
{
    return rip >= (u64)start && rip < (u64)end;
}

void host_trap(struct frame *f)
{
    struct vcpu *v = vcpu_here();
    if (access_fault(f) || copied_fault(v, f) || blocks_faulted(v, f))
        return;
    if (f->vector == VECTOR_NMI || f->vector == VECTOR_MC) {
        v->host_nmi |= f->vector == VECTOR_NMI;
        v->pending.machine_check |=
            f->vector == VECTOR_MC; /* for the guest to handle, whether it or the monitor was running */
        if (within(f->rip, (const u8 *)(u64)host_halt, host_halt_awake))
            f->rip = (u64)host_halt_awake; /* it came just before HLT, which would then go to sleep */
    } else if (f->vector < EXCEPTIONS)
        fatal_fault(f);
    else {
        v->host_vector = (u8)f->vector;
        v->host_irq = true;
        f->rflags &= ~RFLAGS_IF; /* one at a time: a second one would be acknowledged and forgotten */
    }
}

/* ---- The guest's state: VMCB and frame. */

static void load_frame(const struct vmcb *c, struct frame *f)
{
    f->rax = c->rax;
    f->rip = c->rip;
    f->rsp = c->rsp;
    f->rflags = c->rflags;
    f->cs = c->cs.selector;
    f->ss = c->ss.selector;
}

/* The shadow of an STI that exited is over once the guest has moved on: newer versions of TCG restore it at VMRUN. */
static void store_frame(struct vcpu *v, const struct frame *f)
{
    struct vmcb *c = v->vmcb;
    if (f->rip != c->rip)
        c->interrupt_shadow = 0;
    c->rax = f->rax;
    c->rip = f->rip;
    c->rsp = f->rsp;
    c->rflags = f->rflags;
    load_segments(v, f);
}

/* ---- Exits. */

static void note_hang(struct vcpu *v, enum emulated emulated)
{
    v->hangs = emulated == EMULATED_HANGS;
    v->statistics.hung += v->hangs;
}

/* RDMSR, WRMSR, RDPMC, CPUID that exit: while unstepped, or right after an instruction that suppresses its trap. */
static void answer(struct vcpu *v, struct frame *f, enum instruction_kind kind)
{
    if (is_stepped(v))
        step_interrupted(v, f);
    struct instruction i = {.kind = kind, .length = 2};
    patch_site(v, f->rip, kind);
    enum emulated emulated = emulate(v, f, &i);
    note_hang(v, emulated);
    if (emulated == EMULATED_NOT)
        fatal("reference PMU: cannot answer exit 0x%lx at rip=0x%lx bytes=%s", v->vmcb->exit_code, f->rip,
              shown(v, f).bytes);
}

/* RDTSC or RDTSCP: with any operand size, and in 16-bit code as well. */
static void answer_time(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v))
        step_interrupted(v, f);
    step_look(v, f);
    struct instruction i = *v->current;
    if (emulate(v, f, &i) != EMULATED)
        fatal("reference PMU: cannot tell the time at rip=0x%lx", f->rip);
}

/*
 * The IRET that ends a virtual NMI. The IRET of the stub exits here, too, and does not end one: it is emulated, so that
 * the guest is at an instruction of its own, where waiting events can be delivered. This image has only 64-bit IRETs.
 */
static void native_iret(struct vcpu *v, struct frame *f)
{
    if (is_foreign(v) && !shadow_code(f->rip)) { /* any operand size: the CPU executes it and traps afterwards */
        v->returning = true;
        v->alone_tf = v->guest_tf;
        f->rflags |= RFLAGS_TF;
        return;
    }
    bool ours = shadow_code(f->rip), blocked = v->nmi_blocked && ours;
    if (ours)
        emulate_return(v, f, (const u64 *)f->rsp); /* on one of our stacks */
    else
        emulate_iretq(v, f);
    v->nmi_blocked = blocked;
}

/* Stepping by exit: the CPU would push TF, so INT n is executed here. A patched access is one, too. */
static void software_interrupt(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v))
        step_interrupted(v, f);
    step_look(v, f);
    struct instruction i = *v->current;
    enum emulated emulated = emulate(v, f, &i);
    note_hang(v, emulated);
    if (emulated == EMULATED_NOT && (i.kind == KIND_RDMSR || i.kind == KIND_WRMSR))
        emulate_natively(v, f, &i); /* patched, and not the model's register */
}

/* Between two tests: nothing of the first may reach the second. */
static void call_rearm(struct vcpu *v)
{
    v->pending.any = 0;
    v->nmi_blocked = false;
    v->forced = false;
    monitor_reset_model(v);
}

/* Another kernel becomes the guest, with a clock of its own if it can have one. */
static void call_host(struct vcpu *v, struct frame *f, const struct monitor_guest *guest)
{
    foreign_enter(v, f, guest);
    if (!keeps_time(v))
        return;
    monitor_intercept_msr(MSR_TIME_STAMP_COUNTER);
    monitor_intercept_msr(MSR_TSC_ADJUST);
    guest_time_start();
    guest_time_init(v);
    apic_page_foreign(v);
}

/* A VMMCALL from this image or from the in-guest half, whose own instructions are never counted. */
static void call(struct vcpu *v, struct frame *f)
{
    u32 code = (u32)f->rax;
    if (is_stepped(v) && !v->in_stub)
        step_interrupted(v, f);
    f->rip += 3;
    f->rax = 0;
    switch (code) {
    case CALL_REARM:
        call_rearm(v);
        break;
    case CALL_LEAVE_STUB:
        transition_leave_stub(v);
        break;
    case CALL_COUNT_BEGIN:
        v->statistics.retired = 0;
        v->forced = true;
        break;
    case CALL_COUNT_END:
        v->forced = false;
        f->rax = v->statistics.retired;
        break;
    case CALL_STEPPING:
        transition_how(v, (enum monitor_stepping)f->rdi);
        break;
    case CALL_MOVED:
        model_moved(v->model);
        break;
    case CALL_IDT:
        f->rax = guest_idt(v)->base;
        guest_idt(v)->base = f->rdi;
        break;
    case CALL_APIC_CLOSE:
        apic_page_close(v, f);
        break;
    case CALL_APIC_WRITE:
        apic_page_set((u32)(f->rdi >> 32), (u32)f->rdi);
        break;
    case CALL_APIC_READ:
        f->rax = apic_page_read((u32)f->rdi);
        break;
    case CALL_APIC_MODE:
        apic_page_mode(v, f->rdi & MODE_HAS_PAGE, f->rdi & MODE_FORGETS);
        break;
    case CALL_NOTHING:
        break;
    case CALL_STRAY:
        stray_look(v, f);
        break;
    case CALL_STARTUP:
        startup_send(v, (u32)f->rdi);
        break;
    case CALL_PARK:
        v->in_stub = 0; /* whatever it was doing is over */
        v->pending.init = true;
        break;
    case CALL_HOST:
        call_host(v, f, (const struct monitor_guest *)f->rdi);
        break;
    }
}

/* DR6.BS is sticky: a foreign kernel's handler would take what our trap has left there for a single step. */
static void debug_exception(struct vcpu *v, struct frame *f)
{
    bool alone = v->apic.open || v->returning;
    if (v->apic.open)
        apic_page_close(v, f);
    if (v->returning)
        v->nmi_blocked = v->returning = false; /* TF is as the IRET has loaded it */
    if (is_foreign(v) && !is_stepped(v))
        v->vmcb->dr6 &= ~DR6_BS; /* this trap was only ours */
    if (is_stepped(v))
        step_completed(v, f);
    else if (alone && v->alone_tf)
        deliver_single_step(v, f);
}

/*
 * An exception while stepping by exit, or the #DB or #UD for which an unstepped guest was let execute one instruction;
 * exceptions in the in-guest half never exit.
 */
static void exception(struct vcpu *v, struct frame *f, u8 vector)
{
    if (vector == VECTOR_DB) {
        debug_exception(v, f);
        return;
    }
    if (vector == VECTOR_UD && !is_stepped(v)) {
        if (!forced_prefix(v, f))
            foreign_sysret(v, f);
        return;
    }
    step_interrupted(v, f);
    if (vector == VECTOR_PF)
        v->vmcb->cr2 = v->vmcb->exit_info2;
    deliver(v, f, vector, v->vmcb->exit_info1);
}

/* CPUID shows a foreign kernel no SVM, so SVM's instructions raise #UD. A VMMCALL may be the hook in the BIOS. */
static void undefined(struct vcpu *v, struct frame *f)
{
    if (v->vmcb->exit_code == EXIT_VMMCALL && bios_called(v, f))
        return;
    if (is_stepped(v)) {
        step_interrupted(v, f);
        deliver(v, f, VECTOR_UD, 0);
    } else {
        v->vmcb->event_injection = INJECT_EXCEPTION(VECTOR_UD) | INJECT_VALID;
    }
}

/* An access to CR4 or DR6, each of which has a virtual bit. */
static void control(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v))
        step_interrupted(v, f);
    u64 rip = f->rip;
    if (!control_access(v, f))
        fatal("reference PMU: an access to CR4 or DR6 that cannot be followed, at rip=0x%lx bytes=%s", f->rip,
              shown(v, f).bytes);
    if (v->guest_tf && f->rip != rip)
        deliver_single_step(v, f);
}

/* The guest changes what the in-guest half relies on: the rest of this stretch is stepped by exit. */
static void foundations(struct vcpu *v, struct frame *f)
{
    step_interrupted(v, f);
    transition_outside(v);
}

static void nested_fault(struct vcpu *v, struct frame *f)
{
    if (block_cache_holds(v, f->rip)) /* the fault leaves the block, and the instruction is stepped */
        v->vmcb->event_injection = INJECT_EXCEPTION(VECTOR_GP) | INJECT_ERROR_CODE | INJECT_VALID;
    else if (!apic_page_stored(v, f) && !apic_page_fault(v, f) && !stray_fault(v, f))
        fatal("reference PMU: nested page fault at 0x%lx, rip=0x%lx bytes=%s", v->vmcb->exit_info2, f->rip,
              shown(v, f).bytes);
}

static void shut_down(struct vcpu *v, struct frame *f)
{
    fatal("reference PMU: the guest's CPU %u shut down: a third fault at rip=0x%lx bytes=%s", v->cpu, f->rip,
          shown(v, f).bytes);
}

static void nmi_arrived(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v) && !v->in_stub && !shadow_code(f->rip))
        step_interrupted(v, f); /* RIP is the guest's, not the in-guest half's */
    sleep_nmi(v, f);
}

static void answer_cpuid(struct vcpu *v, struct frame *f)
{
    answer(v, f, KIND_CPUID);
}

static void answer_rdpmc(struct vcpu *v, struct frame *f)
{
    answer(v, f, KIND_RDPMC);
}

static void answer_msr(struct vcpu *v, struct frame *f)
{
    answer(v, f, v->vmcb->exit_info1 & 1 ? KIND_WRMSR : KIND_RDMSR);
}

static void sleep_by_hlt(struct vcpu *v, struct frame *f)
{
    sleep_begin(v, f, 1);
}

static void sleep_by_mwait(struct vcpu *v, struct frame *f)
{
    model_slept(v->model);
    sleep_begin(v, f, 3);
}

#define PORT_IN BIT(0)
#define PORT_OF(info) ((u16)FIELD_GET(info, 31, 16))

/*
 * An OUT by which firmware is asked for an SMI: the model's comes once it has retired. The machine gets the command
 * only from a foreign kernel, for which it may do something else, too. AMD64 APM 2, "IOIO Intercept".
 */
static void ask_for_smi(struct vcpu *v, struct frame *f)
{
    u64 rip = f->rip;
    if (is_stepped(v))
        step_interrupted(v, f);
    if (is_foreign(v))
        outb(PORT_OF(v->vmcb->exit_info1), (u8)f->rax);
    f->rip = v->vmcb->exit_info2;
    retire(v, f, RETIRED_PLAIN, rip, f->cs & 3, false);
    model_smi_asked(v->model);
}

static void port(struct vcpu *v, struct frame *f)
{
    u64 info = v->vmcb->exit_info1;
    if (smi_port() && PORT_OF(info) == smi_port() && !(info & PORT_IN))
        ask_for_smi(v, f);
    else
        silence_ends(v, f);
}

static void (*const handlers[])(struct vcpu *v, struct frame *f) = {
    [EXIT_CPUID] = answer_cpuid,
    [EXIT_RDPMC] = answer_rdpmc,
    [EXIT_RDTSC] = answer_time,
    [EXIT_RDTSCP] = answer_time,
    [EXIT_MSR] = answer_msr,
    [EXIT_NMI] = nmi_arrived,
    [EXIT_INTR] = sleep_interrupted,
    [EXIT_IRET] = native_iret,
    [EXIT_INTN] = software_interrupt,
    [EXIT_HLT] = sleep_by_hlt,
    [EXIT_MWAIT] = sleep_by_mwait,
    [EXIT_VMMCALL] = call,
    [EXIT_DR6_READ] = control,
    [EXIT_DR6_WRITE] = control,
    [EXIT_CR4_READ] = control,
    [EXIT_CR4_WRITE] = control,
    [EXIT_CR0_WRITE] = foundations,
    [EXIT_CR3_WRITE] = foundations,
    [EXIT_IDTR_READ] = foundations,
    [EXIT_IDTR_WRITE] = foundations,
    [EXIT_GDTR_WRITE] = foundations,
    [EXIT_TR_WRITE] = foundations,
    [EXIT_SHUTDOWN] = shut_down,
    [EXIT_NESTED_FAULT] = nested_fault,
    [EXIT_PORT] = port,
};

/*
 * Acts on the exit. If the exit comes instead of a stepped instruction's trap, step_interrupted() comes first: it
 * reports the instructions before that had no trap of their own (STI and the like).
 */
static void dispatch(struct vcpu *v, struct frame *f)
{
    u64 code = v->vmcb->exit_code;
    if (is_foreign(v) && !v->in_stub && code >= EXIT_VMRUN && code <= EXIT_SKINIT)
        undefined(v, f);
    else if (code >= EXIT_EXCEPTION && code < EXIT_INTR)
        exception(v, f, (u8)(code - EXIT_EXCEPTION));
    else if (code < ARRAY_SIZE(handlers) && handlers[code])
        handlers[code](v, f);
    else
        fatal("reference PMU: unexpected VM exit 0x%lx at rip=0x%lx bytes=%s", code, f->rip, shown(v, f).bytes);
}

/* ---- Injected events: only while unstepped, or the CPU would push our TF into the handler's frame. */

/* A real machine check that came while the monitor was running. A stepped guest gets it in step.c. */
static void inject_machine_check(struct vcpu *v)
{
    v->pending.machine_check = false;
    v->vmcb->event_injection = INJECT_EXCEPTION(VECTOR_MC) | INJECT_VALID;
}

static void inject_nmi(struct vcpu *v)
{
    v->pending.nmi = false;
    v->nmi_blocked = true;
    v->vmcb->event_injection = INJECT_NMI | INJECT_VALID;
}

/* Is the state in the table, and does the CPU show it? Any other state would count wrongly without a sign. */
static void check_state(struct vcpu *v, const struct frame *f, bool inside)
{
    struct state_seen seen = {
        .shadow_idt = is_stepped(v) && shadow_idt_loaded(v),
        .in_stub = v->in_stub,
        .inside = inside,
        .tf = f->rflags & RFLAGS_TF || v->untrapped,
    };
    const char *wrong = state_wrong(v->whose, v->running, v->how, &seen);
    if (wrong)
        fatal("reference PMU: %s: %s, %s, after exit 0x%lx at rip=0x%lx", wrong, running_name[v->running],
              is_foreign(v) ? "foreign" : "image", v->vmcb->exit_code, f->rip);
    v->statistics.checked[v->running]++;
}

/* Gathers the state of the guest. */
static void begin_exit(struct vcpu *v, struct frame *f)
{
    v->exiting = true;
    load_frame(v->vmcb, f);
    v->vmcb->event_injection = 0;
    v->vmcb->tlb_control = 0;
    v->statistics.exits++;
    sleep_exit(v, f);
    if (!is_stepped(v))
        v->guest_tf = f->rflags & RFLAGS_TF;
    if (is_foreign(v))
        silence_look(v, f);
    if (is_foreign(v) && !v->in_stub)
        step_forget_arrived(v);
    guest_time_exit(v);
}

/*
 * Begins, continues or ends stepping, as the model wants it now. A guest that is stepped by exit only because the
 * in-guest half cannot run has many instructions executed in its place first, to make up for the cost of the exit; with
 * stepping=exit, none. An injected event takes its frame before stepping begins, or our TF would be in it.
 */
static void continue_stepping(struct vcpu *v, struct frame *f, bool was_stepped)
{
    if (was_stepped && is_stepped(v)) {
        if (v->running == RUN_BY_EXIT && is_foreign(v))
            step_run(v, f);
        guest_time_poll(v);
        step_begin(v, f);
    } else if (!v->vmcb->event_injection) {
        step_start_if_needed(v, f);
        if (is_stepped(v) && v->idle.behind) {
            sleep_stepped(v, f);
            step_begin(v, f);
        }
    }
}

static void inject_pending(struct vcpu *v)
{
    const struct vmcb *c = v->vmcb;
    if (v->pending.machine_check && !c->event_injection)
        inject_machine_check(v);
    if (!v->returning && v->pending.nmi && !v->nmi_blocked && !c->event_injection)
        inject_nmi(v);
}

/* One exit: gathers the state, acts on the exit, continues in the state that follows. */
void monitor_exit(struct vcpu *v, struct frame *f)
{
    begin_exit(v, f);
    bool was_stepped = is_stepped(v);
    /*
     * The in-guest half itself was interrupted: only record the event; it looks again before the next instruction. The
     * frame has its registers instead of the guest's, so nothing may be stepped or delivered on them.
     */
    bool inside = v->in_stub || shadow_code(f->rip);
    dispatch(v, f);
    if (v->vmcb->exit_code == EXIT_IRET) /* the in-guest half's IRET was emulated: the frame is behind it */
        inside = v->in_stub || shadow_code(f->rip);
    if (v->apic.open || v->returning)
        inside = true;                    /* the same instruction again, which can now complete; TF is ours */
    if (v->pending.init && !v->in_stub) { /* whatever was interrupted is gone */
        startup_wait(v, f);
        apic_page_foreign(v);
        v->vmcb->event_injection = 0;
        was_stepped = inside = false;
    }
    if (v->hangs && !v->pending.nmi)
        v->hangs = false; /* the same access again, which exits again */
    else if (!inside)
        continue_stepping(v, f, was_stepped);
    if (!inside && !is_stepped(v))
        inject_pending(v);
    guest_time_enter(v);
    intercepts_set(v, inside);
    stray_look(v, f);
    check_state(v, f, inside);
    store_frame(v, f);
    v->exiting = false;
}
