/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CR4.PCE is virtual. The guest always runs with it set, because TCG checks it before the RDPMC intercept, while the
 * model has to decide whether RDPMC is allowed at CPL 3. DR6.BS is virtual while a foreign guest is stepped: each trap
 * sets it, and few traps are the guest's.
 */
#include "hosting/monitor/guest/control.h"
#include "hosting/monitor/guest/deliver.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/vcpu.h"
#include "kernel/register/instructions.h"

#define MOV_FROM_CR 0x20
#define MOV_FROM_DR 0x21
#define MOV_TO_CR 0x22
#define MOV_TO_DR 0x23

/* The general register with this number, as a ModRM byte's r/m field has it. */
static u64 *general_register(struct frame *f, unsigned number)
{
    u64 *registers[] = {&f->rax, &f->rcx, &f->rdx, &f->rbx, &f->rsp, &f->rbp, &f->rsi, &f->rdi,
                        &f->r8,  &f->r9,  &f->r10, &f->r11, &f->r12, &f->r13, &f->r14, &f->r15};
    return registers[number & 15];
}

/* Bits of CR4 that exist if CPUID says so: SDM 3A, "Control Registers". All from VME to OSXMMEXCPT are taken as given.
 * */
static u64 existing_bits(void)
{
    enum { EBX, ECX };
    static const struct {
        u8 bit, leaf, word, feature;
    } rows[] = {{11, 7, ECX, 2}, {12, 7, ECX, 16}, {16, 7, EBX, 0}, {17, 1, ECX, 17}, {18, 1, ECX, 26},
                {20, 7, EBX, 7}, {21, 7, EBX, 20}, {22, 7, ECX, 3}, {24, 7, ECX, 31}};
    u64 bits = MASK(10, 0);
    for_each_row (rows, row) {
        struct cpuid_regs r = cpuid(row->leaf, 0);
        bits |= (row->word == EBX ? r.ebx : r.ecx) >> row->feature & 1 ? BIT(row->bit) : 0;
    }
    return bits;
}

void control_start(struct vcpu *v)
{
    v->guest_pce = v->vmcb->cr4 & CR4_PCE;
    v->vmcb->cr4 |= CR4_PCE;
}

static u64 read_control(const struct vcpu *v)
{
    return (v->vmcb->cr4 & ~CR4_PCE) | (v->guest_pce ? CR4_PCE : 0);
}

/* False: the store faults. */
static bool write_control(struct vcpu *v, u64 value)
{
    if (value & ~existing_bits())
        return false;
    v->guest_pce = value & CR4_PCE;
    v->vmcb->cr4 = value | CR4_PCE;
    v->vmcb->tlb_control = FLUSH_ALL; /* as a change of the paging mode would do */
    return true;
}

static u64 read_debug(const struct vcpu *v)
{
    return (v->vmcb->dr6 & ~DR6_BS) | (v->guest_bs ? DR6_BS : 0);
}

static bool write_debug(struct vcpu *v, u64 value)
{
    if (value >> 32)
        return false;
    v->guest_bs = value & DR6_BS;
    v->vmcb->dr6 = value | DR6_RESET;
    return true;
}

/* A MOV to or from CR4 or DR6. */
struct move {
    u8 opcode;
    u8 length;
    u64 *general;
};

static bool take_apart(struct vcpu *v, struct frame *f, struct move *m)
{
    u8 bytes[4] = {0};
    u64 linear = guest_linear(v, &v->vmcb->cs, f->rip);
    if (!guest_read(v, bytes, linear, 3))
        return false;
    unsigned rex = runs_code64(v) && is_rex(bytes[0]);
    if (rex && !guest_read(v, bytes + 3, linear + 3, 1))
        return false;
    const u8 *code = bytes + rex;
    *m = (struct move){code[1], (u8)(rex + 3), general_register(f, (code[2] & 7u) | (rex && bytes[0] & 1 ? 8 : 0))};
    return code[0] == 0x0f;
}

bool control_access(struct vcpu *v, struct frame *f)
{
    struct move m;
    u64 rip = f->rip;
    bool done = true;
    if (!take_apart(v, f, &m))
        return false;
    if (m.opcode == MOV_FROM_CR)
        *m.general = read_control(v);
    else if (m.opcode == MOV_FROM_DR)
        *m.general = read_debug(v);
    else if (m.opcode == MOV_TO_CR)
        done = write_control(v, *m.general);
    else if (m.opcode == MOV_TO_DR)
        done = write_debug(v, *m.general);
    else
        return false;
    if (!done) {
        deliver_gp(v, f);
        return true;
    }
    f->rip += m.length;
    retire(v, f, RETIRED_PLAIN, rip, f->cs & 3, false);
    return true;
}
