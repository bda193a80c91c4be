/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watches the local APIC's page: QEMU stores an LVT entry as it was written, hardware does not. Nested paging maps the
 * page read-only. A store to it exits and is executed here or, if that is impossible, by the CPU alone for one
 * instruction; the model then corrects the register. If a foreign guest has a clock of its own, and so a timer that is
 * not the machine's, loads exit as well. While a foreign guest has disabled the APIC, or has it in x2APIC mode, a page
 * of plain memory is mapped there.
 */
#include "hosting/monitor/run/apic_page.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/look.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/run/nested.h"
#include "hosting/monitor/run/startup.h"
#include "hosting/monitor/step/step.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/core/memory.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "reference/step/interpreter/interpret.h"

#define REGISTER_STEP 0x10u

/* The nested entry of the page while no access is under way. */
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

/* For this image: nested paging does not apply to the monitor, so the store is made here. */
bool apic_page_stored(struct vcpu *v, struct frame *f)
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

/* Maps a scratch page instead, which is examined afterwards: for a command to be sent, and the guest's own timer. */
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

/* Takes what was stored into the scratch page. A read-modify-write may have faulted as a read. */
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
 * After LINT0 is masked QEMU still has the CPU take a pending interrupt of the 8259's, then finds none, which ends in
 * #GP. It checks again when SVR is written with the APIC enabled; a TPR of FFH keeps all else out meanwhile.
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

/* Is a bit set in the eight registers from `first` on, which have a bit for each vector? */
static bool any(u32 first)
{
    for (u32 i = 0; i < VECTORS / VECTORS_A_REGISTER; i++)
        if (apic_page_read(first + i * REGISTER_STEP))
            return true;
    return false;
}

/*
 * QEMU's APIC is reset only with the machine, so this clears it: interrupts in service are ended, requested ones taken
 * and ended in the guest's place, and a command to nobody leaves zeros. A level that stays asserted may request again.
 */
static void forget(struct vcpu *v)
{
    u32 pin = apic_page_read(APIC_LVT_LINT0);
    apic_page_write(APIC_LVT_LINT0, LVT_MASKED); /* no interrupt of the 8259's comes meanwhile */
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
 * In x2APIC mode the logical id follows from the id: a cluster of sixteen CPUs, and a bit in it. QEMU's APIC stays in
 * xAPIC mode, where the flat model means the same for the first eight ids.
 */
static void set_logical_id(void)
{
    apic_page_write(APIC_DFR, DFR_FLAT);
    apic_page_write(APIC_LDR, 1u << (apic_page_read(APIC_ID) >> 24) % 8 << 24);
}

/* Where no device answers, the bus reads as ones. */
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
