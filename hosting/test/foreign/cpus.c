/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that starts all other CPUs of the machine by INIT and start-up IPI, one after the other, and has each
 * count on its own PMU, take its own PMI, and send an interrupt back. Then INIT again, while counters count, and the
 * state after it: SDM 3A, "Processor State After Reset", "Local APIC State After an INIT Reset"; SDM 3B, "DS Save
 * Area". With "x2apic" in x2APIC mode; with "triple" the first of them shuts down. It prints one line for each check,
 * at last PASS or FAIL; then it leaves QEMU through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define VECTOR_BACK 0x3e
#define CPUS_MOST 4
#define ID_NOBODY 0x5a
#define KEPT_COUNT 0x123456
#define KEPT_SELECT (EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_USR | EVTSEL_EN)
#define COUNTS (EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN)
#define DEBUG_STORE 0x10000 /* an area, and one where nothing is written */
#define PATIENCE 300000000u
#define PAUSE 3000000u

/* Data of each CPU, by its APIC id. */
static struct {
    volatile unsigned starts, pmis, nmis, back, done;
    uint64_t base, count, select, area, pebs;
    uint32_t spurious, entry;
    uint64_t counted;
} seen[CPUS_MOST];
static bool triple;

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    uint32_t id = own_id();
    if (vector == VECTOR_PMI) {
        seen[id].pmis++;
        write_msr(MSR_PERF_GLOBAL_STATUS_RESET, read_msr(MSR_PERF_GLOBAL_STATUS));
        apic_write(APIC_EOI, 0);
    } else if (vector == VECTOR_BACK) {
        seen[id].back++;
        apic_write(APIC_EOI, 0);
    } else if (vector == VECTOR_NMI) {
        seen[id].nmis++;
    } else {
        unexpected(vector, *at);
    }
}

/* ---- A CPU that was started. */

/* A function of its own, so that the two accesses retire the same number each time. */
static __attribute__((noinline)) uint64_t count(unsigned long k)
{
    write_msr(MSR_PERFEVTSEL(0), 0);
    write_msr(MSR_PMC(0), 0);
    write_msr(MSR_PERFEVTSEL(0), COUNTS);
    counted_loop(k);
    write_msr(MSR_PERFEVTSEL(0), 0);
    return read_msr(MSR_PMC(0));
}

static void look(uint32_t id)
{
    seen[id].base = read_msr(MSR_APIC_BASE);
    if (x2apic)
        write_msr(MSR_APIC_BASE, seen[id].base | APIC_BASE_EXTD);
    seen[id].spurious = apic_read(APIC_SPURIOUS);
    seen[id].entry = apic_read(APIC_LVT_PC);
    seen[id].count = read_msr(MSR_PMC(1));
    seen[id].select = read_msr(MSR_PERFEVTSEL(1));
    seen[id].area = read_msr(MSR_DS_AREA);
    seen[id].pebs = read_msr(MSR_PEBS_ENABLE);
}

static void overflow(void)
{
    apic_write(APIC_LVT_PC, VECTOR_PMI);
    write_msr(MSR_PMC(0), (uint32_t)-100);
    write_msr(MSR_PERFEVTSEL(0), COUNTS | EVTSEL_INT);
    __asm__ volatile("sti");
    counted_loop(200);
    __asm__ volatile("cli");
    write_msr(MSR_PERFEVTSEL(0), 0);
}

/* The state that INIT must keep and clear, and a counter that counts when it comes. */
static void leave_traces(void)
{
    write_msr(MSR_PMC(1), KEPT_COUNT);
    write_msr(MSR_PERFEVTSEL(1), KEPT_SELECT);
    write_msr(MSR_DS_AREA, DEBUG_STORE);
    write_msr(MSR_PEBS_ENABLE, 1);
    apic_write(APIC_LVT_PC, VECTOR_PMI);
    write_msr(MSR_PERFEVTSEL(0), COUNTS);
}

static void shut_down(void)
{
    static const struct __attribute__((packed)) {
        uint16_t limit;
        uintptr_t base;
    } nothing = {0, 0};
    __asm__ volatile("lidt %0\n\tud2" : : "m"(nothing));
}

static void begin(void)
{
    uint32_t id = own_id();
    look(id);
    seen[id].starts++;
    write_msr(MSR_PERFEVTSEL(0), 0);
    load_interrupt_table();
    if (triple)
        shut_down();
    write_msr(MSR_PERF_GLOBAL_CTRL, 3);
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    seen[id].counted = count(1100) - count(100);
    overflow();
    apic_command(0, ICR_ASSERT | VECTOR_BACK);
    leave_traces();
    __asm__ volatile("sti");
    seen[id].done = seen[id].starts;
    for (;;)
        __asm__ volatile("pause");
}

/* ---- The boot CPU. */

static void pause_a_while(void)
{
    for (volatile unsigned i = 0; i < PAUSE; i++)
        ;
}

static bool await(const volatile unsigned *value, unsigned want)
{
    for (unsigned i = 0; i < PATIENCE && *value != want; i++)
        __asm__ volatile("pause");
    return *value == want;
}

static void send_init(uint32_t id)
{
    apic_command(id, ICR_ASSERT | ICR_INIT);
    pause_a_while();
    apic_command(id, ICR_LEVEL | ICR_INIT); /* deassertion, which has no effect */
}

/* The second start-up IPI, and one to a CPU that runs, are lost. */
static void start(uint32_t id, unsigned nth)
{
    send_init(id);
    send_startup(id);
    send_startup(id);
    check("started", await(&seen[id].done, nth), true);
    send_startup(id);
    pause_a_while();
    check("  once", seen[id].starts, nth);
    check("  counted", seen[id].counted, 3000);
    check("  PMIs", seen[id].pmis, nth);
    check("  LVTPC at its start", seen[id].entry, LVT_MASKED);
    check("  SVR at its start", seen[id].spurious, 0xff);
    __asm__ volatile("sti\n\tnop\n\tnop\n\tcli");
    check("  interrupts back", seen[0].back, (id - 1) * 4 + nth);
}

/* INIT with an immediate start-up IPI, and with an NMI between them, which is lost. */
static void start_at_once(uint32_t id)
{
    apic_command(id, ICR_ASSERT | ICR_INIT);
    send_startup(id);
    check("started at once", await(&seen[id].done, 3), true);
    unsigned before = seen[id].nmis;
    apic_command(id, ICR_ASSERT | ICR_NMI);
    check("  NMI", await(&seen[id].nmis, before + 1), true);
    send_init(id);
    apic_command(id, ICR_ASSERT | ICR_NMI);
    pause_a_while();
    check("  NMI after INIT", seen[id].nmis, before + 1);
    __asm__ volatile("sti\n\tnop\n\tnop\n\tcli");
}

static void start_again(uint32_t id)
{
    send_startup(id);
    check("started again", await(&seen[id].done, 4), true);
    __asm__ volatile("sti\n\tnop\n\tnop\n\tcli");
}

static void check_kept(uint32_t id)
{
    check("  base", seen[id].base, APIC_BASE_RESET | APIC_BASE_EN | (x2apic ? APIC_BASE_EXTD : 0));
    check("  counter kept", seen[id].count, KEPT_COUNT);
    check("  event select kept", seen[id].select, KEPT_SELECT);
    check("  IA32_DS_AREA", seen[id].area, 0);
    check("  IA32_PEBS_ENABLE", seen[id].pebs, 0);
}

/* One interrupt to all the others at once, by their bits in the first cluster. */
static void check_logical(unsigned cpus)
{
    unsigned got = 0;
    apic_command((1u << cpus) - 2, ICR_LOGICAL | ICR_ASSERT | VECTOR_BACK);
    for (unsigned id = 1; id < cpus; id++)
        got += await(&seen[id].back, 1);
    check("logical destination", got, cpus - 1);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    const char *line = command_line(magic, information);
    bool x2 = has_word(line, "2");
    unsigned cpus = machine_cpus();
    print("foreign kernel:");
    say("bits", 8 * sizeof(long));
    say("cpus", cpus);
    print("\r\n");
    load_interrupt_table();
    if (x2)
        write_msr(MSR_APIC_BASE, read_msr(MSR_APIC_BASE) | APIC_BASE_EXTD);
    x2apic = x2;
    triple = has_word(line, "t");
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    cpus_begin_at(begin);
    send_startup(ID_NOBODY);
    for (uint32_t id = 1; id < cpus && id < CPUS_MOST; id++) {
        start(id, 1);
        start(id, 2);
        check_kept(id);
        start_at_once(id);
        start_again(id);
    }
    if (x2)
        check_logical(cpus);
    apic_command(0, ICR_ASSERT | ICR_INIT); /* which has no effect */
    check("PMIs of the boot CPU", seen[0].pmis, 0);
    end();
}
