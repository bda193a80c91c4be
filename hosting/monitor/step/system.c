/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions of a kernel's entry and exit. Each would otherwise end a run and cost an exit to single-step it, and a
 * system call has a dozen: entering the guest costs as much as a hundred instructions. FS, GS and the registers of
 * SYSCALL are the guest's during an exit, so they are changed directly; the others are in the VMCB.
 */
#include "hosting/monitor/step/system.h"
#include "hosting/monitor/guest/emulate.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/look.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/step/block_cache.h"
#include "hosting/monitor/step/shadow.h"
#include "kernel/register/msr.h"
#include "reference/step/interpreter/interpret.h"

#define ADDRESS_MOST BIT(40)
#define FLAGS_USER (RFLAGS_STATUS | RFLAGS_DF | RFLAGS_NT | RFLAGS_AC | RFLAGS_ID)
#define FLAGS_ALL (FLAGS_USER | RFLAGS_IF | RFLAGS_IOPL)
#define SELECTOR_LDT BIT(2)
#define DESCRIPTOR_KIND MASK(44, 43) /* the bits for "no system segment" and "code" */
#define DESCRIPTOR_DATA BIT(44)
#define DESCRIPTOR_WRITABLE BIT(41)

/* The instruction's bytes behind its prefixes; only REX is allowed. */
struct code {
    const u8 *at;
    unsigned prefixes;
    bool rex_r, rex_b;
};

static struct code code_of(const struct vcpu *v)
{
    const u8 *bytes = (const u8 *)v->at->bytes;
    bool rex = is_rex(bytes[0]);
    return (struct code){bytes + rex, rex, rex && bytes[0] & 4, rex && bytes[0] & 1};
}

/* The instruction has been executed. */
static bool done(struct frame *f, unsigned length)
{
    f->rip += length;
    return true;
}

/* With SMAP, EFLAGS.AC decides which pages may be accessed: pages found with another value no longer hold. */
static void follow_flags(struct vcpu *v, const struct frame *f)
{
    if ((v->vmcb->rflags ^ f->rflags) & RFLAGS_AC)
        block_cache_forget_sites(v);
    v->vmcb->rflags = f->rflags;
}

/* ---- System calls and returns. */

static bool transfer(struct vcpu *v, struct frame *f)
{
    if (emulate(v, f, v->current) != EMULATED)
        return false;
    load_segments(v, f);
    v->code32 = runs_flat32(v, f);
    follow_flags(v, f);
    return true;
}

/* ---- Control registers. */

static bool from_control(struct vcpu *v, struct frame *f, const struct code *c)
{
    const struct vmcb *m = v->vmcb;
    u64 *to = frame_register(f, (c->at[2] & 7u) | (c->rex_b ? 8 : 0));
    switch (c->at[2] >> 3 & 7) {
    case 0:
        *to = m->cr0;
        break;
    case 2:
        *to = m->cr2;
        break;
    case 3:
        *to = m->cr3;
        break;
    default:
        return false;
    }
    return done(f, c->prefixes + 3);
}

static bool to_control(struct vcpu *v, struct frame *f, const struct code *c)
{
    u64 value = *frame_register(f, (c->at[2] & 7u) | (c->rex_b ? 8 : 0));
    if ((c->at[2] >> 3 & 7) != 3 || value >= ADDRESS_MOST)
        return false;
    v->vmcb->cr3 = value;
    guest_view(v);
    return done(f, c->prefixes + 3);
}

/* ---- Flags. */

static bool push_flags(struct frame *f)
{
    u64 image = f->rflags & (FLAGS_ALL | RFLAGS_FIXED);
    if (!guest_store(f->rsp - sizeof(image), image, sizeof(image)))
        return false;
    f->rsp -= sizeof(image);
    return done(f, 1);
}

/* SDM 2B, "POPF": IF and IOPL are the kernel's alone. */
static bool pop_flags(struct vcpu *v, struct frame *f)
{
    u64 image, mask = f->cs & 3 ? FLAGS_USER : FLAGS_ALL;
    if (!guest_load(&image, f->rsp, sizeof(image)) || image & RFLAGS_TF)
        return false;
    f->rflags = (f->rflags & ~(mask | RFLAGS_RF)) | (image & mask);
    f->rsp += sizeof(image);
    follow_flags(v, f);
    return done(f, 1);
}

/* STI lets an interrupt in after the next instruction: only if that can be executed here as well, and is no HLT. */
static bool allow_interrupts(struct vcpu *v, struct frame *f)
{
    struct frame next = *f;
    next.rip++;
    step_find(v, &next);
    bool here = v->at->operation.code != OP_NONE;
    step_find(v, f);
    if (!here)
        return false;
    f->rflags |= RFLAGS_IF;
    return done(f, 1);
}

static bool access_user(struct vcpu *v, struct frame *f, bool allow)
{
    if (!(v->vmcb->cr4 & CR4_SMAP))
        return false;
    f->rflags = (f->rflags & ~RFLAGS_AC) | (allow ? RFLAGS_AC : 0);
    follow_flags(v, f);
    return done(f, 3);
}

/* ---- Segments. */

static bool swap_gs(struct frame *f)
{
    __asm__ volatile("swapgs");
    return done(f, 3);
}

/* SDM 2C, "VERR/VERW", with a selector in memory relative to RIP: kernels use it to clear a CPU's buffers. */
static bool verify_write(struct vcpu *v, struct frame *f, const struct code *c)
{
    s32 displacement;
    u64 selector, d = 0;
    __builtin_memcpy(&displacement, c->at + 3, sizeof(displacement));
    unsigned length = c->prefixes + 7;
    if (!guest_load(&selector, f->rip + length + (u64)(s64)displacement, 2) || selector & SELECTOR_LDT ||
        selector > v->vmcb->gdtr.limit)
        return false;
    if (selector & ~3ull && !guest_read(v, &d, v->vmcb->gdtr.base + (selector & ~7ull), sizeof(d)))
        return false;
    u64 dpl = FIELD_GET(d, 46, 45);
    bool may = (d & DESCRIPTOR_KIND) == DESCRIPTOR_DATA && d & DESCRIPTOR_WRITABLE && dpl >= (f->cs & 3) &&
               dpl >= (selector & 3);
    f->rflags = (f->rflags & ~RFLAGS_ZF) | (may ? RFLAGS_ZF : 0);
    return done(f, length);
}

/* ---- Registers of the machine. */

/* Registers that are the guest's during an exit as well, and affect nothing but the guest. */
static bool is_shared(u32 msr)
{
    return msr == MSR_FS_BASE || msr == MSR_GS_BASE || msr == MSR_KERNEL_GS_BASE;
}

static bool machine_register(struct vcpu *v, struct frame *f)
{
    if (!is_shared((u32)f->rcx))
        return false;
    shadow_unguard(v); /* in case it faults */
    emulate_natively(v, f, v->current);
    return true;
}

/* ---- By opcode. */

static bool two_bytes(struct vcpu *v, struct frame *f, const struct code *c)
{
    bool bare = !c->prefixes;
    switch (c->at[1]) {
    case 0x00:
        return bare && c->at[2] == 0x2d && verify_write(v, f, c);
    case 0x01:
        if (bare && c->at[2] == 0xf8)
            return swap_gs(f);
        return bare && (c->at[2] & 0xfe) == 0xca && access_user(v, f, c->at[2] & 1);
    case 0x20:
        return !c->rex_r && from_control(v, f, c);
    case 0x22:
        return !c->rex_r && to_control(v, f, c);
    default:
        return false;
    }
}

static bool of_kernel(struct vcpu *v, struct frame *f)
{
    struct code c = code_of(v);
    if (c.at[0] == 0x0f)
        return two_bytes(v, f, &c);
    if (c.at[0] != 0xfa || c.prefixes)
        return c.at[0] == 0xfb && !c.prefixes && allow_interrupts(v, f);
    f->rflags &= ~RFLAGS_IF;
    return done(f, 1);
}

bool system_run(struct vcpu *v, struct frame *f)
{
    const struct instruction *i = &v->at->instruction;
    if (v->code32)
        return false;
    switch (i->kind) {
    case KIND_PUSHF:
        return i->length == 1 && push_flags(f);
    case KIND_POPF:
        return i->length == 1 && pop_flags(v, f);
    case KIND_PLAIN:
    case KIND_SHADOW:
        return !(f->cs & 3) && v->at->operation.code == OP_NONE && of_kernel(v, f);
    default:
        return false;
    }
}

bool system_execute(struct vcpu *v, struct frame *f)
{
    u64 rip = f->rip;
    bool kernel = !(f->cs & 3);
    if (v->code32)
        return false;
    switch (v->current->kind) {
    case KIND_SYSCALL:
        return transfer(v, f);
    case KIND_SYSRETQ:
    case KIND_IRETQ:
        return kernel && transfer(v, f);
    case KIND_RDMSR:
    case KIND_WRMSR:
        return kernel && machine_register(v, f);
    default:
        if (!system_run(v, f))
            return false;
        retire(v, f, RETIRED_PLAIN, rip, f->cs & 3, false);
        return true;
    }
}
