/* SPDX-License-Identifier: BSD-2-Clause */
/* What the model asks of the machine, and the machine's own PMU meanwhile. */
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "reference/step/access.h"
#include "reference/step/trap/sites.h"
#include "reference/step/trap/stepped.h"

#define REQUESTED 2 /* boundaries with IF set at which the local APIC may interrupt */
#define LEAF_PMU 0xau

void machine_fatal(const struct stepped *s, const struct frame *f)
{
    if (!s->cpu)
        sites_restore();
    fatal_fault(f);
}

static u32 lvtpc_read(void *context)
{
    return apic_there(context) ? apic_load(context, APIC_LVT_PC) : (u32)LVT_MASKED;
}

static void lvtpc_write(void *context, u32 value)
{
    apic_store(context, APIC_LVT_PC, value);
}

/* By the local APIC, so that ISR, EOI, TPR and IF mean what they always do. */
static void request_interrupt(void *context, u8 vector)
{
    struct stepped *s = context;
    s->requested = REQUESTED;
    s->requested_vector = vector;
    apic_store(s, APIC_ICR, (u32)(ICR_SELF | ICR_ASSERT) | vector);
}

static void pend_nmi(void *context)
{
    struct stepped *s = context;
    s->pending.nmi = true;
}

static void pend_machine_check(void *context)
{
    struct stepped *s = context;
    s->pending.machine_check = true;
}

/* Only for defects: bypasses the APIC's arbiter, or interrupts another CPU. */
static void force_interrupt(void *context, u8 vector)
{
    struct stepped *s = context;
    s->pending.forced_vector = vector;
}

/* The program may be about to send, too: its destination stays. */
static void send(struct stepped *s, u32 cpu, u32 command)
{
    u32 found = apic_load(s, APIC_ICR_HIGH);
    apic_store(s, APIC_ICR_HIGH, cpu_apic_id(cpu) << 24);
    apic_store(s, APIC_ICR, command);
    apic_store(s, APIC_ICR_HIGH, found);
}

static void interrupt_other(void *context, u32 cpu, u8 vector, bool nmi)
{
    send(context, cpu, nmi ? (u32)(ICR_NMI | ICR_ASSERT) : vector);
}

static void wake_other(void *context, u32 cpu)
{
    send(context, cpu, VECTOR_WAKE);
}

/* Time in system management mode passes for every clock. */
static void stall(void *context, u32 ticks)
{
    u64 end = rdtsc() + ticks;
    (void)context;
    while (rdtsc() < end)
        ;
}

static u64 read_time(void *context)
{
    (void)context;
    return rdtsc();
}

static bool memory_read(void *context, u64 address, void *to, u32 count)
{
    (void)context;
    return guest_copy(to, (const void *)address, count);
}

static bool memory_write(void *context, u64 address, const void *from, u32 count)
{
    (void)context;
    return guest_copy((void *)address, from, count);
}

/* Zeros if the program has not enabled XMM registers. */
static void read_xmm(u64 xmm[16][2])
{
    for (unsigned i = 0; i < 16; i++)
        xmm[i][0] = xmm[i][1] = 0;
    if (read_cr4() & CR4_OSFXSR && !(read_cr0() & (CR0_EM | CR0_TS)))
        guest_xmm(xmm);
}

static void read_registers(void *context, struct model_registers *registers)
{
    const struct stepped *s = context;
    const struct frame *f = s->retiring;
    registers->rip = f->rip;
    registers->rflags = (f->rflags & ~RFLAGS_TF) | (s->program_tf ? RFLAGS_TF : 0);
    for (unsigned i = 0; i < ARRAY_SIZE(registers->general); i++)
        registers->general[i] = frame_value(f, i);
    read_xmm(registers->xmm);
}

void machine_reset_model(struct stepped *s)
{
    bool apic = apic_there(s);
    struct model_host host = {
        .context = s,
        .lvtpc_read = lvtpc_read,
        .lvtpc_write = lvtpc_write,
        .interrupt = request_interrupt,
        .nmi = pend_nmi,
        .interrupt_forced = force_interrupt,
        .interrupt_other = interrupt_other,
        .wake_other = wake_other,
        .machine_check = pend_machine_check,
        .stall = stall,
        .apic_read = apic ? (u32(*)(void *, u32))apic_load : NULL,
        .apic_write = apic ? (void (*)(void *, u32, u32))apic_store : NULL,
        .time = read_time,
        .memory_read = memory_read,
        .memory_write = memory_write,
        .physical_read = memory_read, /* memory is mapped at its own address */
        .physical_write = memory_write,
        .registers = read_registers,
    };
    lvtpc_write(s, (u32)LVT_MASKED);
    model_reset(s->model, &s->setup, &host);
}

void machine_reset(struct stepped *s)
{
    s->pending.any = 0;
    s->nmi_blocked = false;
    s->forced = false;
    machine_reset_model(s);
}

/* SDM 3B, "Architectural Performance Monitoring": IA32_PERF_GLOBAL_CTRL exists from version 2 on. */
static bool has_global_ctrl(void)
{
    u32 leaf[4];
    native_cpuid(0, 0, leaf);
    if (leaf[0] < LEAF_PMU)
        return false;
    native_cpuid(LEAF_PMU, 0, leaf);
    return (leaf[0] & MASK(7, 0)) >= 2;
}

static bool set_global_ctrl(u64 value)
{
    struct frame f = {.rcx = MSR_PERF_GLOBAL_CTRL, .rax = (u32)value, .rdx = value >> 32};
    return natively(&f, true);
}

void machine_pmu_stop(struct stepped *s)
{
    if (s->pmu_stopped || !has_global_ctrl() || !native_rdmsr(MSR_PERF_GLOBAL_CTRL, &s->global_ctrl))
        return;
    s->pmu_stopped = s->global_ctrl && set_global_ctrl(0);
}

void machine_pmu_go_on(struct stepped *s)
{
    if (s->pmu_stopped)
        set_global_ctrl(s->global_ctrl);
    s->pmu_stopped = false;
}
