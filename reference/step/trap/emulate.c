/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that the stepper executes in the program's place: the model's, and those that TF does not step. */
#include "kernel/register/instructions.h"
#include "reference/step/access.h"
#include "reference/step/trap/stepped.h"

static void set_edx_eax(struct frame *f, u64 value)
{
    f->rax = (u32)value;
    f->rdx = value >> 32;
}

static u64 edx_eax(const struct frame *f)
{
    return (u32)f->rax | f->rdx << 32;
}

static u64 machine_register(u32 msr)
{
    u64 value = 0;
    native_rdmsr(msr, &value);
    return value;
}

static enum emulated fall_through(struct stepped *s, struct frame *f, unsigned length, enum retired_kind kind)
{
    u64 rip = f->rip;
    f->rip += length;
    retire(s, f, kind, rip, f->cs & 3, false);
    return EMULATED;
}

void emulated_plain(struct stepped *s, struct frame *f, unsigned length)
{
    fall_through(s, f, length, RETIRED_PLAIN);
}

static enum emulated emulate_cpuid(struct stepped *s, struct frame *f, unsigned length)
{
    u32 native[4], out[4];
    native_cpuid((u32)f->rax, (u32)f->rcx, native);
    model_cpuid(s->model, (u32)f->rax, (u32)f->rcx, native, out);
    f->rax = out[0];
    f->rbx = out[1];
    f->rcx = out[2];
    f->rdx = out[3];
    return fall_through(s, f, length, RETIRED_CPUID);
}

static bool read(struct stepped *s, struct frame *f, enum instruction_kind kind)
{
    u64 value;
    bool done = kind == KIND_RDPMC ? model_rdpmc(s->model, (u32)f->rcx, f->cs & 3, read_cr4() & CR4_PCE, &value)
                                   : !(f->cs & 3) && model_rdmsr(s->model, (u32)f->rcx, &value);
    if (done)
        set_edx_eax(f, value);
    return done;
}

static bool access(struct stepped *s, struct frame *f, enum instruction_kind kind)
{
    if (kind == KIND_WRMSR)
        return !(f->cs & 3) && model_wrmsr(s->model, (u32)f->rcx, edx_eax(f));
    return read(s, f, kind);
}

static enum emulated register_access(struct stepped *s, struct frame *f, const struct instruction *i)
{
    bool msr = i->kind != KIND_RDPMC;
    if (msr && !model_owns_msr((u32)f->rcx))
        return EMULATED_NOT;
    if (msr && model_never_returns(s->model, (u32)f->rcx, i->kind == KIND_WRMSR))
        return EMULATED_HANGS;
    if (access(s, f, i->kind))
        return fall_through(s, f, i->length, i->kind == KIND_WRMSR ? RETIRED_WRMSR : RETIRED_PLAIN);
    deliver_gp(s, f);
    return EMULATED;
}

void emulate_natively(struct stepped *s, struct frame *f, const struct instruction *i)
{
    if (f->cs & 3 || !natively(f, i->kind == KIND_WRMSR))
        deliver_gp(s, f);
    else
        emulated_plain(s, f, i->length);
}

static bool has_syscall(void)
{
    return machine_register(MSR_EFER) & EFER_SCE;
}

/* Long-mode SYSCALL and SYSRET: by the CPU, TF would leak into R11 or be lost through FMASK. */
static bool enter_kernel(struct stepped *s, struct frame *f, u64 next)
{
    if (!has_syscall())
        return false;
    u64 star = machine_register(MSR_STAR);
    f->rcx = next;
    f->r11 = (f->rflags & ~(RFLAGS_TF | RFLAGS_RF)) | (s->program_tf ? RFLAGS_TF : 0);
    u64 rflags = f->r11 & ~machine_register(MSR_FMASK);
    s->program_tf = rflags & RFLAGS_TF;
    f->rflags = rflags | RFLAGS_FIXED;
    f->rip = machine_register(MSR_LSTAR);
    f->cs = FIELD_GET(star, 47, 32) & ~3ull;
    f->ss = f->cs + 8;
    return true;
}

static bool return_from_kernel(struct stepped *s, struct frame *f)
{
    if (!has_syscall() || f->cs & 3)
        return false;
    u64 star = machine_register(MSR_STAR);
    f->rip = f->rcx;
    s->program_tf = f->r11 & RFLAGS_TF;
    f->rflags = f->r11 | RFLAGS_FIXED;
    f->cs = (FIELD_GET(star, 63, 48) + 16) | 3;
    f->ss = (FIELD_GET(star, 63, 48) + 8) | 3;
    return true;
}

static bool return_from_interrupt(struct stepped *s, struct frame *f)
{
    u64 image[5];
    if (!guest_copy(image, (const void *)f->rsp, sizeof(image)))
        return false;
    f->rip = image[0];
    f->cs = image[1];
    f->rflags = image[2] | RFLAGS_FIXED;
    s->program_tf = image[2] & RFLAGS_TF;
    f->rsp = image[3];
    f->ss = image[4];
    s->nmi_blocked = false;
    return true;
}

/* INT n and INT3: counted as a far branch, then delivered with RIP behind the instruction. */
static bool software_interrupt(struct stepped *s, struct frame *f, const struct instruction *i)
{
    if (i->vector == VECTOR_CALL)
        return false;
    f->rip += i->length;
    deliver_software(s, f, i->vector);
    return true;
}

/* Reports a transfer of control if it `happened`, from `rip` at `cpl` to where the frame says. */
static enum emulated transferred(struct stepped *s, const struct frame *f, bool happened, enum retired_kind kind,
                                 u64 rip, u8 cpl)
{
    if (happened)
        retire(s, f, kind, rip, cpl, kind != RETIRED_XBEGIN);
    return happened ? EMULATED : EMULATED_NOT;
}

static enum emulated execute(struct stepped *s, struct frame *f, const struct instruction *i)
{
    u64 rip = f->rip;
    u8 cpl = f->cs & 3;
    switch (i->kind) {
    case KIND_CPUID:
        return emulate_cpuid(s, f, i->length);
    case KIND_RDMSR:
    case KIND_WRMSR:
    case KIND_RDPMC:
        return register_access(s, f, i);
    case KIND_PAUSE:
        return fall_through(s, f, i->length, RETIRED_PAUSE);
    case KIND_XBEGIN:
        return transferred(s, f, transaction_begin(s, f, i), RETIRED_XBEGIN, rip, cpl);
    case KIND_XABORT: /* does not retire */
        transaction_abort(s, f, i);
        return EMULATED;
    case KIND_INT:
        return transferred(s, f, software_interrupt(s, f, i), RETIRED_FAR_BRANCH, rip, cpl);
    case KIND_IRETQ:
        return transferred(s, f, return_from_interrupt(s, f), RETIRED_IRET, rip, cpl);
    case KIND_SYSCALL:
        return transferred(s, f, enter_kernel(s, f, rip + i->length), RETIRED_FAR_BRANCH, rip, cpl);
    case KIND_SYSRETQ:
        return transferred(s, f, return_from_kernel(s, f), RETIRED_FAR_BRANCH, rip, cpl);
    default:
        return EMULATED_NOT;
    }
}

/*
 * SDM 3B, "Single-Step Exception Condition". After a fault RIP is in the handler, or unchanged, and INT n has entered
 * its handler. SYSCALL and SYSRET trap by the TF that they load.
 */
static bool single_steps(const struct stepped *s, const struct frame *f, enum instruction_kind kind, bool tf, u64 rip)
{
    return kind == KIND_IRETQ ? tf : s->program_tf && f->rip != rip;
}

enum emulated emulate(struct stepped *s, struct frame *f, const struct instruction *i)
{
    bool tf = s->program_tf;
    u64 rip = f->rip;
    if (i->kind != KIND_XABORT && transaction_broken(s, f))
        return EMULATED;
    enum emulated emulated = execute(s, f, i);
    if (emulated == EMULATED && single_steps(s, f, i->kind, tf, rip))
        deliver_single_step(s, f);
    return emulated;
}
