/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts a CPU under the monitor, and does what the model asks of the machine. */
#include "hosting/monitor/run/enter.h"
#include "hosting/monitor/guest/control.h"
#include "hosting/monitor/guest/copied.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/hidden.h"
#include "hosting/monitor/guest/patch.h"
#include "hosting/monitor/guest/record.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/run/apic_page.h"
#include "hosting/monitor/run/intercept.h"
#include "hosting/monitor/run/nested.h"
#include "hosting/monitor/run/startup.h"
#include "hosting/monitor/step/blocks.h"
#include "hosting/monitor/step/shadow.h"
#include "hosting/monitor/step/transition.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "pmu/gate/write.h"
#include "reference/step/interpreter/interpret.h"
#include "reference/step/tables.h"

#define STACK_PAGES (MONITOR_STACK / PAGE_SIZE)
#define PAT_POWER_ON 0x0007040600070406ull
#define TCG_SIGNATURE 0x54474354 /* "TCGT", EBX of leaf 40000000H */
#define MSR_RANGE 0x2000u
/* Costs on a machine of ordinary speed. */
#define STEP_NS 300
#define TRAP_NS 1000
#define FORWARDED_NS 5
#define EXIT_US 10
#define MSR_RANGE2 0xc0000000u

extern const u8 host_stubs[];
static u8 msr_permissions[2 * PAGE_SIZE] __attribute__((aligned(4096)));
static u8 io_permissions[3 * PAGE_SIZE] __attribute__((aligned(4096)));
static struct gate host_idt[256] __attribute__((aligned(16)));

void vcpu_fill_guest(struct vcpu *v, u64 rsp, u64 rip, u64 rflags); /* called by vmrun.asm */

bool monitor_active(void)
{
    return vcpu() && vcpu()->active;
}

const char *monitor_unavailable(void)
{
    if (monitor_active())
        return NULL;
    if (!cpuid_has(CPUID_SVM))
        return "the CPU has no SVM: run QEMU with -accel tcg -cpu max (or any model with +svm)";
    if (!cpuid_has(CPUID_HYPERVISOR) || cpuid(0x40000000, 0).ebx != TCG_SIGNATURE)
        return "stepping relies on QEMU's TCG: run QEMU with -accel tcg";
    if (apic_x2())
        return "the local APIC is in x2APIC mode, which the monitor cannot pass through: run QEMU with -cpu "
               "max,-x2apic";
    return NULL;
}

/* ---- What the model asks of the machine. */

static bool in_guest_half(const struct vcpu *v)
{
    return v->in_stub && !v->exiting;
}

/* The page is read-only in the in-guest half as well, which therefore calls the host's side. */
static void page_write(struct vcpu *v, u32 offset, u32 value)
{
    if (guest_time_owns_apic(v, offset))
        guest_time_apic_write(v, offset, value);
    else if (in_guest_half(v))
        stepper_call(CALL_APIC_WRITE, (u64)offset << 32 | value);
    else
        apic_page_set(offset, value);
}

static u32 page_read(struct vcpu *v, u32 offset)
{
    if (guest_time_owns_apic(v, offset))
        return guest_time_apic_read(v, offset);
    bool unseen = v->apic.hidden || keeps_time(v);
    return in_guest_half(v) && unseen ? (u32)stepper_call(CALL_APIC_READ, offset) : apic_page_read(offset);
}

static u32 lvtpc_read(void *context)
{
    return apic_present() ? page_read(context, APIC_LVT_PC) : (u32)LVT_MASKED;
}

static void lvtpc_write(void *context, u32 value)
{
    if (apic_present())
        page_write(context, APIC_LVT_PC, value);
}

/* By the local APIC, so that ISR, EOI, TPR and IF mean what they always do. */
static void request_interrupt(void *context, u8 vector)
{
    struct vcpu *v = context;
    v->requested = REQUESTED;
    v->requested_vector = vector;
    page_write(v, APIC_ICR, (u32)(ICR_SELF | ICR_ASSERT) | vector);
}

static void pend_nmi(void *context)
{
    struct vcpu *v = context;
    v->pending.nmi = true;
}

/* Only for defects: bypasses the APIC's arbiter, or interrupts another CPU. */
static void force_interrupt(void *context, u8 vector)
{
    struct vcpu *v = context;
    v->pending.forced_vector = vector;
}

static void interrupt_other(void *context, u32 cpu, u8 vector, bool nmi)
{
    u32 destination = page_read(context, APIC_ICR_HIGH); /* the guest's, who may be about to send */
    page_write(context, APIC_ICR_HIGH, cpu_apic_id(cpu) << 24);
    page_write(context, APIC_ICR, nmi ? (u32)(ICR_NMI | ICR_ASSERT) : vector);
    page_write(context, APIC_ICR_HIGH, destination);
}

/* Makes another CPU exit: in this image an interrupt wakes it, or its end exits; a foreign guest never sees the NMI. */
static void wake_other(void *context, u32 cpu)
{
    struct vcpu *v = context, *to = vcpu_of(cpu);
    if (!apic_present() || (is_foreign(v) && !(to && startup_wake(to))))
        return;
    u32 found = page_read(v, APIC_ICR_HIGH); /* the guest may be about to send, too */
    page_write(v, APIC_ICR_HIGH, cpu_apic_id(cpu) << 24);
    page_write(v, APIC_ICR, is_foreign(v) ? (u32)(ICR_NMI | ICR_ASSERT) : VECTOR_WAKE);
    page_write(v, APIC_ICR_HIGH, found);
}

static void machine_check(void *context)
{
    struct vcpu *v = context;
    v->pending.machine_check = true;
}

static u32 apic_register_read(void *context, u32 offset)
{
    return page_read(context, offset);
}

static void apic_register_write(void *context, u32 offset, u32 value)
{
    struct vcpu *v = context;
    if (!is_foreign(v) || offset != APIC_ICR || !startup_sends(value))
        page_write(context, offset, value);
    else if (in_guest_half(v))
        stepper_call(CALL_STARTUP, value);
    else
        startup_send(v, value);
}

static void apic_mode(void *context, bool page, bool forgets)
{
    struct vcpu *v = context;
    if (!is_foreign(v))
        return; /* this image's page stays: the monitor reads it, and in x2APIC mode nobody else does */
    if (in_guest_half(v))
        stepper_call(CALL_APIC_MODE, (page ? MODE_HAS_PAGE : 0) | (forgets ? MODE_FORGETS : 0));
    else
        apic_page_mode(v, page, forgets);
}

/* Time in system management mode passes for every clock. */
static void stall(void *context, u32 ticks)
{
    struct vcpu *v = context;
    if (keeps_time(v) && guest_time_lose(v, ticks))
        return;
    u64 end = guest_rdtsc() + ticks;
    while (guest_rdtsc() < end)
        ;
}

static u64 read_time(void *context)
{
    struct vcpu *v = context;
    return keeps_time(v) ? guest_time_tsc(v) : rdtsc();
}

void monitor_reset_model(struct vcpu *v)
{
    struct model_host host = {
        .context = v,
        .lvtpc_read = lvtpc_read,
        .lvtpc_write = lvtpc_write,
        .interrupt = request_interrupt,
        .nmi = pend_nmi,
        .interrupt_forced = force_interrupt,
        .interrupt_other = interrupt_other,
        .wake_other = wake_other,
        .machine_check = machine_check,
        .stall = stall,
        .apic_read = apic_present() ? apic_register_read : NULL,
        .apic_write = apic_present() ? apic_register_write : NULL,
        .apic_mode = apic_mode,
        .time = read_time,
    };
    record_callbacks(&host);
    lvtpc_write(v, (u32)LVT_MASKED);
    model_reset(v->model, &v->setup, &host);
}

/* ---- Permission map and host tables: the same for every CPU. */

/* Atomic, as several CPUs fill the map at once, and the first of them may already be a guest. */
void monitor_intercept_msr(u32 msr)
{
    u32 offset = msr < MSR_RANGE ? msr : MSR_RANGE + (msr - MSR_RANGE2);
    __atomic_fetch_or(&msr_permissions[offset / 4], (u8)(3u << (offset % 4 * 2)), __ATOMIC_RELAXED);
}

void monitor_intercept_port(u16 port, bool on)
{
    u8 bit = (u8)(1u << port % 8);
    if (on)
        __atomic_fetch_or(&io_permissions[port / 8], bit, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(&io_permissions[port / 8], (u8)~bit, __ATOMIC_RELAXED);
}

static void build_tables(void)
{
    for (u32 msr = 0; msr < MSR_RANGE; msr++)
        if (model_owns_msr(msr))
            monitor_intercept_msr(msr);
    monitor_intercept_msr(MSR_EFER);
    if (smi_port())
        monitor_intercept_port(smi_port(), true);
    for (unsigned vector = 0; vector < 256; vector++)
        host_idt[vector] = interrupt_gate((u64)host_stubs + 16 * vector, 0, 0x8e);
}

/* ---- The guest: this CPU's own state, continuing where monitor_enter() was called. */

static struct vmcb_segment flat_segment(u16 selector, u16 attributes)
{
    return (struct vmcb_segment){.selector = selector, .attributes = attributes, .limit = 0xffffffff};
}

static void fill_segments(struct vmcb *c)
{
    struct table_pointer gdt, idt;
    __asm__ volatile("sgdt %0" : "=m"(gdt));
    __asm__ volatile("sidt %0" : "=m"(idt));
    c->gdtr = (struct vmcb_segment){.limit = gdt.limit, .base = gdt.base};
    c->idtr = (struct vmcb_segment){.limit = idt.limit, .base = idt.base};
    c->cs = flat_segment(SELECTOR_CODE, 0xa9b);
    c->ss = c->ds = c->es = flat_segment(SELECTOR_DATA, 0xc93);
}

void vcpu_fill_guest(struct vcpu *v, u64 rsp, u64 rip, u64 rflags)
{
    struct vmcb *c = v->vmcb;
    fill_segments(c);
    c->rsp = rsp;
    c->rip = rip;
    c->rflags = rflags;
    c->cr0 = read_cr0();
    c->cr3 = read_cr3();
    c->cr4 = read_cr4();
    c->efer = rdmsr(MSR_EFER);
    u64 pat = PAT_POWER_ON;
    rdmsr_try(MSR_PAT, &pat);
    c->pat = pat;
    c->dr6 = DR6_RESET;
    c->dr7 = DR7_RESET;
    copied_start();
    c->asid = 1;
    c->msr_permissions = (u64)msr_permissions;
    c->io_permissions = (u64)io_permissions;
    control_start(v);
    transition_enter(v);
    intercepts_set(v, false);
    patch_cpu_resident();
    idt_load(host_idt, sizeof(host_idt));
    __asm__ volatile("clgi");
}

static bool create_stacks(struct vcpu *v)
{
    u8 *pages = pages_alloc(MONITOR_STACKS * STACK_PAGES + STACK_PAGES - 1);
    v->stacks = (u8 *)(((u64)pages + MONITOR_STACK - 1) & ~(MONITOR_STACK - 1));
    for (unsigned n = 0; pages && n < MONITOR_STACKS; n++)
        *(struct vcpu **)(v->stacks + n * MONITOR_STACK + MONITOR_STACK_TOP) = v;
    v->host_stack = (u64)v->stacks + STACK_HOST * MONITOR_STACK + MONITOR_STACK_TOP + sizeof(u64);
    return pages;
}

static struct vcpu *create(u32 cpu)
{
    struct vcpu *v = pages_alloc((sizeof(*v) + PAGE_SIZE - 1) / PAGE_SIZE);
    void *model = pages_alloc((model_size() + PAGE_SIZE - 1) / PAGE_SIZE);
    struct vmcb *control = pages_alloc(3);
    if (!v || !model || !control || !create_stacks(v))
        return NULL;
    v->cpu = cpu;
    v->vmcb = control;
    v->host_save = control + 1;
    v->segments = control + 2;
    v->model = model;
    build_tables();
    return shadow_init(v) && apic_page_init(v) && blocks_init(v) && copied_init(v) ? v : NULL;
}

/* What it was in the middle of: a sleep, on the host's side. */
static void forget(struct vcpu *v)
{
    transition_forget(v);
    v->in_stub = v->pending.any = 0;
    v->requested = 0;
    v->exiting = v->hangs = v->asleep = v->forced = v->guest_tf = v->nmi_blocked = v->returning = false;
    v->host_irq = v->host_nmi = v->woken = v->apic.open = false;
    v->idle = v->idled = (struct idle){0};
    v->vmcb->event_injection = v->vmcb->interrupt_shadow = 0;
}

static void put_under(struct vcpu *v)
{
    wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SVME);
    wrmsr(MSR_VM_HSAVE_PA, (u64)v->host_save);
    v->active = true;
    monitor_enter(v);
}

bool monitor_arm(const struct model_setup *setup)
{
    u32 cpu = cpu_index();
    struct vcpu *v = vcpu_of(cpu);
    if (!v && !(v = create(cpu)))
        return false;
    vcpu_keep(v);
    v->setup = *setup;
    if (!(v->setup.core = stepper_core(cpu)))
        return false;
    if (v->active) {
        stepper_call(CALL_REARM, 0);
    } else {
        forget(v);
        monitor_reset_model(v);
        put_under(v);
    }
    stepper_drain();
    return true;
}

void monitor_leaves(u32 cpu)
{
    struct vcpu *v = vcpu_of(cpu);
    if (!v || !v->active)
        return;
    v->active = false;
    patch_cpu_leaves();
}

void monitor_stays(u32 cpu)
{
    struct vcpu *v = vcpu_of(cpu);
    if (!v || v->active)
        return;
    v->active = true;
    patch_cpu_resident();
}

void monitor_comes_back(void)
{
    struct vcpu *v = vcpu();
    if (!v || v->active)
        return;
    forget(v);
    model_halted(v->model, false);
    model_init_pmu(v->model);
    put_under(v);
    stepper_drain();
}

void monitor_set_stepping(enum monitor_stepping how)
{
    stepper_call(CALL_STEPPING, how);
}

void monitor_park(void)
{
    for (;;)
        stepper_call(CALL_PARK, 0);
}

bool monitor_parked(u32 cpu)
{
    const struct vcpu *v = vcpu_of(cpu);
    return v && startup_waits(v);
}

void monitor_host(const struct monitor_guest *guest)
{
    stepper_drain(); /* another CPU may have sent its wake-up when its work was done */
    cli();
    for (;;)
        stepper_call(CALL_HOST, (u64)guest);
}

bool monitor_can_hide(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (vcpu_of(cpu) && !nested_create_hiding(vcpu_of(cpu)))
            return false;
    return true;
}

bool monitor_hide(u64 base, u64 end)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (vcpu_of(cpu))
            nested_hide(vcpu_of(cpu), base, end);
    return hidden_add(base, end);
}

struct stepper_statistics monitor_statistics(void)
{
    return vcpu()->statistics;
}

u64 monitor_work_us(u32 cpu)
{
    const struct vcpu *v = vcpu_of(cpu);
    if (!v)
        return 0;
    const struct stepper_statistics *s = &v->statistics;
    u64 steps = s->steps - s->forwarded, exits = s->exits - s->hung;
    return (steps * STEP_NS + s->traps * TRAP_NS + s->accesses * TRAP_NS + s->forwarded * FORWARDED_NS) / 1000 +
           exits * EXIT_US;
}
