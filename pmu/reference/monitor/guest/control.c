/*
 * CR4.PCE is virtual. The guest always runs with it set, because TCG checks it before it offers RDPMC to us, and
 * whether RDPMC is allowed at CPL 3 is the model's to say.
 */
#include "pmu/reference/monitor/guest/control.h"
#include "kernel/cpu/instructions.h"
#include "pmu/reference/monitor/guest/deliver.h"
#include "pmu/reference/monitor/guest/guest_memory.h"
#include "pmu/reference/monitor/guest/retire.h"
#include "pmu/reference/monitor/vcpu.h"

#define MOV_FROM_CR 0x20
#define MOV_TO_CR 0x22
#define FLUSH_ALL 1

/* The general register of a ModRM byte's r/m field. */
static u64 *general_register(struct frame *f, unsigned number)
{
    u64 *registers[] = {&f->rax, &f->rcx, &f->rdx, &f->rbx, &f->rsp, &f->rbp, &f->rsi, &f->rdi,
                        &f->r8,  &f->r9,  &f->r10, &f->r11, &f->r12, &f->r13, &f->r14, &f->r15};
    return registers[number & 15];
}

/* Bits of CR4 that exist where CPUID says so: SDM 3A, "Control Registers". All from VME to OSXMMEXCPT are taken as
 * given. */
static u64 existing_bits(void)
{
    enum { EBX, ECX };
    static const struct {
        u8 bit, leaf, word, feature;
    } rows[] = {{11, 7, ECX, 2}, {12, 7, ECX, 16}, {16, 7, EBX, 0}, {17, 1, ECX, 17}, {18, 1, ECX, 26},
                {20, 7, EBX, 7}, {21, 7, EBX, 20}, {22, 7, ECX, 3}, {24, 7, ECX, 31}};
    u64 bits = MASK(10, 0);
    for_each_row (rows, row) {
        struct cpuid_result r = cpuid(row->leaf, 0);
        bits |= (row->word == EBX ? r.ebx : r.ecx) >> row->feature & 1 ? BIT(row->bit) : 0;
    }
    return bits;
}

void control_start(struct vcpu *v)
{
    v->guest_pce = v->vmcb->cr4 & CR4_PCE;
    v->vmcb->cr4 |= CR4_PCE;
}

bool control_access(struct vcpu *v, struct frame *f)
{
    u8 bytes[4] = {0};
    if (!guest_read(v, bytes, f->rip, 3))
        return false;
    unsigned rex = is_rex(bytes[0]);
    if (rex && !guest_read(v, bytes + 3, f->rip + 3, 1))
        return false;
    const u8 *opcode = bytes + rex;
    if (opcode[0] != 0x0f || (opcode[1] != MOV_FROM_CR && opcode[1] != MOV_TO_CR))
        return false;
    u64 *general = general_register(f, (opcode[2] & 7u) | (rex && bytes[0] & 1 ? 8 : 0));
    u64 rip = f->rip;
    if (opcode[1] == MOV_TO_CR && *general & ~existing_bits()) {
        deliver_gp(v, f);
        return true;
    }
    if (opcode[1] == MOV_FROM_CR) {
        *general = (v->vmcb->cr4 & ~CR4_PCE) | (v->guest_pce ? CR4_PCE : 0);
    } else {
        v->guest_pce = *general & CR4_PCE;
        v->vmcb->cr4 = *general | CR4_PCE;
        v->vmcb->tlb_control = FLUSH_ALL; /* as a change of the paging mode would */
    }
    f->rip += rex + 3;
    retire(v, f, RETIRED_PLAIN, rip, f->cs & 3, false);
    return true;
}
