/* Events built by hand: while the guest is stepped, the CPU must not push its frames, since TF would leak into them. */
#include "kernel/instructions.h"
#include "pmu/reference/monitor/tables.h"
#include "pmu/reference/monitor/vcpu.h"

#define RFLAGS_TF BIT(8)
#define RFLAGS_IF BIT(9)
#define RFLAGS_NT BIT(14)
#define RFLAGS_RF BIT(16)
#define GATE_INTERRUPT 0xe
#define TSS_RSP0 4
#define TSS_IST1 36

static u64 tss_base(const struct vcpu *v)
{
    if (v->shadowed)
        return v->guest_tr.base;
    /* TR is shared with the host: its descriptor in the guest's GDT tells the base. */
    u64 descriptor[2] = {0, 0};
    guest_copy(descriptor, (const void *)(v->vmcb->gdtr.base + (read_tr() & ~7u)), sizeof(descriptor));
    return FIELD_GET(descriptor[0], 39, 16) | FIELD_GET(descriptor[0], 63, 56) << 24 | descriptor[1] << 32;
}

static bool has_error(u8 vector)
{
    return vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21;
}

/* The stack that the gate asks for: an IST one, the one for CPL 0, or the one in use. */
static u64 handler_stack(struct vcpu *v, const struct frame *f, const struct gate *gate)
{
    unsigned ist = FIELD_GET(gate->low, 34, 32);
    u64 rsp = f->rsp;
    if (ist)
        guest_copy(&rsp, (const void *)(tss_base(v) + TSS_IST1 + 8 * (ist - 1)), sizeof(rsp));
    else if (f->cs & 3)
        guest_copy(&rsp, (const void *)(tss_base(v) + TSS_RSP0), sizeof(rsp));
    return rsp & ~15ull;
}

void deliver(struct vcpu *v, struct frame *f, u8 vector, u64 error)
{
    struct gate gate = {0, 0};
    guest_copy(&gate, (const void *)(guest_idt(v)->base + vector * sizeof(gate)), sizeof(gate));
    u64 rflags = (f->rflags & ~RFLAGS_TF) | (v->guest_tf ? RFLAGS_TF : 0);
    u64 image[] = {error, f->rip, f->cs, rflags, f->rsp, f->ss};
    unsigned skip = has_error(vector) ? 0 : 1;
    u64 size = sizeof(image) - skip * sizeof(u64);
    u64 rsp = handler_stack(v, f, &gate) - size;
    guest_copy((void *)rsp, image + skip, size);
    f->rsp = rsp;
    f->rip = gate_entry(&gate);
    if (f->cs & 3)
        f->ss = 0;
    f->cs = FIELD_GET(gate.low, 31, 16) & ~3ull;
    f->rflags &= ~(RFLAGS_TF | RFLAGS_NT | RFLAGS_RF);
    if (FIELD_GET(gate.low, 43, 40) == GATE_INTERRUPT)
        f->rflags &= ~RFLAGS_IF;
    v->guest_tf = false;
}

void deliver_gp(struct vcpu *v, struct frame *f)
{
    if (v->stepping || v->in_stub)
        deliver(v, f, 13, 0);
    else
        v->vmcb->event_injection = INJECT_EXCEPTION(13) | INJECT_ERROR_CODE | INJECT_VALID;
}
