/* SPDX-License-Identifier: BSD-2-Clause */
/* Events built by hand: while the guest is stepped the CPU must not push frames, since our TF would be in them. */
#include "hosting/monitor/guest/deliver.h"
#include "boot/cpu.h"
#include "hosting/monitor/guest/forced.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "reference/step/tables.h"

#define GATE_INTERRUPT 0xe
#define TSS32_ESP0 4
#define TSS_RSP0 4
#define TSS_IST1 36

static u64 tss_base(const struct vcpu *v)
{
    if (is_shadowed(v))
        return v->guest_tr.base;
    /* TR is shared with the host. */
    __asm__ volatile("vmsave %0" : : "a"(v->segments) : "memory");
    return v->segments->tr.base;
}

/* The stack that the gate asks for: one of the IST, the one for CPL 0, or the current one. */
static u64 handler_stack(struct vcpu *v, const struct frame *f, const struct gate *gate)
{
    unsigned ist = FIELD_GET(gate->low, 34, 32);
    u64 rsp = f->rsp;
    if (ist)
        guest_read(v, &rsp, tss_base(v) + TSS_IST1 + 8 * (ist - 1), sizeof(rsp));
    else if (f->cs & 3)
        guest_read(v, &rsp, tss_base(v) + TSS_RSP0, sizeof(rsp));
    return rsp & ~15ull;
}

/* What every gate does to the flags once the handler's frame is built. */
static void enter_handler(struct vcpu *v, struct frame *f, u64 gate_low)
{
    f->rflags &= ~(RFLAGS_TF | RFLAGS_NT | RFLAGS_RF);
    if (FIELD_GET(gate_low, 43, 40) == GATE_INTERRUPT)
        f->rflags &= ~RFLAGS_IF;
    v->guest_tf = false;
}

/*
 * SDM 3A, "Interrupt and Exception Handling" in real-address mode: the table has segment and offset, and only flags, CS
 * and IP are pushed.
 */
static void deliver_real(struct vcpu *v, struct frame *f, u8 vector, u16 flags)
{
    u16 entry[2] = {0, 0}, image[] = {(u16)f->rip, (u16)f->cs, flags};
    u64 sp = guest_stack(v, f->rsp - sizeof(image));
    guest_read(v, entry, guest_idt(v)->base + vector * sizeof(entry), sizeof(entry));
    guest_write(v, guest_linear(v, &v->vmcb->ss, sp), image, sizeof(image));
    f->rsp = sp;
    f->rip = entry[0];
    f->cs = entry[1];
    f->rflags &= ~(RFLAGS_TF | RFLAGS_IF | RFLAGS_AC | RFLAGS_RF);
    v->guest_tf = false;
}

/* Protected mode outside long mode: SDM 3A, "Exception- and Interrupt-Handler Procedures". 32-bit gates only. */
static void deliver_legacy(struct vcpu *v, struct frame *f, u8 vector, u32 error, u32 flags)
{
    u64 gate = 0;
    guest_read(v, &gate, guest_idt(v)->base + vector * sizeof(gate), sizeof(gate));
    u32 image[] = {error, (u32)f->rip, (u32)f->cs, flags, (u32)f->rsp, (u32)f->ss};
    u16 selector = (u16)FIELD_GET(gate, 31, 16);
    bool inward = (selector & 3) < (f->cs & 3);
    unsigned skip = vector_has_error(vector) ? 0 : 1;
    u32 size = (u32)((inward ? 6 : 4) - skip) * sizeof(u32);
    if (inward) {
        u64 stack = 0;
        guest_read(v, &stack, tss_base(v) + TSS32_ESP0, 6);
        f->rsp = (u32)stack;
        f->ss = FIELD_GET(stack, 47, 32);
    }
    load_segments(v, f);
    f->rsp = guest_stack(v, f->rsp - size);
    guest_write(v, guest_linear(v, &v->vmcb->ss, f->rsp), image + skip, size);
    f->rip = FIELD_GET(gate, 15, 0) | FIELD_GET(gate, 63, 48) << 16;
    f->cs = selector;
    enter_handler(v, f, gate);
}

static void build(struct vcpu *v, struct frame *f, u8 vector, u64 error)
{
    struct gate gate = {0, 0};
    u64 rflags = (f->rflags & ~RFLAGS_TF) | (v->guest_tf ? RFLAGS_TF : 0);
    if (!(v->vmcb->efer & EFER_LMA)) {
        if (runs_real(v))
            deliver_real(v, f, vector, (u16)rflags);
        else
            deliver_legacy(v, f, vector, (u32)error, (u32)rflags);
        return;
    }
    guest_read(v, &gate, guest_idt(v)->base + vector * sizeof(gate), sizeof(gate));
    u64 image[] = {error, f->rip, f->cs, rflags, f->rsp, f->ss};
    unsigned skip = vector_has_error(vector) ? 0 : 1;
    u64 size = sizeof(image) - skip * sizeof(u64);
    u64 rsp = handler_stack(v, f, &gate) - size;
    guest_write(v, rsp, image + skip, size);
    f->rsp = rsp;
    f->rip = gate_entry(&gate);
    if (f->cs & 3)
        f->ss = 0;
    f->cs = FIELD_GET(gate.low, 31, 16) & ~3ull;
    enter_handler(v, f, gate.low);
}

void deliver(struct vcpu *v, struct frame *f, u8 vector, u64 error)
{
    if (vector == VECTOR_UD && forced_prefix(v, f))
        return;
    if (is_stepped(v))
        model_delivered(v->model, vector, f->cs & 3, f->rip);
    build(v, f, vector, error);
}

void deliver_software(struct vcpu *v, struct frame *f, u8 vector)
{
    build(v, f, vector, 0);
}

void deliver_gp(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v) || v->in_stub)
        deliver(v, f, 13, 0);
    else
        v->vmcb->event_injection = INJECT_EXCEPTION(13) | INJECT_ERROR_CODE | INJECT_VALID;
}

void deliver_single_step(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v))
        v->guest_bs = true;
    else if (v->exiting)
        v->vmcb->dr6 |= DR6_BS;
    if (is_stepped(v) || v->in_stub)
        deliver(v, f, VECTOR_DB, 0);
    else
        v->vmcb->event_injection = INJECT_EXCEPTION(VECTOR_DB) | INJECT_VALID;
}
