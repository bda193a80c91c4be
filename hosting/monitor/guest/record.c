/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a PEBS record reads and writes the guest's memory and registers: by the guest's linear addresses. A trace uses
 * physical addresses, which are the monitor's own.
 */
#include "hosting/monitor/guest/record.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/vcpu.h"
#include "kernel/register/instructions.h"

static bool memory_read(void *context, u64 address, void *to, u32 count)
{
    return guest_read(context, to, address, count);
}

static bool memory_write(void *context, u64 address, const void *from, u32 count)
{
    return guest_write(context, address, from, count);
}

static bool physical_read(void *context, u64 address, void *to, u32 count)
{
    (void)context;
    return guest_copy(to, (const void *)address, count);
}

static bool physical_write(void *context, u64 address, const void *from, u32 count)
{
    (void)context;
    return guest_copy((void *)address, from, count);
}

/* Zeros if the guest has not enabled XMM registers. Inside the guest an access to CR4 would exit. */
static void read_xmm(const struct vcpu *v, u64 xmm[16][2])
{
    for (unsigned i = 0; i < 16; i++)
        xmm[i][0] = xmm[i][1] = 0;
    u64 cr0 = v->in_stub ? read_cr0() : v->vmcb->cr0;
    if (!(v->vmcb->cr4 & CR4_OSFXSR) || (cr0 & (CR0_EM | CR0_TS)))
        return;
    if (!v->in_stub)
        write_cr4(read_cr4() | CR4_OSFXSR);
    guest_xmm(xmm);
}

static void read_registers(void *context, struct model_registers *registers)
{
    const struct vcpu *v = context;
    const struct frame *f = v->retiring;
    registers->rip = f->rip;
    registers->rflags = (f->rflags & ~RFLAGS_TF) | (v->guest_tf ? RFLAGS_TF : 0);
    for (unsigned i = 0; i < ARRAY_SIZE(registers->general); i++)
        registers->general[i] = frame_value(f, i);
    read_xmm(v, registers->xmm);
}

void record_callbacks(struct model_host *host)
{
    host->memory_read = memory_read;
    host->memory_write = memory_write;
    host->physical_read = physical_read;
    host->physical_write = physical_write;
    host->registers = read_registers;
}
