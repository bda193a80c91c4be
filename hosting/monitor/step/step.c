/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single-stepping that counts exactly. TCG's trap flag misses some instructions and reports others twice; each of these
 * is either emulated (emulate.c) or accounted for here, so that every retired instruction is reported once, at its
 * privilege level. Between two traps as many instructions as possible are executed here (interpret.c), for a third of
 * what a trap costs.
 */
#include "hosting/monitor/step/step.h"
#include "hosting/monitor/guest/deliver.h"
#include "hosting/monitor/guest/emulate.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/hidden.h"
#include "hosting/monitor/guest/look.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/step/blocks.h"
#include "hosting/monitor/step/foreign.h"
#include "hosting/monitor/step/shadow.h"
#include "hosting/monitor/step/system.h"
#include "hosting/monitor/step/transition.h"
#include "hosting/monitor/step/x87.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "reference/step/interpreter/interpret.h"

#define CODE_HLT 0xf4u
#define CODE_MWAIT 0xc9010fu
#define RUN_MOST 200          /* instructions for which an interrupt may have to wait */
#define RUN_MOST_OUTSIDE 2000 /* the same where the instructions have to make up for the cost of an exit */
#define FORWARDED 25          /* factor for these limits in translated blocks */
#define VISIT 1500            /* the cost of leaving a kernel to the CPU, in translated instructions */

/* Logs that code which should be counted is not: once, for all such code. */
static bool left_out(const struct vcpu *v, const struct frame *f)
{
    static bool told;
    if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
        log_line("# host cpu=%u uncounted=0x%lx reason=\"16-bit code in virtual-8086 mode or in a segment with an odd "
                 "number, and what follows it up to the next VM exit, while counters are enabled\"",
                 v->cpu, v->vmcb->cs.base + f->rip);
    return false;
}

/*
 * A foreign kernel need not be stepped while only its program is counted; a program has to be while only its kernel is
 * counted, since nothing exits when it calls the kernel or is interrupted. This image is never long in CPL 3.
 */
static bool wanted(const struct vcpu *v, const struct frame *f)
{
    if (!is_foreign(v))
        return v->forced || model_stepping(v->model);
    bool program = f->cs & 3 && (v->in_stub || !runs_real(v));
    bool wanted = model_stepping_at(v->model, 0) || (program && model_stepping_at(v->model, 3));
    return wanted && !v->in_stub && !runs_steppable(v, f) ? left_out(v, f) : wanted;
}

static void stop(struct vcpu *v, struct frame *f)
{
    f->rflags = (f->rflags & ~RFLAGS_TF) | (v->guest_tf ? RFLAGS_TF : 0);
    transition_stop(v);
}

static void deliver_pending(struct vcpu *v, struct frame *f)
{
    if (!v->pending.any)
        return;
    if (v->pending.init && v->in_stub)
        stepper_call(CALL_PARK, 0); /* outside the guest, pending INIT is looked at anyway */
    if (v->pending.forced_vector)
        deliver(v, f, v->pending.forced_vector, 0);
    v->pending.forced_vector = 0;
    if (v->pending.machine_check) {
        v->pending.machine_check = false; /* first: another may come meanwhile */
        deliver(v, f, VECTOR_MC, 0);
    }
    if (v->pending.nmi && !v->nmi_blocked) {
        v->pending.nmi = false;
        v->nmi_blocked = true;
        deliver(v, f, 2, 0);
    }
}

/* Inside a foreign guest the CPU can access the monitor's memory: checked before it executes the instruction. */
static void look_for_stray(struct vcpu *v, const struct frame *f)
{
    const struct operand *o = &v->at->operand;
    if (!is_foreign(v) || !is_shadowed(v) || !o->access)
        return;
    u64 address = operand_address(o, f);
    if (hidden_has(address))
        hidden_note(v, address, o->access & ACCESS_STORE);
}

/*
 * At an STI, or one of its like, before HLT or MWAIT that exits? It gets no trap then: newer versions of TCG take one
 * behind an STI, after which its shadow is gone, so that the interrupt that is to end the sleep would come before it.
 * SDM 2B, "STI": the next instruction is executed before an interrupt is taken.
 */
static bool leads_to_sleep(struct vcpu *v, const struct frame *f)
{
    if (v->current->kind != KIND_SHADOW || v->guest_tf)
        return false;
    struct frame next = *f;
    next.rip += v->current->length;
    step_find(v, &next);
    u32 code = (u32)v->at->bytes[0];
    step_find(v, f);
    bool mwait_exits = v->vmcb->intercept[1] & (INTERCEPT_MWAIT >> 32);
    return (code & MASK(7, 0)) == CODE_HLT || (mwait_exits && (code & MASK(23, 0)) == CODE_MWAIT);
}

void step_begin(struct vcpu *v, struct frame *f)
{
    for (;;) {
        deliver_pending(v, f);
        if (!wanted(v, f)) {
            stop(v, f);
            return;
        }
        step_look(v, f);
        if (v->current->simple || emulate(v, f, v->current) != EMULATED)
            break; /* to be stepped; an access that hangs exits over and over, until an NMI comes */
    }
    look_for_stray(v, f);
    v->untrapped = leads_to_sleep(v, f);
    f->rflags = (f->rflags & ~RFLAGS_TF) | (v->untrapped ? 0 : RFLAGS_TF);
}

static bool may_run(const struct vcpu *v, const struct frame *f)
{
    const struct operation *o = &v->at->operation;
    if (is_foreign(v) && (o->code == OP_STR || o->code == OP_RDTSC))
        return false; /* it may not be allowed, or show our TSS or time */
    return o->code &&
           (!(f->cs & 3) || v->running == RUN_VIEWED || !operation_accesses(o)); /* CPL 3 has fewer rights than we */
}

/* Executes the instruction in v->at. */
static bool run_one(struct vcpu *v, struct frame *f)
{
    return may_run(v, f) && v->at->execute(&v->at->operation, f, v->apic.page);
}

/* Branches that may have to be recorded, and repeated string instructions, are reported by themselves. */
static bool reported_alone(struct vcpu *v)
{
    enum instruction_kind kind = v->at->instruction.kind;
    return kind == KIND_REP_STRING || (kind == KIND_BRANCH && model_wants_branches(v->model));
}

/* Executes up to `most` instructions, fewer if they lead to a translated block, and reports them together. Returns how
 * many. */
static u32 run_many(struct vcpu *v, struct frame *f, u32 most, struct translated **block)
{
    struct model_run run = {.cpl = f->cs & 3, .rip = f->rip};
    bool predicts = model_predicts(v->model, run.cpl);
    u32 n;
    for (n = 0; n < most && !v->pending.any && !*block; n++) {
        u64 rip = f->rip;
        step_find(v, f);
        if (reported_alone(v) || !(run_one(v, f) || (v->running == RUN_VIEWED && system_run(v, f))))
            break;
        run.loads += !!(v->at->operand.access & ACCESS_LOAD);
        run.stores += !!(v->at->operand.access & ACCESS_STORE);
        const struct instruction *i = &v->at->instruction;
        if (i->kind != KIND_BRANCH)
            continue;
        bool taken = !i->length || f->rip - rip != i->length;
        model_run_branch(&run, i->branch, taken);
        if (predicts && i->branch == BRANCH_CONDITIONAL)
            model_run_predict(v->model, &run, rip, taken, 1);
        *block = block_cache_find(v, f);
    }
    v->statistics.steps += n;
    v->statistics.retired += n;
    run.instructions = n;
    if (n)
        model_retire_run(v->model, &run);
    return n;
}

/* Emulated instructions that do not let an interrupt in, except one that the model requests. */
static bool closed(const struct vcpu *v, enum instruction_kind kind)
{
    bool time = keeps_time(v) && (kind == KIND_RDTSC || kind == KIND_RDTSCP);
    return time || kind == KIND_PAUSE || kind == KIND_XBEGIN || (kind >= KIND_CPUID && kind <= KIND_RDPMC);
}

/* Executes one instruction and reports it. False: the CPU must execute it. */
static bool run_single(struct vcpu *v, struct frame *f)
{
    step_look(v, f);
    u64 rip = f->rip;
    v->statistics.steps++;
    if (closed(v, v->current->kind)) {
        shadow_unguard(v); /* delivering an event looks at the guest's TSS */
        return emulate(v, f, v->current) == EMULATED || (v->running == RUN_VIEWED && system_execute(v, f));
    }
    if (!run_one(v, f))
        return v->running == RUN_VIEWED && system_execute(v, f);
    if (v->current->kind == KIND_REP_STRING && f->rip == rip)
        return true; /* an iteration, not the whole instruction */
    bool taken = !v->current->length || f->rip != rip + v->current->length;
    retire(v, f, instruction_retired(v->current), rip, f->cs & 3, taken);
    return true;
}

static u32 least(u32 a, u32 b)
{
    return a < b ? a : b;
}

/* Executes `enough`, and not more than `most`, from translated blocks, or up to `steps` one by one. Returns how many;
 * 0: the CPU must execute the next one. */
static u32 run_some(struct vcpu *v, struct frame *f, u32 steps, u32 enough, u32 most, u32 *stepped)
{
    u32 room = model_run_room(v->model), done = 0;
    struct translated *block = room ? block_cache_find(v, f) : NULL;
    if (block)
        done = blocks_run(v, f, block, least(room, enough), least(room, most));
    if (done)
        return done;
    block = NULL; /* too near to an overflow, or at something that faults */
    if (room)
        done = run_many(v, f, least(room, steps), &block);
    if (!block && done < steps) {
        if (!run_single(v, f))
            return 0;
        done++;
    }
    *stepped += done;
    return done;
}

/* A SYSRET or IRET may have led to 16-bit code, or to segments that do not begin at 0. */
static bool can_go_on(const struct vcpu *v)
{
    return v->running != RUN_VIEWED || v->code32 || runs_code64(v);
}

/* Does the guest's CPU take the requested interrupt before the next instruction? `open`: so did IF before the last. */
static bool lets_in(const struct vcpu *v, const struct frame *f, bool open)
{
    return v->requested && open && f->rflags & RFLAGS_IF && v->requested_vector >> 4 > read_cr8();
}

/* While a requested interrupt is shut out: one at a time, so that the boundary where it gets in is not missed. */
static u32 run_one_shut_out(struct vcpu *v, struct frame *f, u32 *stepped)
{
    u32 done = run_single(v, f);
    *stepped += done;
    return done;
}

/*
 * Is the next instruction to be executed here? Also a short stretch of a kernel that is not counted: if it returns to a
 * counted program within it, or accesses another of the PMU's registers, that saves leaving the kernel to the CPU and
 * catching it again.
 */
static bool goes_on(const struct vcpu *v, const struct frame *f, u32 *visit)
{
    if (wanted(v, f))
        *visit = 0;
    return !*visit || (v->running == RUN_VIEWED && *visit < VISIT && !(f->cs & 3));
}

/*
 * Executes up to `limit` instructions one by one, and up to FORWARDED times as many in translated blocks. The number
 * decides and not the time: else interrupts would come late where little is translated, which is around overflows. The
 * last eighth is left out, as fewer and fewer blocks could be executed at once.
 */
static void run(struct vcpu *v, struct frame *f, u32 limit)
{
    u32 stepped = 0, all = 0, most = limit * FORWARDED, enough = most - most / 8, done = 1, visit = 1;
    bool open = true;
    while (done && stepped < limit && all < enough && can_go_on(v) && goes_on(v, f, &visit) && !v->pending.any &&
           !lets_in(v, f, open)) {
        u32 stepped_before = stepped;
        open = f->rflags & RFLAGS_IF;
        done = v->requested ? run_one_shut_out(v, f, &stepped)
                            : run_some(v, f, limit - stepped, enough - all, most - all, &stepped);
        all += done;
        visit += stepped == stepped_before ? done : done * FORWARDED;
    }
}

void step_run(struct vcpu *v, struct frame *f)
{
    if (v->how == STEP_BY_EXIT || v->guest_tf)
        return;
    if (v->in_stub) {
        run(v, f, RUN_MOST);
        return;
    }
    load_segments(v, f);
    v->code32 = runs_flat32(v, f);
    if (!v->code32 && !runs_code64(v))
        return;
    guest_view(v);
    transition_view(v);
    run(v, f, RUN_MOST_OUTSIDE);
    shadow_unguard(v);
    transition_view_end(v);
}

void step_forget_arrived(struct vcpu *v)
{
    if (v->requested && !apic_page_tells(APIC_IRR, v->requested_vector))
        v->requested = 0;
}

void step_start_if_needed(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v) || !wanted(v, f))
        return;
    step_forget_arrived(v);
    v->guest_tf = f->rflags & RFLAGS_TF;
    transition_start(v, v->how != STEP_BY_EXIT && (!is_foreign(v) || foreign_can_shadow(v, f)));
    step_begin(v, f);
}

void step_resume(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v)) {
        step_begin(v, f);
    } else {
        deliver_pending(v, f);
        step_start_if_needed(v, f);
    }
    if (iret_must_exit(v, true) != v->iret_exits)
        stepper_call(CALL_NOTHING, 0);
    if (v->stray.noted)
        stepper_call(CALL_STRAY, 0);
}

/*
 * STI, MOV SS and LSS get no trap of their own: it comes after the next instruction. Retires those that RIP has passed,
 * so that `current` is the instruction that completed (a trap) or was about to begin (any other event).
 */
static void catch_up(struct vcpu *v, struct frame *f, bool completed)
{
    while (v->current->kind == KIND_SHADOW && f->rip != v->current_rip) {
        u64 next = v->current_rip + v->current->length;
        if (completed && f->rip == next)
            return; /* it did have its own trap */
        retire(v, f, RETIRED_PLAIN, v->current_rip, v->current_cpl, false);
        struct frame at = *f;
        at.rip = next;
        step_look(v, &at);
    }
}

static void mend_pushf(struct vcpu *v, const struct frame *f)
{
    u16 image;
    u64 at = v->in_stub ? f->rsp : guest_linear(v, &v->vmcb->ss, guest_stack(v, f->rsp));
    if (!guest_read(v, &image, at, sizeof(image)))
        return;
    image = (u16)((image & ~RFLAGS_TF) | (v->guest_tf ? RFLAGS_TF : 0));
    guest_write(v, at, &image, sizeof(image));
}

void step_completed(struct vcpu *v, struct frame *f)
{
    v->statistics.steps++;
    v->statistics.traps++;
    catch_up(v, f, true);
    const struct instruction *i = v->current;
    bool taken = !i->length || f->rip != v->current_rip + i->length;
    if (i->simple && !v->guest_tf) {
        retire(v, f, instruction_retired(i), v->current_rip, v->current_cpl, taken);
        return;
    }
    if (i->kind == KIND_REP_STRING && f->rip == v->current_rip)
        return; /* an iteration, not the whole instruction */
    bool tf = v->guest_tf;
    if (i->kind == KIND_PUSHF)
        mend_pushf(v, f);
    if (i->kind == KIND_X87_POINTERS)
        x87_mend(v, f);
    if (i->kind == KIND_POPF || i->kind == KIND_IRET)
        v->guest_tf = f->rflags & RFLAGS_TF;
    if (i->kind == KIND_IRET)
        v->nmi_blocked = false;
    retire(v, f, instruction_retired(i), v->current_rip, v->current_cpl, taken);
    if (tf)
        deliver_single_step(v, f);
}

void step_interrupted(struct vcpu *v, struct frame *f)
{
    catch_up(v, f, false);
}
