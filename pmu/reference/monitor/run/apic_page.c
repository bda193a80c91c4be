/*
 * The local APIC's page, watched: QEMU stores an LVT entry as it was written, hardware does not. Nested paging maps the
 * page read-only; a store to it exits, is made here or, where it cannot be, let through for one instruction, and what
 * it left is then put right by the model. From a foreign guest with a clock of its own, whose timer is not the
 * machine's, loads exit as well. While a foreign guest has disabled the APIC, or has it in x2APIC mode, a page of plain
 * memory lies there.
 */
#include "pmu/reference/monitor/run/apic_page.h"
#include "kernel/core/memory.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "kernel/text/string.h"
#include "pmu/reference/monitor/guest/guest.h"
#include "pmu/reference/monitor/guest/look.h"
#include "pmu/reference/monitor/guest/retire.h"
#include "pmu/reference/monitor/guest/time.h"
#include "pmu/reference/monitor/interpreter/interpret.h"
#include "pmu/reference/monitor/run/nested.h"
#include "pmu/reference/monitor/run/startup.h"
#include "pmu/reference/monitor/step/step.h"
#include "pmu/reference/monitor/vmrun.h"

#define REGISTER_STEP 0x10u

/* What it is while no store is under way. */
static u64 closed(const struct vcpu *v)
{
    if (v->apic.hidden)
        return (u64)v->apic.scratch | NESTED_ALL;
    return keeps_time(v) ? 0 : v->apic.page | NESTED_READ;
}

bool apic_page_init(struct vcpu *v)
{
    u64 base;
    if (!apic_present() || rdmsr_try(MSR_APIC_BASE, &base) != NO_FAULT)
        return true; /* nothing to watch */
    v->apic.scratch = pages_alloc(1);
    v->apic.page = base & APIC_BASE_ADDRESS;
    v->apic.entry = nested_create(v, v->apic.page);
    if (!v->apic.scratch || !v->apic.entry)
        return false;
    *v->apic.entry = closed(v);
    return true;
}

void apic_page_foreign(struct vcpu *v)
{
    if (!v->apic.entry)
        return;
    *v->apic.entry = closed(v);
    v->vmcb->tlb_control = FLUSH_ALL;
}

static bool at_page(const struct vcpu *v)
{
    return v->apic.entry && (v->vmcb->exit_info2 & ~(PAGE_SIZE - 1)) == v->apic.page;
}

/* Nested paging does not bind us: the store is made here. */
bool apic_page_store(struct vcpu *v, struct frame *f)
{
    if (is_foreign(v) || !at_page(v))
        return false;
    if (is_stepped(v))
        step_interrupted(v, f);
    step_look(v, f);
    u64 rip = f->rip;
    if (!interpret(&v->at->operation, f, 0))
        return false;
    model_apic_written(v->model);
    retire(v, f, RETIRED_PLAIN, rip, f->cs & 3, false);
    return true;
}

static u32 *shown(struct vcpu *v, u32 offset)
{
    return &v->apic.scratch[offset / sizeof(u32)];
}

/* A page of ours in its place, to be looked at afterwards: a command before it is sent, the guest's own timer. */
static void open_scratch(struct vcpu *v)
{
    static const u16 timer[] = {APIC_LVT_TIMER, APIC_TIMER_INITIAL, APIC_TIMER_CURRENT, APIC_TIMER_DIVIDE};
    for_each_row (timer, offset)
        *shown(v, *offset) = guest_time_apic_read(v, *offset);
    *shown(v, APIC_ICR) = apic_page_read(APIC_ICR);
    v->apic.before = *shown(v, v->apic.offset);
    *v->apic.entry = (u64)v->apic.scratch | NESTED_ALL;
}

bool apic_page_fault(struct vcpu *v, struct frame *f)
{
    if (!at_page(v))
        return false;
    v->apic.offset = (u32)(v->vmcb->exit_info2 % PAGE_SIZE) & ~(REGISTER_STEP - 1);
    v->apic.stores = v->vmcb->exit_info1 & NESTED_FAULT_WRITE;
    v->apic.instead = is_foreign(v) && (v->apic.offset == APIC_ICR || guest_time_owns_apic(v, v->apic.offset));
    if (v->apic.instead)
        open_scratch(v);
    else
        *v->apic.entry = v->apic.page | NESTED_ALL;
    v->vmcb->tlb_control = FLUSH_ALL;
    v->apic.open = true;
    if (!is_stepped(v)) {
        v->alone_tf = f->rflags & RFLAGS_TF;
        f->rflags |= RFLAGS_TF;
    }
    return true;
}

/* What was stored into the page of ours. One that reads and then stores has not always said so when it faulted. */
static void take_store(struct vcpu *v)
{
    u32 value = *shown(v, v->apic.offset);
    if (!v->apic.stores && value == v->apic.before)
        return;
    if (v->apic.offset != APIC_ICR)
        guest_time_apic_write(v, v->apic.offset, value);
    else if (startup_sends(value))
        startup_send(v, value);
    else
        apic_page_write(APIC_ICR, value);
}

void apic_page_close(struct vcpu *v, struct frame *f)
{
    if (v->apic.instead)
        take_store(v);
    *v->apic.entry = closed(v);
    v->vmcb->tlb_control = FLUSH_ALL;
    v->apic.open = false;
    if (!is_stepped(v) && !v->alone_tf)
        f->rflags &= ~RFLAGS_TF;
    model_apic_written(v->model);
}

/*
 * QEMU goes on asking the CPU to take an interrupt of the 8259's after LINT0 was masked, and then finds none, which
 * ends in #GP. It looks anew when SVR is written with the APIC enabled; a TPR of FFH keeps all else out meanwhile.
 */
static void withdraw(void)
{
    u32 spurious = apic_page_read(APIC_SPURIOUS), priority = apic_page_read(APIC_TPR);
    apic_page_write(APIC_TPR, 0xff);
    apic_page_write(APIC_SPURIOUS, spurious | SPURIOUS_ENABLE);
    apic_page_write(APIC_SPURIOUS, spurious);
    apic_page_write(APIC_TPR, priority);
}

void apic_page_set(u32 offset, u32 value)
{
    apic_page_write(offset, value);
    if (offset == APIC_LVT_LINT0 && value & LVT_MASKED)
        withdraw();
}

/* ---- Modes */

#define VECTORS 256u
#define VECTORS_A_REGISTER 32u
#define SPURIOUS_RESET 0xffu
#define DFR_FLAT 0xffffffffu
#define NOBODY 0xfeu /* as a destination */

/* Of the eight registers from there on, a bit for each vector. */
static bool any(u32 first)
{
    for (u32 i = 0; i < VECTORS / VECTORS_A_REGISTER; i++)
        if (apic_page_read(first + i * REGISTER_STEP))
            return true;
    return false;
}

/*
 * QEMU's APIC is reset with the machine only. What is in service is ended here, what is requested is taken and ended in
 * the guest's place, and a command to nobody leaves zeros. A level that stays up may ask again and again.
 */
static void forget(struct vcpu *v)
{
    u32 pin = apic_page_read(APIC_LVT_LINT0);
    apic_page_write(APIC_LVT_LINT0, LVT_MASKED); /* none of the 8259's */
    apic_page_write(APIC_SPURIOUS, SPURIOUS_ENABLE | SPURIOUS_RESET);
    for (u32 n = 0; n < VECTORS && any(APIC_ISR); n++)
        apic_page_write(APIC_EOI, 0);
    for (u32 n = 0; n < VECTORS && any(APIC_IRR); n++) {
        host_take_interrupts();
        apic_page_write(APIC_EOI, 0);
    }
    v->host_irq = false;
    startup_take_nmi(v);
    apic_page_write(APIC_SPURIOUS, SPURIOUS_RESET);
    apic_page_write(APIC_LVT_LINT0, pin);
    apic_page_write(APIC_ICR_HIGH, NOBODY << 24);
    apic_page_write(APIC_ICR, 0);
    apic_page_write(APIC_ICR_HIGH, 0);
}

/*
 * x2APIC mode has a logical id of its own: a cluster of sixteen CPUs, and a bit in it. Below, as far as eight bits go,
 * the flat model means the same by them.
 */
static void set_logical_id(void)
{
    apic_page_write(APIC_DFR, DFR_FLAT);
    apic_page_write(APIC_LDR, 1u << (apic_page_read(APIC_ID) >> 24) % 8 << 24);
}

/* The bus answers ones where nobody lives. */
void apic_page_mode(struct vcpu *v, bool page, bool forgets)
{
    if (!v->apic.entry)
        return;
    if (forgets)
        forget(v);
    if (!page && !v->apic.hidden)
        memset(v->apic.scratch, 0xff, PAGE_SIZE);
    if (!page)
        set_logical_id();
    v->apic.hidden = !page;
    *v->apic.entry = closed(v);
    v->vmcb->tlb_control = FLUSH_ALL;
}
