/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/interrupt/interrupt.h"
#include "kernel/core/memory.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"

/* So many interrupts without a handler are a storm: the guarded call ends, so that its source may stop. */
#define UNEXPECTED_STORM 100000

struct extable_row {
    u64 instruction, fixup;
};
extern const struct extable_row __start_extable[], __stop_extable[];
extern const u8 guard_abort[], ring3_back[];
bool guard_enter(struct guard_context *context, void (*function)(void *), void *argument); /* guard.asm */
/*
 * Called by the stubs. Returns whether the CPU must return without IRET: the interrupted code was an NMI handler, and
 * IRET would unblock NMIs while its stack is in use. SDM 3A, "Handling Multiple NMIs".
 */
bool trap(struct frame *frame);

struct interrupt_counts interrupt_counts(void)
{
    return cpu_state()->counts;
}

struct interrupt_counts interrupt_counts_of(u32 cpu)
{
    return cpu_state_of(cpu)->counts;
}

const struct strays *interrupt_strays_of(u32 cpu)
{
    return &cpu_state_of(cpu)->strays;
}

void interrupt_foreign_nmi(void)
{
    cpu_state()->counts.foreign_nmis++;
}

static bool fixed_up(struct frame *frame)
{
    for (const struct extable_row *row = __start_extable; row < __stop_extable; row++) {
        if (row->instruction != frame->rip)
            continue;
        frame->rax = FAULT(frame->vector, frame->error);
        frame->rip = row->fixup;
        return true;
    }
    return false;
}

/* Ends all interrupts that the local APIC still holds in service: they would block later ones for ever. */
static void end_of_all_interrupts(void)
{
    for (unsigned vector = 255; vector >= EXCEPTIONS; vector--) /* highest first: EOI ends the highest in service */
        if (apic_present() && apic_in_service((u8)vector))
            apic_eoi();
}

/* Rewrites the frame so that its IRET goes to `rip` on the kernel's stack `rsp` at CPL 0 with interrupts off. */
static void leave_to(struct frame *frame, const u8 *rip, u64 rsp)
{
    frame->rip = (u64)rip;
    frame->rsp = rsp;
    frame->cs = SELECTOR_CODE;
    frame->ss = SELECTOR_DATA;
    frame->rflags = RFLAGS_FIXED;
}

/* Ends the guarded call and stores the state of the interrupted code; `why` has the reason. */
static void end_guarded(struct cpu_state *self, struct frame *frame, struct guard_result why)
{
    self->result = why;
    self->result.cpu = self->index;
    self->result.rip = frame->rip;
    self->result.msr = (u32)frame->rcx;
    self->result.frame = *frame;
    guard_copy_stack(frame->rsp, self->result.stack, ARRAY_SIZE(self->result.stack));
    end_of_all_interrupts();
    self->guarded = false;
    frame->rdi = (u64)&self->guard;
    leave_to(frame, guard_abort, self->guard.rsp);
}

void interrupt_end_guarded(struct frame *frame)
{
    struct cpu_state *self = cpu_state();
    if (!cpu_index() && frame->vector == VECTOR_MC)
        log_interrupted(); /* a machine check is not the fault of the code that was running */
    else if (!cpu_index())
        log_sink_faulted();
    if (!self || !self->guarded)
        fatal_fault(frame);
    u64 address = frame->vector == VECTOR_PF ? read_cr2() : 0;
    end_guarded(self, frame, (struct guard_result){.fault = FAULT(frame->vector, frame->error), .address = address});
}

static void exception(struct frame *frame)
{
    if (!fixed_up(frame))
        interrupt_end_guarded(frame);
}

static void ring3_return(struct cpu_state *self, struct frame *frame)
{
    leave_to(frame, ring3_back, self->ring3_rsp);
}

static void unexpected(struct cpu_state *self, struct frame *frame)
{
    self->counts.unexpected++;
    self->counts.stray = (u8)frame->vector;
    stray_note(&self->strays, (u8)frame->vector, frame->rip);
    if (apic_present() && apic_in_service((u8)frame->vector))
        apic_eoi();
    if (self->counts.unexpected % UNEXPECTED_STORM == 0 && self->guarded)
        end_guarded(self, frame, (struct guard_result){.storm = true});
}

/* Another CPU found that this one takes too long and sent an NMI, which cannot be masked. */
static void too_late(struct cpu_state *self, struct frame *frame)
{
    self->abort = false;
    if (self->guarded)
        end_guarded(self, frame, (struct guard_result){.timeout = true});
}

static void dispatch(struct cpu_state *self, struct frame *frame)
{
    interrupt_handler handler = interrupt_handler_of((u8)frame->vector);
    if (frame->vector == VECTOR_NMI && self->abort)
        too_late(self, frame);
    else if (handler)
        handler(frame);
    else if (frame->vector == VECTOR_NMI)
        self->counts.foreign_nmis++;
    else if (frame->vector < EXCEPTIONS)
        exception(frame);
    else if (frame->vector == VECTOR_RING3_RETURN)
        ring3_return(self, frame);
    else
        unexpected(self, frame);
}

static bool handles_nmi(const struct cpu_state *self, const struct frame *frame)
{
    u64 top = self->tss.ist[IST_NMI - 1];
    return frame->vector != VECTOR_NMI && frame->rsp <= top && frame->rsp > top - IST_PAGES * PAGE_SIZE;
}

bool trap(struct frame *frame)
{
    if (!cpu_has_index()) {
        if (frame->vector != VECTOR_NMI)
            fault_at_start(frame);
        return false;
    }
    struct cpu_state *self = cpu_state();
    dispatch(self, frame);
    return handles_nmi(self, frame);
}

struct guard_result guarded_call(void (*function)(void *), void *argument)
{
    struct cpu_state *self = cpu_state();
    u64 flags = read_flags();
    self->result = (struct guard_result){.cpu = self->index};
    self->guarded = true;
    guard_enter(&self->guard, function, argument);
    self->guarded = false;
    msr_record_forget();
    interrupts_restore(flags);
    return self->result;
}
