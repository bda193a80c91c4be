/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stepping inside the guest: while a counter can count, the guest has our IDT and TSS, so that a trap costs no VM exit.
 * All events arrive in shadow_trap(), which steps on or passes them to the guest's handler.
 */
#include "hosting/monitor/step/shadow.h"
#include "hosting/monitor/vcpu.h"
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"
#include "reference/step/tables.h"

#define IST_FAULT 2 /* for faults: the stub, on the other stack, may execute an instruction that raises one */
#define IST_OTHER 1
#define IST_MACHINE_CHECK 3 /* it may arrive inside the stub: no flag blocks it, and TCG cannot intercept it */
#define FAULTS (BIT(0) | BIT(VECTOR_UD) | BIT(7) | MASK(14, 12) | MASK(17, 16) | BIT(19)) /* #DE to #XM */
#define GATE_INTERRUPT 0x8eull
#define GATE_ANY_CPL 0xeeull
#define GATE_SELECTOR MASK(31, 16)

/* The host's IDT while guest code is executed outside the guest with the guest's stack pointer. */
static struct gate guard_idt[EXCEPTIONS] __attribute__((aligned(16)));

extern const u8 host_stubs[];
extern const u8 shadow_stubs[], shadow_stubs_end[];
#define GATES 256u
static PER_CPU struct tss shadow_tss __attribute__((aligned(16)));

static unsigned stack_of(unsigned vector)
{
    if (vector == VECTOR_MC)
        return IST_MACHINE_CHECK;
    return vector < EXCEPTIONS && BIT(vector) & FAULTS ? IST_FAULT : IST_OTHER;
}

/* Each guest may have its CPL 0 code segment elsewhere in its GDT. */
static void build_idt(struct vcpu *v, u16 code_selector)
{
    if (code_selector == v->shadow_code_selector)
        return;
    for (unsigned vector = 0; vector < GATES; vector++) {
        struct gate gate = interrupt_gate((u64)shadow_stubs + 16 * vector, stack_of(vector), GATE_ANY_CPL);
        gate.low = (gate.low & ~GATE_SELECTOR) | FIELD(31, 16, code_selector);
        v->shadow_idt[vector] = gate;
    }
    v->shadow_code_selector = code_selector;
}

bool shadow_init(struct vcpu *v)
{
    v->shadow_idt = pages_alloc(GATES * sizeof(struct gate) / PAGE_SIZE);
    if (!v->shadow_idt)
        return false;
    build_idt(v, SELECTOR_CODE);
    for (unsigned vector = 0; vector < EXCEPTIONS; vector++)
        guard_idt[vector] = interrupt_gate((u64)host_stubs + 16 * vector, IST_FAULT, GATE_INTERRUPT);
    struct tss *tss = &of_cpu(shadow_tss, v->cpu);
    tss->io_map = sizeof(*tss);
    /* The stub finds its vcpu above the frame. */
    tss->ist[IST_OTHER - 1] = (u64)v->stacks + STACK_OTHER * MONITOR_STACK + MONITOR_STACK_TOP;
    tss->ist[IST_FAULT - 1] = (u64)v->stacks + STACK_FAULT * MONITOR_STACK + MONITOR_STACK_TOP;
    tss->ist[IST_MACHINE_CHECK - 1] = (u64)v->stacks + STACK_MACHINE_CHECK * MONITOR_STACK + MONITOR_STACK_TOP;
    v->stub_frame = tss->ist[IST_OTHER - 1] - sizeof(struct frame);
    return true;
}

/* VMRUN does not load TR from the VMCB: VMSAVE and VMLOAD exchange it. */
static void exchange_tr(struct vcpu *v, const struct vmcb_segment *load, struct vmcb_segment *save)
{
    __asm__ volatile("vmsave %0" : : "a"(v->segments) : "memory");
    if (save)
        *save = v->segments->tr;
    v->segments->tr.base = load->base;
    v->segments->tr.limit = load->limit;
    __asm__ volatile("vmload %0" : : "a"(v->segments) : "memory");
}

void shadow_load(struct vcpu *v)
{
    struct vmcb_segment tr = {.base = (u64)&of_cpu(shadow_tss, v->cpu), .limit = sizeof(struct tss) - 1};
    if (is_foreign(v))
        build_idt(v, v->vmcb->cs.selector);
    v->guest_idt = v->vmcb->idtr;
    v->vmcb->idtr.base = (u64)v->shadow_idt;
    v->vmcb->idtr.limit = GATES * sizeof(struct gate) - 1;
    exchange_tr(v, &tr, &v->guest_tr);
}

void shadow_unload(struct vcpu *v)
{
    v->vmcb->idtr = v->guest_idt;
    exchange_tr(v, &v->guest_tr, NULL);
}

void shadow_guard(struct vcpu *v)
{
    struct vmcb_segment tr = {.base = (u64)&of_cpu(shadow_tss, v->cpu), .limit = sizeof(struct tss) - 1};
    if (v->guarded)
        return;
    exchange_tr(v, &tr, &v->guest_tr);
    v->host_idt = idt_exchange((struct table_pointer){sizeof(guard_idt) - 1, (u64)guard_idt});
    v->guarded = true;
}

void shadow_unguard(struct vcpu *v)
{
    if (!v->guarded)
        return;
    exchange_tr(v, &v->guest_tr, NULL);
    idt_exchange(v->host_idt);
    v->guarded = false;
}

bool shadow_idt_loaded(const struct vcpu *v)
{
    return v->vmcb->idtr.base == (u64)v->shadow_idt;
}

bool shadow_code(u64 rip)
{
    return rip >= (u64)shadow_stubs && rip < (u64)shadow_stubs_end;
}
