/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every event arrives here: a #DB is a step; INT3 at a site is answered; INT VECTOR_CALL is a call of the stepper; all
 * else is passed to the program's own handler, on a frame as the CPU would have built it.
 */
#include "kernel/firmware/power.h"
#include "kernel/register/instructions.h"
#include "reference/step/access.h"
#include "reference/step/interpreter/interpret.h"
#include "reference/step/trap/sites.h"
#include "reference/step/trap/stepped.h"

#define CODE_OUT_DX_AL 0xeeu
#define OUT_LENGTH 1

void step_event(struct stepped *s, struct frame *f); /* called by the gates */

/* ---- Events while the stepper itself runs. */

static void bring_back(struct stepped *s, struct frame *f)
{
    if (!s->woken)
        s->woken_tf = s->stepping ? s->program_tf : f->rflags & RFLAGS_TF;
    s->woken = true;
    f->rflags |= RFLAGS_TF;
}

/*
 * An NMI or a machine check inside, or on the way in or out: the program gets it at its next boundary. The stepper may
 * already have looked for such events, so TF in the program's frame brings it back after one instruction.
 */
static bool arrived_inside(struct stepped *s, const struct frame *f)
{
    bool nmi = f->vector == VECTOR_NMI;
    if ((!nmi && f->vector != VECTOR_MC) || (s->inside == 1 && !shadow_code(f->rip)))
        return false;
    s->pending.nmi |= nmi;
    s->pending.machine_check |= !nmi;
    bring_back(s, s->inside == 1 ? shadow_frame(f->rsp) : (struct frame *)s->frame);
    return true;
}

/* TF as unstepped code has it: read before it is asked whether an NMI has just set it. */
static bool own_trap_flag(const struct stepped *s, const struct frame *f)
{
    bool tf = f->rflags & RFLAGS_TF;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return s->woken ? s->woken_tf : tf;
}

/* ---- Sites. */

/* An OUT by which firmware is asked for an SMI: the model's comes once it has retired. */
static void port(struct stepped *s, struct frame *f)
{
    emulated_plain(s, f, OUT_LENGTH);
    if ((u16)f->rdx == smi_port())
        model_smi_asked(s->model);
    else
        outb((u16)f->rdx, (u8)f->rax);
}

/* A load or store of the local APIC's page, by a MOV of 32 bits. */
static void page_access(struct stepped *s, struct frame *f)
{
    const struct operation *o = &s->at->operation;
    u32 offset = (u32)(operation_address(o, f) - s->apic.page);
    if (o->to == OPERAND_MEMORY) {
        apic_store(s, offset, (u32)*frame_register(f, o->from_register));
        model_apic_written(s->model);
    } else {
        *frame_register(f, o->to_register) = apic_load(s, offset);
    }
    emulated_plain(s, f, o->length);
}

static void site(struct stepped *s, struct frame *f)
{
    step_look(s, f);
    const struct instruction *i = s->current;
    unsigned length = sleep_length(s);
    s->statistics.accesses++;
    if (length)
        sleep_begin(s, f, length);
    else if ((u8)s->at->bytes[0] == CODE_OUT_DX_AL)
        port(s, f);
    else if (i->kind == KIND_PLAIN)
        page_access(s, f);
    else if (emulate(s, f, i) == EMULATED_NOT)
        emulate_natively(s, f, i);
}

/* ---- All others. */

static void call(struct stepped *s, struct frame *f)
{
    u64 argument = f->rdi;
    switch ((u32)f->rax) {
    case CALL_REARM:
        machine_reset(s);
        break;
    case CALL_STEPPING:
        s->way = (enum way)argument;
        break;
    case CALL_COUNT_BEGIN:
        s->statistics.retired = 0;
        s->forced = true;
        break;
    case CALL_COUNT_END:
        s->forced = false;
        f->rax = s->statistics.retired;
        break;
    case CALL_LEAVE:
        s->leaving = true;
        break;
    case CALL_MOVED:
        model_moved(s->model);
        break;
    case CALL_IDT:
        f->rax = s->program_idt.base;
        s->program_idt.base = argument;
        break;
    }
}

/* Instead of a step's trap: the instruction itself if it was INT n, else an exception or interrupt. */
static void pass_on(struct stepped *s, struct frame *f)
{
    bool software = s->stepping && s->current->kind == KIND_INT && s->current->vector == f->vector &&
                    f->rip == s->current_rip + s->current->length;
    if (software) {
        retire(s, f, RETIRED_FAR_BRANCH, s->current_rip, s->current_cpl, true);
        deliver_software(s, f, (u8)f->vector);
        return;
    }
    if (s->stepping && f->vector >= EXCEPTIONS) {
        s->requested = 0;
        model_interrupted(s->model, f->cs & 3);
    }
    deliver(s, f, (u8)f->vector, f->error);
}

/* Is it a site? One that is decoded is known; the program's own INT3 is KIND_INT. */
static bool is_site(struct stepped *s, u64 rip)
{
    const struct decoded *known = decoded_place(s->decoded, rip);
    bool decoded = known->rip == rip && known->steady && known->instruction.kind != KIND_INT;
    return decoded ? site_patched(rip) : site_at(rip);
}

static void event(struct stepped *s, struct frame *f)
{
    bool at_site = f->vector == VECTOR_BP && is_site(s, f->rip - 1);
    f->rip -= at_site;
    if (s->stepping)
        step_interrupted(s, f);
    if (at_site)
        site(s, f);
    else if (f->vector == VECTOR_BP && site_gone(f->rip - 1))
        f->rip--;
    else if (f->vector == VECTOR_NMI)
        s->pending.nmi = true;
    else if (f->vector == VECTOR_CALL && !(f->cs & 3))
        call(s, f);
    else
        pass_on(s, f);
}

/*
 * A requested interrupt has had its chance once an instruction has run with IF set and a lower task priority, but not
 * the one after STI: its trap comes with IF set and before the interrupt. Until then nothing is executed in the
 * program's place, or the interrupt would come hundreds of instructions late.
 */
static void requested_passes(struct stepped *s, const struct frame *f)
{
    if (s->requested && f->rflags & RFLAGS_IF && s->current->kind != KIND_SHADOW &&
        s->requested_vector >> 4 > read_cr8())
        s->requested--;
}

void step_event(struct stepped *s, struct frame *f)
{
    if (arrived_inside(s, f) || access_fault(f))
        return;
    if (s->inside > 1)
        machine_fatal(s, f);
    if (!s->stepping)
        s->program_tf = own_trap_flag(s, f);
    if (f->vector == VECTOR_DB && s->stepping) {
        requested_passes(s, f);
        step_completed(s, f);
        step_run(s, f);
    } else if (f->vector != VECTOR_DB || s->program_tf) { /* else this #DB only brought us back */
        event(s, f);
    }
    step_resume(s, f);
}
