/* SPDX-License-Identifier: BSD-2-Clause */
/* Executes instructions that the model answers or that cannot be stepped; without an exit while stepping. */
#include "hosting/monitor/guest/emulate.h"
#include "hosting/monitor/guest/deliver.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/vcpu.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"

static void set_edx_eax(struct frame *f, u64 value)
{
    f->rax = (u32)value;
    f->rdx = value >> 32;
}

static u64 edx_eax(const struct frame *f)
{
    return (u32)f->rax | f->rdx << 32;
}

/* A register of CPUID, with the feature bit set as the guest has the feature. */
static u32 follow(u32 word, u32 bit, u64 on)
{
    return on ? word | CPUID_BIT_MASK(bit) : word & ~CPUID_BIT_MASK(bit);
}

/* Asked outside the guest, where CR4 is the monitor's own. */
static struct cpuid_regs machine_leaf(const struct vcpu *v, u32 leaf, u32 subleaf)
{
    struct cpuid_regs r = cpuid(leaf, subleaf);
    if (leaf == 1)
        r.ecx = follow(r.ecx, CPUID_OSXSAVE, v->vmcb->cr4 & CR4_OSXSAVE);
    if (leaf == 7 && !subleaf)
        r.ecx = follow(r.ecx, CPUID_OSPKE, v->vmcb->cr4 & CR4_PKE);
    return r;
}

/* The machine's answer, kept so that the in-guest half need not execute CPUID, which would exit. */
static struct native_leaf *native_leaf(struct vcpu *v, u32 leaf, u32 subleaf)
{
    for (unsigned i = 0; i < NATIVE_LEAVES; i++) {
        struct native_leaf *n = &v->native[i];
        if (n->known && n->leaf == leaf && n->subleaf == subleaf)
            return n;
        if (n->known && i < NATIVE_LEAVES - 1)
            continue;
        if (v->in_stub)
            return NULL;
        struct cpuid_regs r = machine_leaf(v, leaf, subleaf);
        *n = (struct native_leaf){true, leaf, subleaf, {r.eax, r.ebx, r.ecx, r.edx}};
        return n;
    }
    return NULL;
}

/* A foreign guest turns features on and off, and some leaves follow: asked anew each time, outside the guest. */
static bool foreign_leaf(struct vcpu *v, u32 leaf, u32 subleaf, u32 registers[4])
{
    if (v->in_stub)
        return false;
    struct cpuid_regs r = machine_leaf(v, leaf, subleaf);
    registers[0] = r.eax;
    registers[1] = r.ebx;
    registers[2] = r.ecx;
    registers[3] = r.edx;
    return true;
}

static bool emulate_cpuid(struct vcpu *v, struct frame *f)
{
    u32 foreign[4], out[4], leaf = (u32)f->rax, subleaf = (u32)f->rcx;
    const u32 *registers = foreign;
    if (!is_foreign(v)) {
        const struct native_leaf *native = native_leaf(v, leaf, subleaf);
        if (!native)
            return false;
        registers = native->registers;
    } else if (!foreign_leaf(v, leaf, subleaf, foreign)) {
        return false;
    }
    model_cpuid(v->model, leaf, subleaf, registers, out);
    f->rax = out[0];
    f->rbx = out[1];
    f->rcx = out[2];
    f->rdx = out[3];
    return true;
}

static bool has_syscall(const struct vcpu *v)
{
    return is_foreign(v) ? v->guest_sce : v->vmcb->efer & EFER_SCE;
}

/* EFER.SVME is hidden from the guest and stays set; everything else that is intercepted belongs to the model. */
static bool read_register(struct vcpu *v, struct frame *f, u32 msr)
{
    u64 value;
    if (guest_time_owns(v, msr)) {
        if (!guest_time_rdmsr(v, msr, &value))
            return false;
    } else if (msr == MSR_EFER)
        value = (v->vmcb->efer & ~(EFER_SVME | EFER_SCE)) | (has_syscall(v) ? EFER_SCE : 0);
    else if (!model_rdmsr(v->model, msr, &value))
        return false;
    set_edx_eax(f, value);
    return true;
}

static bool write_register(struct vcpu *v, const struct frame *f, u32 msr)
{
    if (guest_time_owns(v, msr))
        return guest_time_wrmsr(v, msr, edx_eax(f));
    if (msr != MSR_EFER)
        return model_wrmsr(v->model, msr, edx_eax(f));
    v->guest_sce = edx_eax(f) & EFER_SCE;
    v->vmcb->efer = (edx_eax(f) & ~EFER_LMA) | (v->vmcb->efer & EFER_LMA) | EFER_SVME;
    return true;
}

/* SVM's map of MSRs ends there: beyond it each access exits, and no register is known. */
#define MSRS_MAPPED 0x2000u

static bool mapped(u32 msr)
{
    return msr < MSRS_MAPPED || msr - 0xc0000000u < MSRS_MAPPED || msr - 0xc0010000u < MSRS_MAPPED;
}

static bool ours(const struct vcpu *v, u32 msr)
{
    return msr == MSR_EFER || guest_time_owns(v, msr) || model_owns_msr(msr) || !mapped(msr);
}

static bool read_counter(struct vcpu *v, struct frame *f)
{
    u64 value;
    if (!model_rdpmc(v->model, (u32)f->rcx, f->cs & 3, v->guest_pce, &value))
        return false;
    set_edx_eax(f, value);
    return true;
}

static u64 machine_register(u32 msr)
{
    u64 value = 0;
    native_rdmsr(msr, &value);
    return value;
}

/* Long-mode SYSCALL and SYSRET: natively, TF would leak into R11 or be lost through FMASK. */
static bool emulate_syscall(struct vcpu *v, struct frame *f, u64 next)
{
    if (!has_syscall(v))
        return false;
    u64 star = machine_register(MSR_STAR);
    f->rcx = next;
    f->r11 = (f->rflags & ~(RFLAGS_TF | RFLAGS_RF)) | (v->guest_tf ? RFLAGS_TF : 0);
    u64 rflags = f->r11 & ~machine_register(MSR_FMASK);
    v->guest_tf = rflags & RFLAGS_TF;
    f->rflags = rflags | RFLAGS_FIXED;
    f->rip = machine_register(MSR_LSTAR);
    f->cs = FIELD_GET(star, 47, 32) & ~3ull;
    f->ss = f->cs + 8;
    return true;
}

static bool return_from_call(struct vcpu *v, struct frame *f)
{
    if (!has_syscall(v) || f->cs & 3)
        return false;
    u64 star = machine_register(MSR_STAR);
    f->rip = f->rcx;
    v->guest_tf = f->r11 & RFLAGS_TF;
    f->rflags = f->r11 | RFLAGS_FIXED;
    f->cs = (FIELD_GET(star, 63, 48) + 16) | 3;
    f->ss = (FIELD_GET(star, 63, 48) + 8) | 3;
    return true;
}

void emulate_return(struct vcpu *v, struct frame *f, const u64 image[5])
{
    f->rip = image[0];
    f->cs = image[1];
    f->rflags = image[2] | RFLAGS_FIXED;
    v->guest_tf = image[2] & RFLAGS_TF;
    f->rsp = image[3];
    f->ss = image[4];
    v->nmi_blocked = false;
}

void emulate_iretq(struct vcpu *v, struct frame *f)
{
    u64 image[5] = {0};
    guest_read(v, image, f->rsp, sizeof(image));
    emulate_return(v, f, image);
}

static enum emulated fall_through(struct vcpu *v, struct frame *f, const struct instruction *i, enum retired_kind kind)
{
    u64 rip = f->rip;
    f->rip += i->length;
    retire(v, f, kind, rip, f->cs & 3, false);
    return EMULATED;
}

/* If the guest has the machine's clock, the CPU executes it. */
static enum emulated read_time(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    if (!keeps_time(v))
        return EMULATED_NOT;
    if (f->cs & 3 && v->vmcb->cr4 & CR4_TSD) {
        deliver_gp(v, f);
        return EMULATED;
    }
    set_edx_eax(f, guest_time_tsc(v));
    if (i->kind == KIND_RDTSCP)
        f->rcx = (u32)machine_register(MSR_TSC_AUX);
    return fall_through(v, f, i, RETIRED_PLAIN);
}

/* Reports a transfer of control if it `happened`, from `rip` at `cpl` to where the frame says. */
static enum emulated transferred(struct vcpu *v, struct frame *f, bool happened, enum retired_kind kind, u64 rip,
                                 u8 cpl)
{
    if (happened)
        retire(v, f, kind, rip, cpl, true);
    return happened ? EMULATED : EMULATED_NOT;
}

/* INT n and INT3: counted as a far branch, then delivered with RIP behind the instruction. */
static enum emulated emulate_int(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    u64 rip = f->rip;
    u8 cpl = f->cs & 3;
    f->rip += i->length;
    deliver_software(v, f, i->vector);
    return transferred(v, f, true, RETIRED_FAR_BRANCH, rip, cpl);
}

/*
 * XBEGIN: each transaction aborts at once, and may not be tried again, as the manual allows; TCG has none. SDM 1,
 * "RTM Abort Status Definition".
 */
static enum emulated emulate_xbegin(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    u64 rip = f->rip;
    s32 distance = 0;
    guest_read(v, &distance, rip + i->length - sizeof(distance), sizeof(distance));
    f->rip += i->length + (u64)(s64)distance;
    f->rax = 0;
    retire(v, f, RETIRED_XBEGIN, rip, f->cs & 3, false);
    return EMULATED;
}

static bool access(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    switch (i->kind) {
    case KIND_RDPMC:
        return read_counter(v, f);
    case KIND_RDMSR:
        return !(f->cs & 3) && read_register(v, f, (u32)f->rcx);
    default:
        return !(f->cs & 3) && write_register(v, f, (u32)f->rcx);
    }
}

static enum emulated register_access(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    bool msr = i->kind != KIND_RDPMC;
    if (msr && !ours(v, (u32)f->rcx))
        return EMULATED_NOT;
    if (msr && model_never_returns(v->model, (u32)f->rcx, i->kind == KIND_WRMSR))
        return EMULATED_HANGS;
    if (access(v, f, i))
        return fall_through(v, f, i, i->kind == KIND_WRMSR ? RETIRED_WRMSR : RETIRED_PLAIN);
    deliver_gp(v, f);
    return EMULATED;
}

void emulate_natively(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    if (f->cs & 3 || !natively(f, i->kind == KIND_WRMSR))
        deliver_gp(v, f);
    else
        fall_through(v, f, i, RETIRED_PLAIN);
}

static enum emulated execute(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    u64 rip = f->rip;
    u8 cpl = f->cs & 3;
    switch (i->kind) {
    case KIND_CPUID:
        return emulate_cpuid(v, f) ? fall_through(v, f, i, RETIRED_CPUID) : EMULATED_NOT;
    case KIND_RDMSR:
    case KIND_WRMSR:
    case KIND_RDPMC:
        return register_access(v, f, i);
    case KIND_RDTSC:
    case KIND_RDTSCP:
        return read_time(v, f, i);
    case KIND_PAUSE:
        return fall_through(v, f, i, RETIRED_PAUSE);
    case KIND_XBEGIN:
        return emulate_xbegin(v, f, i);
    case KIND_INT:
        return emulate_int(v, f, i);
    case KIND_IRETQ:
        emulate_iretq(v, f);
        return transferred(v, f, true, RETIRED_IRET, rip, cpl);
    case KIND_SYSCALL:
        return transferred(v, f, emulate_syscall(v, f, rip + i->length), RETIRED_FAR_BRANCH, rip, cpl);
    case KIND_SYSRETQ:
        return transferred(v, f, return_from_call(v, f), RETIRED_FAR_BRANCH, rip, cpl);
    default:
        return EMULATED_NOT;
    }
}

/*
 * SDM 3B, "Single-Step Exception Condition". After a fault RIP is in the handler, or unchanged, and INT n has entered
 * its handler. SYSCALL and SYSRET trap by the TF that they load, so that a kernel whose entry clears TF is not stepped.
 */
static bool single_steps(const struct vcpu *v, const struct frame *f, enum instruction_kind kind, bool tf, u64 rip)
{
    return kind == KIND_IRETQ ? tf : v->guest_tf && f->rip != rip;
}

enum emulated emulate(struct vcpu *v, struct frame *f, const struct instruction *i)
{
    bool tf = v->guest_tf;
    u64 rip = f->rip;
    enum emulated emulated = execute(v, f, i);
    if (emulated == EMULATED && single_steps(v, f, i->kind, tf, rip))
        deliver_single_step(v, f);
    return emulated;
}

bool emulate_sysret(struct vcpu *v, struct frame *f)
{
    bool returned = return_from_call(v, f);
    if (returned && v->guest_tf)
        deliver_single_step(v, f);
    return returned;
}
