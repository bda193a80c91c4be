/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that takes its local APIC through all of its modes, as boot loaders and test kernels do first:
 * disabled and enabled again, x2APIC and back through disabled, once without and once with a running counter. SDM 3A,
 * "Local APIC Status and Location" and "x2APIC State Transitions". It prints one line for each check, at last PASS or
 * FAIL; then it leaves QEMU through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define WRMSR_LENGTH 2
#define VECTOR_CLOCK 0x30
#define CLOCK_DIVISOR 11932 /* ticks of 1.19 MHz: ten milliseconds */
#define CLOCK_ROUNDS 3
#define PIC1 0x20
#define PIC2 0xa0
#define PIC_READ_REQUESTS 0x0a
#define DELIVERY_EXTINT 0x700u
#define ENABLED (APIC_BASE_RESET | APIC_BASE_BSP | APIC_BASE_EN)
#define DISABLED (APIC_BASE_RESET | APIC_BASE_BSP)
#define X2APIC (ENABLED | APIC_BASE_EXTD)
#define EXTD_ALONE (DISABLED | APIC_BASE_EXTD)
#define LEAF1_EDX_APIC 0x200u
#define LEAF1_ECX_X2APIC 0x200000u
#define OFFSET_ERROR_STATUS 0x280
#define OFFSET_INITIAL_COUNT 0x380
#define OFFSET_DIVIDE 0x3e0
#define REQUESTED (APIC_IRR + 0x10 * (VECTOR_PMI / 32))

extern const uint8_t wrmsr_tried[];

static volatile unsigned faults, pmis, ticks;

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    if (vector == VECTOR_GP && *at == (uintptr_t)wrmsr_tried) {
        *at += WRMSR_LENGTH;
        faults++;
    } else if (vector == VECTOR_PMI) {
        pmis++;
        write_msr(MSR_PERF_GLOBAL_STATUS_RESET, read_msr(MSR_PERF_GLOBAL_STATUS));
        apic_write(APIC_EOI, 0);
    } else if (vector == VECTOR_CLOCK) {
        ticks++;
        out8(PIC1, 0x20);
    } else {
        unexpected(vector, *at);
    }
}

static __attribute__((noinline)) bool refused(uint64_t value)
{
    unsigned before = faults;
    __asm__ volatile(".globl wrmsr_tried\nwrmsr_tried: wrmsr"
                     :
                     : "c"(MSR_APIC_BASE), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
                     : "memory");
    return faults != before;
}

static void set_mode(uint64_t value)
{
    write_msr(MSR_APIC_BASE, value);
    x2apic = (value & X2APIC) == X2APIC;
    check("mode", read_msr(MSR_APIC_BASE), value);
}

static uint32_t leaf1(unsigned word)
{
    uint32_t leaf[4];
    cpuid(1, leaf);
    return leaf[word];
}

static volatile uint32_t *page(uint32_t offset)
{
    return (volatile uint32_t *)(uintptr_t)(APIC_PAGE + offset);
}

/* ---- Interrupts that arrive, and those that must not. */

static void start_clock(void)
{
    static const struct {
        uint8_t port, value;
    } writes[] = {{PIC1, 0x11},
                  {PIC1 + 1, VECTOR_CLOCK},
                  {PIC1 + 1, 4},
                  {PIC1 + 1, 1},
                  {PIC2, 0x11},
                  {PIC2 + 1, VECTOR_CLOCK + 8},
                  {PIC2 + 1, 2},
                  {PIC2 + 1, 1},
                  {PIC1 + 1, 0xfe},
                  {PIC2 + 1, 0xff},
                  {0x43, 0x34},
                  {0x40, CLOCK_DIVISOR & 0xff},
                  {0x40, CLOCK_DIVISOR >> 8}};
    for (unsigned i = 0; i < sizeof(writes) / sizeof(writes[0]); i++)
        out8(writes[i].port, writes[i].value);
}

/* The 8254's counter, which runs even if its interrupts arrive nowhere. */
static unsigned clock_count(void)
{
    out8(0x43, 0);
    unsigned low = in8(0x40);
    return low | (unsigned)in8(0x40) << 8;
}

/* The 8259's interrupts, which arrive if the APIC passes them on or is disabled. */
static bool clock_ticks(void)
{
    unsigned before = ticks, rounds = 0, last = clock_count();
    __asm__ volatile("sti");
    while (rounds < CLOCK_ROUNDS) {
        unsigned now = clock_count();
        rounds += now > last;
        last = now;
    }
    __asm__ volatile("cli");
    return ticks != before;
}

/* With interrupts off: waits until an interrupt of the 8259's is pending. */
static void await_tick(void)
{
    out8(PIC1, PIC_READ_REQUESTS);
    while (!(in8(PIC1) & 1))
        ;
}

static void open_interrupts(void)
{
    __asm__ volatile("sti\n\tnop\n\tnop\n\tcli");
}

/* An interrupt that waits while LINT0 is masked, here by software disable, stays with the 8259. */
static void check_withdrawn(void)
{
    unsigned before = ticks;
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    apic_write(APIC_LVT_LINT0, DELIVERY_EXTINT);
    await_tick();
    apic_write(APIC_SPURIOUS, 0xff);
    open_interrupts();
    check("ticks while software disabled", ticks - before, 0);
    check("LINT0, software disabled", apic_read(APIC_LVT_LINT0), LVT_MASKED | DELIVERY_EXTINT);
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    open_interrupts();
    check("ticks while masked", ticks - before, 0);
    apic_write(APIC_LVT_LINT0, DELIVERY_EXTINT);
    open_interrupts();
    check("ticks after it", ticks != before, true);
    apic_write(APIC_LVT_LINT0, LVT_MASKED);
}

static void check_pmi(void)
{
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    apic_write(APIC_LVT_PC, VECTOR_PMI);
    pmis = 0;
    write_msr(MSR_PMC(0), (uint32_t)-100);
    write_msr(MSR_PERFEVTSEL(0), EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_INT | EVTSEL_EN);
    __asm__ volatile("sti");
    counted_loop(200);
    __asm__ volatile("cli");
    write_msr(MSR_PERFEVTSEL(0), 0);
    check("PMIs", pmis, 1);
    check("LVTPC masks itself", apic_read(APIC_LVT_PC), LVT_MASKED | VECTOR_PMI);
}

/* ---- The registers. */

static void check_reset_state(void)
{
    static const struct {
        const char *name;
        uint32_t offset, value;
    } after[] = {
        {"SVR", APIC_SPURIOUS, 0xff},
        {"TPR", APIC_TPR, 0},
        {"timer", APIC_LVT_TIMER, LVT_MASKED},
        {"LVTPC", APIC_LVT_PC, LVT_MASKED},
        {"LINT0", APIC_LVT_LINT0, LVT_MASKED},
        {"LINT1", APIC_LVT_LINT1, LVT_MASKED},
        {"error", APIC_LVT_ERROR, LVT_MASKED},
        {"initial count", OFFSET_INITIAL_COUNT, 0},
        {"divide", OFFSET_DIVIDE, 0},
        {"ICR", APIC_ICR, 0},
        {"IRR", REQUESTED, 0},
        {"error status", OFFSET_ERROR_STATUS, 0},
    };
    for (unsigned i = 0; i < sizeof(after) / sizeof(after[0]); i++)
        check(after[i].name, apic_read(after[i].offset), after[i].value);
}

/* The page takes every write, and reserved bits are not kept. */
static void check_entries(void)
{
    static const struct {
        const char *name;
        uint32_t offset, write, kept;
    } entries[] = {
        {"timer's bits", APIC_LVT_TIMER, 0xffffffff, 0x710ff & ~0x1000u},
        {"LVTPC's bits", APIC_LVT_PC, 0xffffffff, 0x107ff},
        {"error's bits", APIC_LVT_ERROR, 0xffffffff, 0x100ff},
        {"TPR's bits", APIC_TPR, 0xffffffff, 0xff},
        {"timer", APIC_LVT_TIMER, 0x10041, 0x10041},
        {"error", APIC_LVT_ERROR, 0x42, 0x42},
        {"TPR", APIC_TPR, 0, 0},
    };
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    for (unsigned i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
        apic_write(entries[i].offset, entries[i].write);
        check(entries[i].name, apic_read(entries[i].offset), entries[i].kept);
    }
    apic_write(APIC_SPURIOUS, 0xff);
    check("error, software disabled", apic_read(APIC_LVT_ERROR), LVT_MASKED | 0x42);
    apic_write(APIC_LVT_ERROR, 0x43);
    check("error, written then", apic_read(APIC_LVT_ERROR), LVT_MASKED | 0x43);
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
}

/* Sets every register, and requests an interrupt that is never taken. */
static void leave_traces(void)
{
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xef);
    apic_write(APIC_LVT_PC, VECTOR_PMI);
    apic_write(APIC_LVT_TIMER, LVT_MASKED | 0x41);
    apic_write(OFFSET_DIVIDE, 3);
    apic_write(OFFSET_INITIAL_COUNT, 0x7fffffff);
    if (x2apic)
        write_msr(MSR_X2APIC_REGISTER(APIC_ICR), ICR_SELF | ICR_ASSERT | VECTOR_PMI);
    else
        apic_write(APIC_ICR, ICR_SELF | ICR_ASSERT | VECTOR_PMI);
    check("requested", apic_read(REQUESTED), 1);
    apic_write(APIC_TPR, 0x20);
}

static void check_memory(void)
{
    *page(APIC_SPURIOUS) = 0x12345678;
    *page(APIC_LVT_PC) = ~0u;
    check("the page is memory", *page(APIC_SPURIOUS), 0x12345678);
    check("the page is memory", *page(APIC_LVT_PC), ~0u);
}

/* ---- All changes of mode. */

static void disable(void)
{
    leave_traces();
    set_mode(DISABLED);
    check("CPUID tells of an APIC", leaf1(3) & LEAF1_EDX_APIC, 0);
    check_memory();
    check("refused: x2APIC mode", refused(X2APIC), true);
    check("refused: EXTD alone", refused(EXTD_ALONE), true);
    check("the 8259's interrupts", clock_ticks(), true);
}

static void enable(void)
{
    await_tick();
    set_mode(ENABLED);
    check("CPUID tells of an APIC", leaf1(3) & LEAF1_EDX_APIC, LEAF1_EDX_APIC);
    check_reset_state();
    check("the 8259's interrupts", clock_ticks(), false);
    check_pmi();
}

static void walk(void)
{
    bool x2 = leaf1(2) & LEAF1_ECX_X2APIC;
    check("refused: EXTD alone", refused(EXTD_ALONE), true);
    check("refused: reserved", refused(ENABLED | 1), true);
    check_entries();
    check_withdrawn();
    disable();
    enable();
    check_entries();
    if (!x2) {
        check("refused: x2APIC mode", refused(X2APIC), true);
        return;
    }
    set_mode(X2APIC);
    check("error, kept", apic_read(APIC_LVT_ERROR), 0x43 | LVT_MASKED);
    check_memory();
    check_pmi();
    check("refused: xAPIC mode", refused(ENABLED), true);
    disable();
    enable();
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    uint32_t leaf[4];
    (void)magic, (void)information;
    load_interrupt_table();
    start_clock();
    cpuid(10, leaf);
    print("foreign kernel:");
    say("bits", 8 * sizeof(long));
    say("version", leaf[0] & 0xff);
    print("\r\n");
    write_msr(MSR_PERF_GLOBAL_CTRL, 3);
    walk();
    write_msr(MSR_PMC(1), 0);
    write_msr(MSR_PERFEVTSEL(1), EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN);
    walk();
    write_msr(MSR_PERFEVTSEL(1), 0);
    check("counted meanwhile", read_msr(MSR_PMC(1)) > 1000, true);
    end();
}
