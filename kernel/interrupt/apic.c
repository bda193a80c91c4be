/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the local vector table that belong to firmware. */
#include "kernel/interrupt/apic.h"
#include "boot/cpu.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/firmware/pci.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"

#define TIMER_DIVIDE_128 0xa
#define DELIVERY_WAIT_US 1000
#define TIMER_MEASURE_US 1000

static bool present, x2;
static bool leaving_x2; /* until every CPU has switched to the new mode */
static volatile u32 *page;
static u64 timer_ticks_per_ms; /* 0: not known */

bool apic_present(void)
{
    return present;
}

bool apic_x2(void)
{
    return x2;
}

bool apic_x2_or_leaving(void)
{
    return x2 || leaving_x2;
}

volatile u32 *apic_page(void)
{
    return x2 ? NULL : page;
}

/* apic_page.asm: one instruction each */
u32 apic_page_load(const volatile u32 *where);
void apic_page_store(volatile u32 *where, u32 value);

u32 apic_page_read(u32 offset)
{
    return apic_page_load(&page[offset / 4]);
}

static bool vector_bit(u32 (*read)(u32 offset), u32 base, u8 vector)
{
    return read(base + 0x10 * (vector / 32)) >> (vector % 32) & 1;
}

bool apic_page_tells(u32 base, u8 vector)
{
    return vector_bit(apic_page_read, base, vector);
}

void apic_page_write(u32 offset, u32 value)
{
    apic_page_store(&page[offset / 4], value);
}

u32 apic_read(u32 offset)
{
    return x2 ? (u32)rdmsr((u32)MSR_X2APIC_REGISTER(offset)) : apic_page_read(offset);
}

void apic_write(u32 offset, u32 value)
{
    if (x2)
        system_wrmsr((u32)MSR_X2APIC_REGISTER(offset), value);
    else
        apic_page_write(offset, value);
}

u32 apic_id(void)
{
    u32 id = apic_read(APIC_ID);
    return x2 ? id : id >> 24;
}

void apic_eoi(void)
{
    apic_write(APIC_EOI, 0);
}

/*
 * In xAPIC mode the command register has two words and is busy until the command is sent; in x2APIC mode it is one MSR,
 * never busy. The mode is read at once: another CPU may be changing it.
 */
static void command(u32 id, u32 low)
{
    if (x2) {
        mfence(); /* WRMSR to x2APIC registers is not serialising: complete earlier stores first */
        lfence();
        system_wrmsr((u32)MSR_X2APIC_REGISTER(APIC_ICR), (u64)id << 32 | low);
        return;
    }
    u64 flags = interrupts_off();
    apic_page_write(APIC_ICR_HIGH, id << 24);
    apic_page_write(APIC_ICR, low);
    struct deadline deadline = deadline_us(DELIVERY_WAIT_US);
    while (apic_page_read(APIC_ICR) & ICR_BUSY && !deadline_passed(&deadline))
        ;
    interrupts_restore(flags);
}

void apic_send(u32 id, u8 vector)
{
    command(id, (u32)ICR_ASSERT | vector);
}

void apic_send_nmi(u32 id)
{
    command(id, (u32)(ICR_ASSERT | ICR_NMI));
}

void apic_send_init(u32 id)
{
    command(id, (u32)(ICR_ASSERT | ICR_INIT));
}

void apic_send_startup(u32 id, u32 page_address)
{
    command(id, (u32)(ICR_ASSERT | ICR_STARTUP | page_address >> 12));
}

bool apic_requested(u8 vector)
{
    return vector_bit(apic_read, APIC_IRR, vector);
}

bool apic_in_service(u8 vector)
{
    return vector_bit(apic_read, APIC_ISR, vector);
}

void apic_tick_after(u32 ticks)
{
    if (!present)
        return;
    apic_write(APIC_TIMER_DIVIDE, TIMER_DIVIDE_128);
    apic_write(APIC_LVT_TIMER, ticks ? (u32)VECTOR_WAKE : (u32)LVT_MASKED);
    apic_write(APIC_TIMER_INITIAL, ticks);
}

/* An SMI during the measurement delays both clocks by the same time. SDM 3A, "APIC Timer". */
void apic_timer_measure(void)
{
    if (!present)
        return;
    apic_tick_after(0);
    apic_write(APIC_TIMER_INITIAL, ~0u);
    u64 start = time_now();
    time_delay_us(TIMER_MEASURE_US);
    u32 left = apic_read(APIC_TIMER_CURRENT);
    u64 us = time_us(time_now() - start);
    apic_write(APIC_TIMER_INITIAL, 0);
    timer_ticks_per_ms = us ? (~0u - left) * 1000ull / us : 0;
}

u32 apic_timer_ticks(u64 us)
{
    u64 ticks = timer_ticks_per_ms * us / 1000;
    return timer_ticks_per_ms && ticks < ~0u ? (u32)ticks + !ticks : TICK_COUNT;
}

void apic_tick(bool on)
{
    apic_tick_after(on ? TICK_COUNT : 0);
}

static void wake(struct frame *frame)
{
    (void)frame;
    cpu_state()->counts.wakes++;
    apic_eoi();
}

static void spurious(struct frame *frame)
{
    (void)frame;
    cpu_state()->counts.spurious++; /* no EOI: a spurious vector is not in service */
    cpu_state()->counts.stray = VECTOR_SPURIOUS;
}

static void apic_error(struct frame *frame)
{
    (void)frame;
    cpu_state()->counts.apic_errors++;
    apic_write(APIC_ESR, 0);
    apic_eoi();
}

void apic_mode_assume_page(void)
{
    leaving_x2 = x2 && page;
    x2 &= !page;
}

void apic_mode_is(bool x2apic)
{
    x2 = present && x2apic;
    leaving_x2 = false;
}

void apic_mode_detect(void)
{
    u64 base;
    if (present && rdmsr_try(MSR_APIC_BASE, &base) == NO_FAULT)
        x2 = base & APIC_BASE_EXTD;
    leaving_x2 = false;
}

/* Entries that INIT masks and only firmware can set up. SDM 3A, "Local APIC State After It Receives an INIT Reset". */
static const struct {
    u32 offset, number; /* offset of the entry, and the highest entry that the version register must reach */
} firmware_entries[] = {{APIC_LVT_THERMAL, 5}, {APIC_LVT_CMCI, 6}};
static u32 wanted_entries[ARRAY_SIZE(firmware_entries)]; /* values for all other CPUs; 0: left alone */

static void look_at_firmware_entries(void)
{
    for (unsigned i = 0; i < ARRAY_SIZE(firmware_entries); i++)
        if (apic_entry_exists(apic_read(APIC_VERSION), firmware_entries[i].number))
            wanted_entries[i] = apic_entry_after_init(apic_read(firmware_entries[i].offset));
}

void apic_restore_firmware_entries(void)
{
    for (unsigned i = 0; i < ARRAY_SIZE(firmware_entries); i++)
        if (wanted_entries[i])
            apic_write(firmware_entries[i].offset, wanted_entries[i]);
}

const char *apic_init(void)
{
    u64 base;
    if (!cpuid_has(CPUID_APIC) || rdmsr_try(MSR_APIC_BASE, &base) != NO_FAULT || !(base & APIC_BASE_EN))
        return "no local APIC (or disabled by firmware)";
    x2 = base & APIC_BASE_EXTD;
    page = memory_map(base & APIC_BASE_ADDRESS, PAGE_SIZE, MEMORY_MMIO); /* in x2APIC mode for a PMU that shows it */
    if (!x2 && !page)
        return "the firmware's tables say that the local APIC's page is memory";
    present = true;
    system_lvtpc_found(apic_read(APIC_LVT_PC));
    look_at_firmware_entries();
    interrupt_handle(VECTOR_WAKE, wake);
    interrupt_handle(VECTOR_SPURIOUS, spurious);
    interrupt_source_add(SOURCE_APIC, 0, VECTOR_SPURIOUS);
    interrupt_handle(VECTOR_APIC_ERROR, apic_error);
    return NULL;
}

void apic_follow_boot_cpu(void)
{
    u64 found = rdmsr(MSR_APIC_BASE), disabled = found & ~(APIC_BASE_EN | APIC_BASE_EXTD);
    u64 wanted = disabled | APIC_BASE_EN | (x2 ? APIC_BASE_EXTD : 0);
    if (found & APIC_BASE_EXTD && !x2)
        system_wrmsr(MSR_APIC_BASE, disabled);
    if (found != wanted)
        system_wrmsr(MSR_APIC_BASE, wanted);
}

void apic_cpu_init(void)
{
    if (!present)
        return;
    apic_write(APIC_TPR, 0);
    apic_write(APIC_LVT_TIMER, (u32)LVT_MASKED);
    apic_write(APIC_LVT_ERROR, VECTOR_APIC_ERROR);
    apic_write(APIC_ESR, 0);
    apic_write(APIC_SPURIOUS, (u32)SPURIOUS_ENABLE | VECTOR_SPURIOUS);
}

bool apic_entry_exists(u32 version, unsigned number)
{
    return FIELD_GET(version, 23, 16) >= number;
}

u32 apic_entry_after_init(u32 boot_entry)
{
    bool smi = (boot_entry & LVT_DELIVERY_MASK) == LVT_DELIVERY_SMI;
    return smi ? boot_entry & (u32)~LVT_STATUS : 0;
}
