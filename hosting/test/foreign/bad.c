/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that does what no kernel should, to see how it ends: if the machine cannot go on, the log has one line
 * with the address and its bytes; if it can, it goes on. The first letter of its command line chooses:
 *
 *   t   an undefined instruction without an interrupt table: a third fault
 *   u   a jump to where nothing is mapped, likewise
 *   n   a jump to a physical address that no machine of QEMU's has
 *   g   VMRUN, which no Intel CPU has, and INVD; both again while a counter counts
 *   h   HLT with interrupts off, from which an NMI wakes it: the timer's, by LINT0; before that with interrupts on
 *   c   HLT with interrupts off while a counter counts, likewise
 *   s   HLT with interrupts off, over and over, half a minute without a line
 *   m   MWAIT, as HLT at h
 *   w   MWAIT with interrupts off while a counter counts, likewise
 *
 * It prints one line for each check, at last PASS or FAIL; then it leaves QEMU through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define VECTOR_NMI 2
#define VECTOR_UD 6
#define VMRUN_LENGTH 3
#define LVT_NMI 0x400
#define SILENT_TICKS 620
#define PAGE_LARGE 0x83      /* present, writable, 2 MiB */
#define NOWHERE (1ull << 37) /* linear: entry.asm maps 4 GiB */
#define BEYOND (1ull << 39)  /* physical */
#define WINDOW 0xffe00000u   /* the last 2 MiB that entry.asm maps */
#define LAST_GIB 3
#define LAST_PAGE 511
#define ADDRESS 0xffffffffff000ull

static volatile unsigned undefined, nmis, nmis_most = 1;
static volatile uintptr_t woken;

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    if (vector == VECTOR_UD) {
        undefined++;
        *at += VMRUN_LENGTH;
    } else if (vector == VECTOR_PMI) {
        woken = *at;
        apic_write(APIC_EOI, 0);
    } else if (vector == VECTOR_NMI) {
        if (++nmis >= nmis_most)
            apic_write(APIC_LVT_LINT0, LVT_MASKED);
    } else {
        unexpected(vector, *at);
    }
}

static void forget_interrupt_table(void)
{
    static const struct __attribute__((packed)) {
        uint16_t limit;
        uintptr_t base;
    } nothing = {0, 0};
    __asm__ volatile("lidt %0" : : "m"(nothing));
}

static void jump(uintptr_t to)
{
    __asm__ volatile("jmp *%0" : : "r"(to));
}

/* The page tables are mapped at their own addresses. */
static void map_beyond(void)
{
    uintptr_t at;
    __asm__ volatile("mov %%cr3, %0" : "=r"(at));
    at = *(const uintptr_t *)(at & ADDRESS) & ADDRESS;
    at = ((const uintptr_t *)at)[LAST_GIB] & ADDRESS;
    ((volatile uintptr_t *)at)[LAST_PAGE] = BEYOND | PAGE_LARGE;
    __asm__ volatile("invlpg (%0)" : : "r"((uintptr_t)WINDOW) : "memory");
}

static void count_on(bool on)
{
    write_msr(MSR_PERFEVTSEL(0), on ? EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN : 0);
    write_msr(MSR_PERF_GLOBAL_CTRL, on);
}

static void go_on(const char *vmrun, const char *invd)
{
    volatile unsigned kept = 0;
    unsigned before = undefined;
    __asm__ volatile("vmrun %%rax" : : "a"(0) : "memory");
    unsigned faults = undefined - before;
    kept = 0x12345678;
    __asm__ volatile("invd" : : : "memory");
    unsigned found = kept;
    count_on(false);
    check(vmrun, faults, 1);
    check(invd, found, 0x12345678);
}

/* Interrupt controllers as after a reset, except for the timer, which comes by LINT0 as an NMI. */
static void timer_as_nmi(void)
{
    static const uint8_t first[] = {0x11, 8, 4, 1, 0xfe}, second[] = {0x11, 0x70, 2, 1, 0xff};
    for (unsigned i = 0; i < sizeof(first); i++) {
        out8(i ? 0x21 : 0x20, first[i]);
        out8(i ? 0xa1 : 0xa0, second[i]);
    }
    out8(0x43, 0x34); /* channel 0, both bytes, rate generator */
    out8(0x40, 0);
    out8(0x40, 0);
    apic_write(APIC_LVT_LINT0, LVT_NMI);
}

static volatile uint64_t watched;

static void watch(void)
{
    __asm__ volatile("monitor" : : "a"(&watched), "c"(0), "d"(0));
}

/* STI holds pending interrupts back until HLT or MWAIT has begun, so an interrupt returns behind that: a kernel whose
 * work came just before it sleeps once. */
static void sleep_till_woken(bool mwait)
{
    uintptr_t behind;
    apic_write(APIC_ICR, ICR_SELF | ICR_ASSERT | VECTOR_PMI);
    watch();
    if (mwait)
        __asm__ volatile("lea 1f(%%rip), %0\n\tsti\n\tmwait\n1:\n\tcli" : "=&r"(behind) : "a"(0), "c"(0) : "memory");
    else
        __asm__ volatile("lea 1f(%%rip), %0\n\tsti\n\thlt\n1:\n\tcli" : "=r"(behind) : : "memory");
    check("behind it", woken == behind, true);
}

static void sleep_till_nmi(bool mwait)
{
    timer_as_nmi();
    for (unsigned i = 0; i < 2 && !nmis; i++) {
        watch();
        if (mwait)
            __asm__ volatile("cli\n\tmwait" : : "a"(0), "c"(0) : "memory");
        else
            __asm__ volatile("cli\n\thlt");
    }
    count_on(false);
    check("NMI", nmis > 0, true);
}

/* The timer ticks 18 times a second. */
static void say_nothing(void)
{
    nmis_most = SILENT_TICKS;
    timer_as_nmi();
    while (nmis < SILENT_TICKS)
        __asm__ volatile("cli\n\thlt");
    check("NMIs", nmis, SILENT_TICKS);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    char choice = *command_line(magic, information);
    print("foreign kernel:");
    say("choice", (uint64_t)choice);
    print("\r\n");
    load_interrupt_table();
    if (choice == 't' || choice == 'u')
        forget_interrupt_table();
    if (choice == 't')
        __asm__ volatile("ud2");
    if (choice == 'u')
        jump(NOWHERE);
    if (choice == 'n') {
        map_beyond();
        jump(WINDOW);
    }
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    if (choice == 's')
        say_nothing();
    if (choice == 'h' || choice == 'm')
        sleep_till_woken(choice == 'm');
    if (choice == 'c' || choice == 'w')
        count_on(true);
    if (choice == 'h' || choice == 'c' || choice == 'm' || choice == 'w')
        sleep_till_nmi(choice == 'm' || choice == 'w');
    if (choice == 'g') {
        go_on("VMRUN is undefined", "INVD loses nothing");
        count_on(true);
        go_on("VMRUN is undefined, counted", "INVD loses nothing, counted");
    }
    end();
}
