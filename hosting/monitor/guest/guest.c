/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Questions about a virtual CPU that all parts ask: whose it is, which interrupt table, which kind of code. This file
 * is below all of them in the layers, so that no part depends on another just to ask.
 */
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"

#define SEGMENT_PAGES BIT(55) /* of a descriptor: the limit counts pages */
#define ATTRIBUTE_LONG BIT(9)
#define ATTRIBUTE_BIG BIT(10)
#define ATTRIBUTE_DATA_MASK 0x9eu /* present, code or data segment, code, expand-down, writable */
#define ATTRIBUTE_DATA 0x92u

static struct vcpu *vcpus[MAX_CPUS];

struct vcpu *vcpu(void)
{
    return vcpus[cpu_index()];
}

struct vcpu *vcpu_of(u32 cpu)
{
    return vcpus[cpu];
}

void vcpu_keep(struct vcpu *v)
{
    vcpus[v->cpu] = v;
}

struct vmcb_segment *guest_idt(struct vcpu *v)
{
    return is_shadowed(v) ? &v->guest_idt : &v->vmcb->idtr;
}

/* SDM 3A, "Real-Address Mode": limit and attributes stay as they were. */
static void set_real_segment(struct vmcb_segment *segment, u16 selector)
{
    segment->selector = selector;
    segment->base = (u64)selector << 4;
}

static void set_segment(struct vcpu *v, struct vmcb_segment *segment, u16 selector)
{
    u64 d = 0;
    if (runs_real(v)) {
        set_real_segment(segment, selector);
        return;
    }
    if (selector & ~3)
        guest_read(v, &d, v->vmcb->gdtr.base + (selector & ~7u), sizeof(d));
    segment->selector = selector;
    segment->attributes = (u16)(FIELD_GET(d, 47, 40) | FIELD_GET(d, 55, 52) << 8);
    segment->limit = (u32)(FIELD_GET(d, 15, 0) | FIELD_GET(d, 51, 48) << 16);
    if (d & SEGMENT_PAGES)
        segment->limit = segment->limit << 12 | 0xfff;
    segment->base = FIELD_GET(d, 39, 16) | FIELD_GET(d, 63, 56) << 24;
}

void load_segments(struct vcpu *v, const struct frame *f)
{
    struct vmcb *c = v->vmcb;
    if (c->cs.selector != f->cs) {
        set_segment(v, &c->cs, (u16)f->cs);
        c->cpl = runs_real(v) ? 0 : f->cs & 3;
    }
    if (c->ss.selector != f->ss)
        set_segment(v, &c->ss, (u16)f->ss);
}

bool runs_code64(const struct vcpu *v)
{
    return v->vmcb->efer & EFER_LMA && v->vmcb->cs.attributes & ATTRIBUTE_LONG;
}

bool runs_code16(const struct vcpu *v)
{
    return !(v->vmcb->cs.attributes & (ATTRIBUTE_BIG | ATTRIBUTE_LONG));
}

bool runs_real(const struct vcpu *v)
{
    return !(v->vmcb->cr0 & CR0_PE);
}

bool runs_steppable(const struct vcpu *v, const struct frame *f)
{
    return !(f->rflags & RFLAGS_VM && v->vmcb->cr0 & CR0_PE) && !(runs_real(v) && f->cs & 3);
}

u64 guest_linear(const struct vcpu *v, const struct vmcb_segment *segment, u64 offset)
{
    return runs_code64(v) ? offset : (u32)(segment->base + offset);
}

u64 guest_stack(const struct vcpu *v, u64 rsp)
{
    if (runs_code64(v))
        return rsp;
    return v->vmcb->ss.attributes & ATTRIBUTE_BIG ? (u32)rsp : (u16)rsp;
}

static bool flat(const struct vmcb_segment *s)
{
    return !s->base && s->limit == 0xffffffff && s->attributes & ATTRIBUTE_BIG;
}

static bool flat_data(const struct vmcb_segment *s)
{
    return flat(s) && (s->attributes & ATTRIBUTE_DATA_MASK) == ATTRIBUTE_DATA;
}

bool runs_flat32(const struct vcpu *v, const struct frame *f)
{
    const struct vmcb *c = v->vmcb;
    return c->cr0 & CR0_PE && !(f->rflags & RFLAGS_VM) && !runs_code64(v) && flat(&c->cs) && flat_data(&c->ss) &&
           flat_data(&c->ds);
}

/*
 * While unstepped: the IRET that ends the virtual NMI is emulated, and so is the in-guest half's if an NMI or INIT
 * waits. So is the in-guest half's in a foreign guest, from which the monitor's memory is hidden afterwards.
 */
bool iret_must_exit(const struct vcpu *v, bool inside)
{
    return !is_stepped(v) && (v->nmi_blocked || (inside && (is_foreign(v) || v->pending.nmi || v->pending.init)));
}
