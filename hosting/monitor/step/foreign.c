/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A foreign kernel as the guest: from its 32-bit entry on, everything but the PMU is the machine's own. Its address
 * space is its own too, so the monitor sees its memory through its page tables.
 */
#include "hosting/monitor/step/foreign.h"
#include "hosting/monitor/guest/emulate.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/patch.h"
#include "hosting/monitor/step/transition.h"
#include "kernel/core/memory.h"
#include "kernel/text/text.h"

#define PAT_RESET 0x0007040600070406ull
#define CODE 0x10 /* the selectors that boot loaders use and Linux requires */
#define DATA 0x18
#define CODE_ATTRIBUTES 0xc9b
#define DATA_ATTRIBUTES 0xc93
#define REAL_CODE 0x9b /* present, readable, accessed; 16-bit */
#define REAL_DATA 0x93
#define REAL_LIMIT 0xffff

static const u64 gdt[] = {[CODE / 8] = 0x00cf9b000000ffff, [DATA / 8] = 0x00cf93000000ffff};
_Static_assert(sizeof(gdt) <= MONITOR_GUEST_GDT, "monitor.h");

bool foreign_can_shadow(struct vcpu *v, const struct frame *f)
{
    load_segments(v, f);
    return runs_code64(v) && !(f->cs & 3) && guest_identity(v, memory_used_start(), memory_used_end()) &&
           (!v->apic.entry || guest_identity(v, v->apic.page, v->apic.page + PAGE_SIZE));
}

bool foreign_watches(struct vcpu *v)
{
    struct vmcb *c = v->vmcb;
    bool watch = !is_stepped(v) && model_stepping_at(v->model, 3);
    c->efer = (c->efer & ~EFER_SCE) | (v->guest_sce && !watch ? EFER_SCE : 0);
    return watch;
}

void foreign_sysret(struct vcpu *v, struct frame *f)
{
    static const u8 sysretq[] = {0x48, 0x0f, 0x07};
    u8 bytes[sizeof(sysretq)];
    if (guest_read(v, bytes, f->rip, sizeof(bytes)) && !memcmp(bytes, sysretq, sizeof(bytes)) && runs_code64(v) &&
        emulate_sysret(v, f))
        return;
    v->vmcb->event_injection = INJECT_EXCEPTION(6) | INJECT_VALID;
}

static struct vmcb_segment segment(u16 selector, u16 attributes)
{
    return (struct vmcb_segment){.selector = selector, .attributes = attributes, .limit = 0xffffffff};
}

/* State that VMRUN does not load: FS, GS, LDTR, TR and the MSRs of SYSCALL and SYSENTER, as after a reset. */
static void clear_hidden_state(struct vcpu *v, struct vmcb_segment data)
{
    struct vmcb *s = v->segments;
    __asm__ volatile("vmsave %0" : : "a"(s) : "memory");
    s->fs = s->gs = data;
    s->ldtr = (struct vmcb_segment){.attributes = 0x82, .limit = 0xffff};
    s->tr = (struct vmcb_segment){.attributes = 0x8b, .limit = 0xffff};
    s->star = s->lstar = s->cstar = s->fmask = s->kernel_gs_base = 0;
    s->sysenter_cs = s->sysenter_esp = s->sysenter_eip = 0;
    __asm__ volatile("vmload %0" : : "a"(s) : "memory");
}

/* State that is the same however the guest begins. */
static void clear_state(struct vcpu *v, struct vmcb_segment data)
{
    struct vmcb *c = v->vmcb;
    v->guest_pce = v->guest_sce = v->guest_bs = false;
    c->ss = c->ds = c->es = data;
    c->cr4 = CR4_PCE; /* virtual: control.c */
    c->cr3 = c->cr2 = 0;
    c->efer = EFER_SVME;
    c->dr6 = DR6_RESET;
    c->dr7 = DR7_RESET;
    c->cpl = 0;
    c->tlb_control = FLUSH_ALL;
    clear_hidden_state(v, data);
}

/* SDM 3A, "Processor State After Reset", as after INIT. */
void foreign_start(struct vcpu *v, struct frame *f, u32 vector)
{
    u32 signature[4], native[4] = {0};
    struct vmcb *c = v->vmcb;
    struct vmcb_segment data = {.attributes = REAL_DATA, .limit = REAL_LIMIT};
    model_cpuid(v->model, 1, 0, native, signature);
    *f = (struct frame){.cs = vector << 8, .rdx = signature[0], .rflags = RFLAGS_FIXED};
    v->pending.any = 0;
    v->requested = 0;
    v->nmi_blocked = v->returning = v->hangs = v->forced = v->guest_tf = v->apic.open = false;
    clear_state(v, data);
    c->cs = (struct vmcb_segment){(u16)(vector << 8), REAL_CODE, REAL_LIMIT, vector << 12};
    c->gdtr = c->idtr = (struct vmcb_segment){.limit = REAL_LIMIT};
    c->cr0 = (c->cr0 & (CR0_CD | CR0_NW)) | CR0_ET;
}

void foreign_enter(struct vcpu *v, struct frame *f, const struct monitor_guest *guest)
{
    struct vmcb *c = v->vmcb;
    *f = (struct frame){.rip = guest->entry,
                        .rax = guest->eax,
                        .rbx = guest->ebx,
                        .rsi = guest->esi,
                        .cs = CODE,
                        .rflags = RFLAGS_FIXED,
                        .ss = DATA};
    transition_foreign(v);
    clear_state(v, segment(DATA, DATA_ATTRIBUTES));
    c->cs = segment(CODE, CODE_ATTRIBUTES);
    memcpy((void *)guest->gdt, gdt, sizeof(gdt));
    c->gdtr = (struct vmcb_segment){.limit = sizeof(gdt) - 1, .base = guest->gdt};
    c->idtr = (struct vmcb_segment){.limit = 0};
    c->cr0 = CR0_PE | CR0_ET;
    c->pat = PAT_RESET;
}
