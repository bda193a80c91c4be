/* VM exits: what the guest may not do by itself. The guest's registers are gathered in a frame, as in the stubs. */
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/fatal.h"
#include "pmu/reference/monitor/guest/control.h"
#include "pmu/reference/monitor/guest/copied.h"
#include "pmu/reference/monitor/guest/deliver.h"
#include "pmu/reference/monitor/guest/emulate.h"
#include "pmu/reference/monitor/guest/guest.h"
#include "pmu/reference/monitor/guest/guest_memory.h"
#include "pmu/reference/monitor/guest/look.h"
#include "pmu/reference/monitor/guest/patch.h"
#include "pmu/reference/monitor/guest/shown.h"
#include "pmu/reference/monitor/guest/time.h"
#include "pmu/reference/monitor/run/apic_page.h"
#include "pmu/reference/monitor/run/bios.h"
#include "pmu/reference/monitor/run/enter.h"
#include "pmu/reference/monitor/run/intercept.h"
#include "pmu/reference/monitor/run/silence.h"
#include "pmu/reference/monitor/run/sleep.h"
#include "pmu/reference/monitor/run/startup.h"
#include "pmu/reference/monitor/run/stray.h"
#include "pmu/reference/monitor/step/blocks.h"
#include "pmu/reference/monitor/step/foreign.h"
#include "pmu/reference/monitor/step/shadow.h"
#include "pmu/reference/monitor/step/step.h"
#include "pmu/reference/monitor/step/transition.h"
#include "pmu/reference/monitor/vmrun.h"

extern const u8 host_halt_awake[];
void host_trap(struct frame *f); /* called by the host's stubs */
/* And by vmrun.asm: one VM exit. `f` holds the guest's registers and is written back. */
void monitor_exit(struct vcpu *v, struct frame *f);

static bool within(u64 rip, const u8 *start, const u8 *end)
{
    return rip >= (u64)start && rip < (u64)end;
}

void host_trap(struct frame *f)
{
    struct vcpu *v = vcpu_here();
    if (guest_copy_fault(f) || copied_fault(v, f) || blocks_faulted(v, f))
        return;
    if (f->vector == VECTOR_NMI || f->vector == VECTOR_MC) {
        v->host_nmi |= f->vector == VECTOR_NMI;
        v->pending.machine_check |=
            f->vector == VECTOR_MC; /* for the guest to handle, whether it or the monitor was running */
        if (within(f->rip, (const u8 *)(u64)host_halt, host_halt_awake))
            f->rip = (u64)host_halt_awake; /* it came just before HLT, which would sleep on */
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

static void store_frame(struct vcpu *v, const struct frame *f)
{
    struct vmcb *c = v->vmcb;
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

/* RDMSR, WRMSR, RDPMC, CPUID outside stepping, or right after an instruction that shadows its trap. */
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

/* RDTSC or RDTSCP: of any operand size, and of 16-bit code as well. */
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
 * The IRET that ends a virtual NMI. The stub's own way out passes here too, and ends none: emulated, it leaves the
 * guest at an instruction of its own, where what waits can be delivered. This image has 64-bit IRETs only.
 */
static void native_iret(struct vcpu *v, struct frame *f)
{
    if (is_foreign(v) && !shadow_code(f->rip)) { /* of any operand size: the CPU does it, and traps behind it */
        v->returning = true;
        v->alone_tf = v->guest_tf;
        f->rflags |= RFLAGS_TF;
        return;
    }
    bool ours = shadow_code(f->rip), blocked = v->nmi_blocked && ours;
    if (ours)
        emulate_return(v, f, (const u64 *)f->rsp); /* on a stack of ours */
    else
        emulate_iretq(v, f);
    v->nmi_blocked = blocked;
}

/* Stepping by exit: the CPU would push TF, so INT n is executed here. A patched access is one of them. */
static void software_interrupt(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v))
        step_interrupted(v, f);
    step_look(v, f);
    struct instruction i = *v->current;
    enum emulated emulated = emulate(v, f, &i);
    note_hang(v, emulated);
    if (emulated == EMULATED_NOT && (i.kind == KIND_RDMSR || i.kind == KIND_WRMSR))
        emulate_natively(v, f, &i); /* patched, and not the model's */
}

/* Between two tests: nothing of the one before may reach the next. */
static void call_rearm(struct vcpu *v)
{
    v->pending.any = 0;
    v->nmi_blocked = false;
    v->forced = false;
    monitor_reset_model(v);
}

/* Another kernel, with a clock of its own if it can have one. */
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

/* From this image or from the in-guest half, whose own instructions are nobody's to count. */
static void call(struct vcpu *v, struct frame *f)
{
    enum monitor_call code = (enum monitor_call)f->rax;
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
        v->in_stub = 0; /* whatever it was at has come to its end */
        v->pending.init = true;
        break;
    case CALL_HOST:
        call_host(v, f, (const struct monitor_guest *)f->rdi);
        break;
    }
}

/* DR6.BS is sticky: what a trap of ours has left there, a foreign kernel's own handler would take for a single step. */
static void debug_exception(struct vcpu *v, struct frame *f)
{
    bool alone = v->apic.open || v->returning;
    if (v->apic.open)
        apic_page_close(v, f);
    if (v->returning)
        v->nmi_blocked = v->returning = false; /* and TF is what it loaded */
    if (is_foreign(v) && !is_stepped(v))
        v->vmcb->dr6 &= ~DR6_BS; /* the trap was ours alone */
    if (is_stepped(v))
        step_completed(v, f);
    else if (alone && v->alone_tf)
        deliver_single_step(v, f);
}

/*
 * An exception while stepping by exit, or the #DB or #UD for which an unstepped guest was let go on for one
 * instruction; the in-guest half never exits for one.
 */
static void exception(struct vcpu *v, struct frame *f, u8 vector)
{
    if (vector == VECTOR_DB) {
        debug_exception(v, f);
        return;
    }
    if (vector == VECTOR_UD && !is_stepped(v)) {
        foreign_sysret(v, f);
        return;
    }
    step_interrupted(v, f);
    if (vector == VECTOR_PF)
        v->vmcb->cr2 = v->vmcb->exit_info2;
    deliver(v, f, vector, v->vmcb->exit_info1);
}

/*
 * What a CPU without SVM does with its instructions: CPUID shows a foreign kernel none. One of them stands where the
 * kernel calls the BIOS.
 */
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

/* An access to CR4 or DR6, of which a bit is virtual. */
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

/* What the in-guest half rests on: this stretch is stepped from outside. */
static void foundations(struct vcpu *v, struct frame *f)
{
    step_interrupted(v, f);
    transition_outside(v);
}

static void nested_fault(struct vcpu *v, struct frame *f)
{
    if (block_cache_holds(v, f->rip)) /* sends it out of the block, to be stepped */
        v->vmcb->event_injection = INJECT_EXCEPTION(VECTOR_GP) | INJECT_ERROR_CODE | INJECT_VALID;
    else if (!apic_page_store(v, f) && !apic_page_fault(v, f) && !stray_fault(v, f))
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
        step_interrupted(v, f); /* RIP is the guest's, and not the in-guest half's */
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

static void (*const handlers[])(struct vcpu *v, struct frame *f) = {
    [EXIT_CPUID] = answer_cpuid,     [EXIT_RDPMC] = answer_rdpmc,     [EXIT_RDTSC] = answer_time,
    [EXIT_RDTSCP] = answer_time,     [EXIT_MSR] = answer_msr,         [EXIT_NMI] = nmi_arrived,
    [EXIT_INTR] = sleep_interrupted, [EXIT_IRET] = native_iret,       [EXIT_INTN] = software_interrupt,
    [EXIT_HLT] = sleep_by_hlt,       [EXIT_MWAIT] = sleep_by_mwait,   [EXIT_VMMCALL] = call,
    [EXIT_DR6_READ] = control,       [EXIT_DR6_WRITE] = control,      [EXIT_CR4_READ] = control,
    [EXIT_CR4_WRITE] = control,      [EXIT_CR0_WRITE] = foundations,  [EXIT_CR3_WRITE] = foundations,
    [EXIT_IDTR_READ] = foundations,  [EXIT_IDTR_WRITE] = foundations, [EXIT_GDTR_WRITE] = foundations,
    [EXIT_TR_WRITE] = foundations,   [EXIT_SHUTDOWN] = shut_down,     [EXIT_NESTED_FAULT] = nested_fault,
    [EXIT_PORT] = silence_ends,
};

/*
 * Acts on what came. Where an exit takes the place of a stepped instruction's trap, step_interrupted() comes first: it
 * accounts for those before it that got no trap of their own (STI and the like).
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

/* ---- What the guest is sent: while unstepped only, or the CPU would push TF of ours into the handler's frame. */

/* A machine check of the machine's own that came while the monitor was running. What is stepped gets it there. */
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

/* Does the table know the state, and does the CPU show it? What it does not know would count wrongly without a sign. */
static void check_state(struct vcpu *v, const struct frame *f, bool inside)
{
    struct state_seen seen = {
        .shadow_idt = is_stepped(v) && shadow_idt_loaded(v),
        .in_stub = v->in_stub,
        .inside = inside,
        .tf = f->rflags & RFLAGS_TF,
    };
    const char *wrong = state_wrong(v->whose, v->running, v->how, &seen);
    if (wrong)
        fatal("reference PMU: %s: %s, %s, after exit 0x%lx at rip=0x%lx", wrong, running_name[v->running],
              is_foreign(v) ? "foreign" : "image", v->vmcb->exit_code, f->rip);
    v->statistics.checked[v->running]++;
}

/* Is what is requested still to come? Where nothing shut it out, it came as the guest ran, or the task priority did. */
static bool shut_out(const struct vcpu *v, const struct frame *f)
{
    bool closed = !(f->rflags & RFLAGS_IF) || v->vmcb->interrupt_shadow;
    return closed && apic_page_tells(APIC_IRR, v->requested_vector);
}

/* Look up what the guest was in. */
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
    if (is_foreign(v) && !v->in_stub && v->requested && !shut_out(v, f))
        v->requested = 0;
    guest_time_exit(v);
}

/*
 * Stepping begins, goes on or ends, as the model wants it now. A guest that is stepped by exit for want of a better way
 * has many instructions executed in its place first, to make up for the exit; where stepping=exit was asked for, none.
 * What is injected takes its frame first, or TF of ours would be in it.
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

/* One exit: look up the state, act on what came, go on in the state that follows. */
void monitor_exit(struct vcpu *v, struct frame *f)
{
    begin_exit(v, f);
    bool was_stepped = is_stepped(v);
    /*
     * The in-guest half itself was interrupted: only note what came; it looks again before the next instruction. Its
     * registers are in the frame instead of the guest's, so nothing may be stepped or delivered on them.
     */
    bool inside = v->in_stub || shadow_code(f->rip);
    dispatch(v, f);
    if (v->vmcb->exit_code == EXIT_IRET) /* its own was emulated: the frame is that of where it has returned to */
        inside = v->in_stub || shadow_code(f->rip);
    if (v->apic.open || v->returning)
        inside = true;                    /* the same instruction again, which now completes; its TF is ours */
    if (v->pending.init && !v->in_stub) { /* what it was in the middle of is no more */
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
