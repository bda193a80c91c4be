/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The in-guest half: events that arrive on the shadow tables, without a VM exit. A #DB of ours is a step; a patched
 * access is answered; everything else is passed to the guest's own handler, on a frame as the CPU would have built it.
 */
#include "hosting/monitor/guest/copied.h"
#include "hosting/monitor/guest/deliver.h"
#include "hosting/monitor/guest/emulate.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/patch.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/run/silence.h"
#include "hosting/monitor/step/blocks.h"
#include "hosting/monitor/step/shadow.h"
#include "hosting/monitor/step/step.h"
#include "hosting/monitor/vcpu.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/register/instructions.h"

void shadow_trap(struct vcpu *v, struct frame *f); /* called by the stubs */

/* An access that traps here instead of exiting. One that hangs traps over and over, until an NMI comes. */
static bool patched_access(struct vcpu *v, struct frame *f)
{
    struct instruction i = {.kind = KIND_INT, .length = 2, .vector = (u8)f->vector};
    u64 rip = f->rip - i.length;
    patch_undo(&i, rip);
    if (i.kind == KIND_INT)
        return false;
    f->rip = rip;
    if (is_stepped(v))
        step_interrupted(v, f);
    enum emulated emulated = emulate(v, f, &i);
    if (emulated == EMULATED_NOT)
        emulate_natively(v, f, &i);
    v->statistics.accesses += emulated != EMULATED_HANGS;
    return true;
}

/* An event instead of a step's trap: the instruction itself if it was INT n, else an exception or interrupt. */
static void stepped_event(struct vcpu *v, struct frame *f)
{
    step_interrupted(v, f);
    bool software = v->current->kind == KIND_INT && v->current->vector == f->vector &&
                    f->rip == v->current_rip + v->current->length;
    if (software) {
        retire(v, f, RETIRED_FAR_BRANCH, v->current_rip, v->current_cpl, true);
        deliver_software(v, f, (u8)f->vector);
        return;
    }
    if (f->vector >= EXCEPTIONS) {
        v->requested = 0;
        model_interrupted(v->model, f->cs & 3);
    }
    deliver(v, f, (u8)f->vector, f->error);
}

/* The guest's timer may be due. */
static void time_passes(struct vcpu *v)
{
    guest_time_poll(v);
    u32 command = v->timer.due;
    v->timer.due = 0;
    if (command)
        stepper_call(CALL_APIC_WRITE, (u64)APIC_ICR << 32 | command);
}

/* A machine check during another trap, or on the way into one or out: the guest gets it at the next boundary. */
static bool machine_check_inside(struct vcpu *v, const struct frame *f)
{
    if (f->vector != VECTOR_MC || (v->in_stub == 1 && !shadow_code(f->rip)))
        return false;
    v->pending.machine_check = true;
    return true;
}

/*
 * A requested interrupt has had its chance once an instruction has run with IF set and a lower task priority, but not
 * the one after STI: its trap comes with IF set and before the interrupt. Until then nothing is executed in the guest's
 * place, or the interrupt would come thousands of instructions late.
 */
static void requested_passes(struct vcpu *v, const struct frame *f)
{
    if (v->requested && f->rflags & RFLAGS_IF && v->current->kind != KIND_SHADOW &&
        v->requested_vector >> 4 > read_cr8())
        v->requested--;
}

void shadow_trap(struct vcpu *v, struct frame *f)
{
    if (machine_check_inside(v, f))
        return;
    if (f->vector == VECTOR_DB && is_stepped(v)) {
        if (v->apic.open)
            stepper_call(CALL_APIC_CLOSE, 0);
        requested_passes(v, f);
        step_completed(v, f);
        step_run(v, f);
        time_passes(v);
        silence_look_inside(v);
        step_resume(v, f);
        return;
    }
    if (access_fault(f) || copied_fault(v, f) || blocks_faulted(v, f))
        return;
    if (!is_stepped(v))
        v->guest_tf = f->rflags & RFLAGS_TF;
    if (!patched_access(v, f)) {
        if (is_stepped(v))
            stepped_event(v, f);
        else
            deliver(v, f, (u8)f->vector, f->error);
    }
    step_resume(v, f);
}
