/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where copies of instructions (reference/step/interpreter/copy.c) stand and are executed: either inside the guest,
 * whose control registers say what it may execute, or in the monitor, which checks those registers first. The monitor's
 * own control registers allow every vector instruction, and XCR0, which SVM does not exchange, is the guest's.
 */
#include "hosting/monitor/guest/copied.h"
#include "hosting/monitor/guest/code.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "kernel/core/memory.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"
#include "reference/step/interpreter/interpret.h"

#define SLOT 16ul
#define PAGES (COPIES * SLOT / PAGE_SIZE)
_Static_assert(COPY_CODE <= SLOT, "a copy and the way back");

bool copied_init(struct vcpu *v)
{
    v->copy_code = code_alloc(PAGES);
    return v->copy_code;
}

void copied_start(void)
{
    write_cr0((read_cr0() & ~(CR0_EM | CR0_TS)) | CR0_MP | CR0_NE);
    write_cr4(read_cr4() | CR4_OSFXSR | CR4_OSXMMEXCPT | (cpuid_has(CPUID_XSAVE) ? CR4_OSXSAVE : 0));
}

/* Without CR0.NE x87 errors come as an interrupt: the CPU has to execute those instructions. */
bool copied_usable(const struct vcpu *v, bool vex)
{
    u64 cr0 = v->vmcb->cr0, cr4 = v->vmcb->cr4;
    return !(cr0 & (CR0_EM | CR0_TS)) && cr0 & CR0_NE && cr4 & CR4_OSFXSR && (!vex || cr4 & CR4_OSXSAVE);
}

static unsigned slot_of(const struct copy *copy)
{
    u64 word;
    memcpy(&word, copy->bytes, sizeof(word));
    return (unsigned)(word * 0x9e3779b97f4a7c15ull >> 32) % COPIES;
}

static bool same(const struct copy *a, const struct copy *b)
{
    return a->length == b->length && !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

static const u8 *code_of(struct vcpu *v, const struct copy *copy)
{
    unsigned slot = slot_of(copy);
    u8 *at = v->copy_code + SLOT * slot, code[COPY_CODE];
    if (same(&v->copies[slot], copy))
        return at;
    u32 back = COPY_RETURN;
    memcpy(code, copy->bytes, copy->length);
    memcpy(code + copy->length, &back, COPY_CODE - COPY_BYTES);
    code_store(v, at, code, copy->length + COPY_CODE - COPY_BYTES);
    v->copies[slot] = *copy;
    return at;
}

/* SDM 1, "x87 FPU Instruction and Data (Operand) Pointers": control instructions leave the pointers as they are. */
static bool keeps_pointers(const struct copy *copy)
{
    u8 opcode = copy->bytes[0], modrm = copy->bytes[1], extension = modrm >> 3 & 7;
    if (opcode < 0xd8 || opcode > 0xdf)
        return false;
    if (modrm < 0xc0)
        return !(opcode == 0xd9 && extension >= 4) && !(opcode == 0xdd && extension >= 6);
    return !(opcode == 0xdb && extension == 4) && !(opcode == 0xdf && modrm == 0xe0);
}

bool guest_copied(const struct copy *copy, struct copy_state *state)
{
    struct vcpu *v = vcpu_here();
    u64 copied = state->rdi;
    if (v->running == RUN_VIEWED && copy->vector && !copied_usable(v, copy->vex))
        return false;
    if (!copy_enter(state, code_of(v, copy)))
        return false;
    if (!keeps_pointers(copy))
        return true;
    v->x87.rip = state->rip;
    if (copy->rdi == ADDRESS_IN_RDI) {
        v->x87.address = state->address;
        v->x87.copied = copied;
    }
    return true;
}

bool copied_holds(const struct vcpu *v, u32 rip)
{
    return rip - (u32)(u64)v->copy_code < COPIES * SLOT;
}

/* NMI and machine check are not raised by the instruction; all others are. */
bool copied_fault(const struct vcpu *v, struct frame *f)
{
    if (f->vector == VECTOR_NMI || f->vector == VECTOR_MC || f->vector >= EXCEPTIONS ||
        f->rip - (u64)v->copy_code >= COPIES * SLOT)
        return false;
    f->rip = (u64)copy_failed;
    return true;
}
