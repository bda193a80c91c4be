/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single-stepping that counts exactly. The trap flag misses some instructions and reports others twice; each of these
 * is either emulated (emulate.c) or accounted for here, so that every retired instruction is reported once, at its
 * privilege level. Between two traps as many instructions as possible are executed here (interpreter/interpret.h), for
 * a third of what a trap costs.
 *
 * What TF does, on hardware and in emulators: REP string instructions trap after each iteration, and retire when RIP
 * has moved on; MOV SS, POP SS, LSS and in some emulators STI trap with the instruction behind them; PUSHF stores TF,
 * POPF and IRET load the program's own.
 */
#include "kernel/interrupt/apic.h"
#include "kernel/register/instructions.h"
#include "reference/step/access.h"
#include "reference/step/interpreter/interpret.h"
#include "reference/step/trap/sites.h"
#include "reference/step/trap/stepped.h"

#define OPCODE_STI 0xfb
#define RUN_MOST 200 /* instructions for which an interrupt may have to wait */

static bool wanted(const struct stepped *s)
{
    return !s->leaving && (s->forced || model_stepping(s->model));
}

static void set_trap_flag(struct frame *f, bool on)
{
    f->rflags = (f->rflags & ~RFLAGS_TF) | (on ? RFLAGS_TF : 0);
}

static void deliver_pending(struct stepped *s, struct frame *f)
{
    if (s->pending.forced_vector)
        deliver(s, f, s->pending.forced_vector, 0);
    s->pending.forced_vector = 0;
    if (s->pending.machine_check) {
        s->pending.machine_check = false; /* first: another may come meanwhile */
        deliver(s, f, VECTOR_MC, 0);
    }
    if (s->pending.nmi && !s->nmi_blocked) {
        s->pending.nmi = false;
        s->nmi_blocked = true;
        deliver(s, f, VECTOR_NMI, 0);
    }
}

/* Does something wait that the next instruction boundary lets in? */
static bool deliverable(const struct stepped *s)
{
    return s->pending.forced_vector || s->pending.machine_check || (s->pending.nmi && !s->nmi_blocked);
}

/*
 * STI before HLT or MWAIT: executed here as one. STI's own trap would end its shadow, and an interrupt that waits would
 * come before the sleep that it is to end. SDM 2B, "STI".
 */
static bool sleeps_behind_sti(struct stepped *s, struct frame *f)
{
    if (s->current->kind != KIND_SHADOW || (u8)s->at->bytes[0] != OPCODE_STI || s->program_tf)
        return false;
    struct frame next = *f;
    next.rip++;
    step_find(s, &next);
    unsigned length = sleep_length(s);
    if (!length) {
        step_find(s, f);
        return false;
    }
    u64 rip = f->rip++;
    f->rflags |= RFLAGS_IF;
    s->statistics.steps++;
    retire(s, f, RETIRED_PLAIN, rip, f->cs & 3, false);
    step_look(s, f);
    sleep_begin(s, f, length);
    return true;
}

/* Prepares the instruction at f->rip for a step by the CPU, after those before it that are not for the CPU. */
static void begin(struct stepped *s, struct frame *f)
{
    set_trap_flag(f, s->program_tf);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    s->woken = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (;;) {
        deliver_pending(s, f);
        s->stepping = wanted(s);
        if (!s->stepping)
            break;
        step_look(s, f);
        if (sleeps_behind_sti(s, f))
            continue;
        if (s->current->simple || emulate(s, f, s->current) != EMULATED)
            break; /* for the CPU; an access that hangs traps over and over, until an NMI comes */
    }
    set_trap_flag(f, s->stepping || s->program_tf);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Once the local APIC no longer requests it, the interrupt has come while the CPU ran by itself. */
static void forget_arrived(struct stepped *s)
{
    if (s->requested && !apic_tells(s, APIC_IRR, s->requested_vector))
        s->requested = 0;
}

/* An NMI that comes behind the last check sets TF in the frame, and is seen after one instruction. */
void step_resume(struct stepped *s, struct frame *f)
{
    do {
        if (!s->stepping && wanted(s))
            forget_arrived(s);
        begin(s, f);
    } while (deliverable(s));
}

/* ---- Instructions that are executed here. */

/* CPL 3 has fewer rights than we. */
static inline bool run_one(const struct stepped *s, const struct decoded *at, struct frame *f)
{
    return (!(f->cs & 3) || !operation_accesses(&at->operation)) && at->execute(&at->operation, f, s->apic.page);
}

/* Adds the branch at `rip`, which has been executed, to the run. */
static void run_branch(struct stepped *s, struct model_run *run, const struct instruction *i, u64 rip, u64 target)
{
    bool taken = !i->length || target - rip != i->length;
    model_run_branch(run, i->branch, taken);
    if (i->branch == BRANCH_CONDITIONAL && model_predicts(s->model, run->cpl))
        model_run_predict(s->model, run, rip, taken, 1);
}

/*
 * Up to `most`, reported together; branches that may have to be recorded, and repeated string instructions, are
 * reported by themselves. Returns how many.
 */
static u32 run_many(struct stepped *s, struct frame *f, u32 most)
{
    struct model_run run = {.cpl = f->cs & 3, .rip = f->rip};
    bool branches_alone = model_wants_branches(s->model);
    u32 n, loads = 0, stores = 0;
    for (n = 0; n < most && !s->pending.any; n++) {
        u64 rip = f->rip;
        const struct decoded *at = step_decoded(s, rip);
        enum instruction_kind kind = at->instruction.kind;
        if (kind == KIND_REP_STRING || (kind == KIND_BRANCH && branches_alone) || !run_one(s, at, f))
            break;
        loads += !!(at->operand.access & ACCESS_LOAD);
        stores += !!(at->operand.access & ACCESS_STORE);
        if (kind == KIND_BRANCH)
            run_branch(s, &run, &at->instruction, rip, f->rip);
    }
    s->statistics.steps += n;
    s->statistics.retired += n;
    run.instructions = n;
    run.loads = loads;
    run.stores = stores;
    if (n)
        model_retire_run(s->model, &run);
    return n;
}

/* Emulated instructions that do not let an interrupt in, except one that the model requests. */
static bool closed(enum instruction_kind kind)
{
    return kind == KIND_PAUSE || kind == KIND_XBEGIN || kind == KIND_XABORT ||
           (kind >= KIND_CPUID && kind <= KIND_RDPMC);
}

/* One, reported by itself. False: the CPU must execute it. */
static bool run_single(struct stepped *s, struct frame *f)
{
    step_look(s, f);
    u64 rip = f->rip;
    s->statistics.steps++;
    if (closed(s->current->kind))
        return emulate(s, f, s->current) == EMULATED;
    if (!run_one(s, s->at, f))
        return false;
    if (s->current->kind == KIND_REP_STRING && f->rip == rip)
        return true; /* an iteration, not the whole instruction */
    bool taken = !s->current->length || f->rip != rip + s->current->length;
    retire(s, f, instruction_retired(s->current), rip, f->cs & 3, taken);
    return true;
}

/* How many may be reported together, up to `most`: the boundary where an interrupt gets in must not be missed. */
static u32 run_room(const struct stepped *s, u32 most)
{
    u32 room = s->requested ? 0 : model_run_room(s->model);
    return room < most ? room : most;
}

/* Does the CPU take the requested interrupt before the next instruction? `open`: so did IF before the last. */
static bool lets_in(const struct stepped *s, const struct frame *f, bool open)
{
    return s->requested && open && f->rflags & RFLAGS_IF && s->requested_vector >> 4 > read_cr8();
}

/* Within a page of code: an emulator looks up each way to another one. */
__attribute__((aligned(2048))) void step_run(struct stepped *s, struct frame *f)
{
    bool open = true;
    if (s->way == WAY_EACH || s->program_tf)
        return;
    for (u32 done = 0; done < RUN_MOST && wanted(s) && !s->pending.any && !lets_in(s, f, open);) {
        u32 room = run_room(s, RUN_MOST - done), together = room ? run_many(s, f, room) : 0;
        done += together;
        if ((room && together == room) || s->pending.any)
            continue;
        open = f->rflags & RFLAGS_IF;
        if (!run_single(s, f))
            return;
        done++;
    }
}

/* ---- Instructions that the CPU has executed. */

/*
 * STI, MOV SS and LSS may get no trap of their own: it comes after the next instruction. Retires those that RIP has
 * passed, so that `current` is the instruction that completed (a trap) or was about to begin (any other event).
 */
static void catch_up(struct stepped *s, struct frame *f, bool completed)
{
    while (s->current->kind == KIND_SHADOW && f->rip != s->current_rip) {
        u64 next = s->current_rip + s->current->length;
        if (completed && f->rip == next)
            return; /* it did have its own trap */
        retire(s, f, RETIRED_PLAIN, s->current_rip, s->current_cpl, false);
        struct frame at = *f;
        at.rip = next;
        step_look(s, &at);
    }
}

/* TF as the program had it. */
static void mend_pushf(const struct stepped *s, const struct frame *f)
{
    u16 image;
    if (!guest_copy(&image, (const void *)f->rsp, sizeof(image)))
        return;
    image = (u16)((image & ~RFLAGS_TF) | (s->program_tf ? RFLAGS_TF : 0));
    guest_copy((void *)f->rsp, &image, sizeof(image));
}

void step_completed(struct stepped *s, struct frame *f)
{
    s->statistics.steps++;
    s->statistics.traps++;
    catch_up(s, f, true);
    const struct instruction *i = s->current;
    bool taken = !i->length || f->rip != s->current_rip + i->length, tf = s->program_tf;
    if (i->kind == KIND_REP_STRING && f->rip == s->current_rip)
        return; /* an iteration, not the whole instruction */
    if (i->kind == KIND_PUSHF)
        mend_pushf(s, f);
    if (i->kind == KIND_POPF || i->kind == KIND_IRET)
        s->program_tf = f->rflags & RFLAGS_TF;
    if (i->kind == KIND_IRET)
        s->nmi_blocked = false;
    retire(s, f, instruction_retired(i), s->current_rip, s->current_cpl, taken);
    if (tf)
        deliver_single_step(s, f);
}

void step_interrupted(struct stepped *s, struct frame *f)
{
    catch_up(s, f, false);
}
