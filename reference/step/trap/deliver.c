/* SPDX-License-Identifier: BSD-2-Clause */
/* Events go to the program's own handlers on frames built by hand, without the stepper's TF in them. */
#include "boot/cpu.h"
#include "reference/step/access.h"
#include "reference/step/trap/stepped.h"

#define GATE_INTERRUPT 0xe
#define TSS_RSP0 4
#define TSS_IST1 36

/* The stack that the gate asks for: one of the IST, the one for CPL 0, or the current one. */
static u64 handler_stack(const struct stepped *s, const struct frame *f, const struct gate *gate)
{
    unsigned ist = FIELD_GET(gate->low, 34, 32);
    u64 rsp = f->rsp;
    if (ist)
        guest_copy(&rsp, (const void *)(s->program_tss_base + TSS_IST1 + 8 * (ist - 1)), sizeof(rsp));
    else if (f->cs & 3)
        guest_copy(&rsp, (const void *)(s->program_tss_base + TSS_RSP0), sizeof(rsp));
    return rsp & ~15ull;
}

static void build(struct stepped *s, struct frame *f, u8 vector, u64 error);

/* SDM 3A, "Interrupt 8 - Double Fault Exception": its gate has a stack of its own. A third fault ends the run. */
static void no_stack(struct stepped *s, struct frame *f, u8 vector)
{
    if (vector == VECTOR_DF)
        machine_fatal(s, f);
    build(s, f, VECTOR_DF, 0);
}

static void build(struct stepped *s, struct frame *f, u8 vector, u64 error)
{
    struct gate gate = {0, 0};
    u64 rflags = (f->rflags & ~RFLAGS_TF) | (s->program_tf ? RFLAGS_TF : 0);
    guest_copy(&gate, (const void *)(s->program_idt.base + vector * sizeof(gate)), sizeof(gate));
    u64 image[] = {error, f->rip, f->cs, rflags, f->rsp, f->ss};
    unsigned skip = vector_has_error(vector) ? 0 : 1;
    u64 size = sizeof(image) - skip * sizeof(u64);
    u64 rsp = handler_stack(s, f, &gate) - size;
    if (!guest_copy((void *)rsp, image + skip, size)) {
        no_stack(s, f, vector);
        return;
    }
    f->rsp = rsp;
    f->rip = gate_entry(&gate);
    if (f->cs & 3)
        f->ss = 0;
    f->cs = FIELD_GET(gate.low, 31, 16) & ~3ull;
    f->rflags &= ~(RFLAGS_TF | RFLAGS_NT | RFLAGS_RF);
    if (FIELD_GET(gate.low, 43, 40) == GATE_INTERRUPT)
        f->rflags &= ~RFLAGS_IF;
    s->program_tf = false;
}

/* An exception only aborts a transaction that is open; an interrupt or NMI comes once it has aborted. */
void deliver(struct stepped *s, struct frame *f, u8 vector, u64 error)
{
    if (transaction_broken(s, f) && vector < EXCEPTIONS && vector != VECTOR_NMI && vector != VECTOR_MC)
        return;
    if (s->stepping)
        model_delivered(s->model, vector, f->cs & 3, f->rip);
    build(s, f, vector, error);
}

void deliver_software(struct stepped *s, struct frame *f, u8 vector)
{
    build(s, f, vector, 0);
}

void deliver_gp(struct stepped *s, struct frame *f)
{
    deliver(s, f, VECTOR_GP, 0);
}

void deliver_single_step(struct stepped *s, struct frame *f)
{
    deliver(s, f, VECTOR_DB, 0);
}
