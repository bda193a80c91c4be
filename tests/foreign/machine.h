/* What a small kernel needs of the machine: a log line for what it sees, registers, the local APIC, interrupts. */
#pragma once

#include "pmu/registers.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COM1 0x3f8
#define DEBUG_EXIT 0xf4
#define EXIT_PASS 0x10
#define EXIT_FAIL 0x11
#define VECTOR_PMI 0x40
#define ENTRY_SIZE 64
#define APIC_PAGE 0xfee00000u

extern const uint8_t interrupt_entries[]; /* ENTRY_SIZE bytes each: entry.asm */
static bool failed, x2apic;

/* ---- Output */

static inline void out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint8_t in8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void out16(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port));
}

/* How many CPUs QEMU gave the machine, whatever its tables tell: its firmware configuration device. */
static inline unsigned machine_cpus(void)
{
    out16(0x510, 5);
    unsigned low = in8(0x511);
    return low | (unsigned)in8(0x511) << 8;
}

static inline void print(const char *text)
{
    for (; *text; text++) {
        while (!(in8(COM1 + 5) & 0x20))
            ;
        out8(COM1, (uint8_t)*text);
    }
}

static inline void print_number(uint64_t value)
{
    char text[17];
    unsigned at = 16;
    text[at] = 0;
    do
        text[--at] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    print("0x");
    print(text + at);
}

static inline void say(const char *name, uint64_t value)
{
    print(" ");
    print(name);
    print("=");
    print_number(value);
}

static inline void check(const char *what, uint64_t got, uint64_t want)
{
    print(got == want ? "ok " : "not ok ");
    print(what);
    say("got", got);
    say("want", want);
    print("\r\n");
    failed |= got != want;
}

static inline _Noreturn void end(void)
{
    print(failed ? "FAIL\r\n" : "PASS\r\n");
    out8(DEBUG_EXIT, failed ? EXIT_FAIL : EXIT_PASS);
    for (;;)
        __asm__ volatile("cli\n\thlt");
}

/* ---- Machine */

static inline uint64_t read_msr(uint32_t msr)
{
    uint32_t low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (uint64_t)high << 32 | low;
}

static inline void write_msr(uint32_t msr, uint64_t value)
{
    __asm__ volatile("wrmsr" : : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

static inline void cpuid(uint32_t leaf, uint32_t out[4])
{
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(leaf), "c"(0));
}

static inline uint32_t apic_read(uint32_t offset)
{
    if (x2apic)
        return (uint32_t)read_msr(MSR_X2APIC_REGISTER(offset));
    return *(volatile uint32_t *)(uintptr_t)(APIC_PAGE + offset);
}

static inline void apic_write(uint32_t offset, uint32_t value)
{
    if (x2apic)
        write_msr(MSR_X2APIC_REGISTER(offset), value);
    else
        *(volatile uint32_t *)(uintptr_t)(APIC_PAGE + offset) = value;
}

/* To the CPU with this local APIC id. */
static inline void apic_command(uint32_t id, uint32_t command)
{
    if (x2apic) {
        write_msr(MSR_X2APIC_REGISTER(APIC_ICR), (uint64_t)id << 32 | command);
        return;
    }
    apic_write(APIC_ICR_HIGH, id << 24);
    apic_write(APIC_ICR, command);
}

#ifdef __x86_64__
struct gate {
    uint16_t offset_low, selector, type, offset_middle;
    uint32_t offset_high, reserved;
};
#else
struct gate {
    uint16_t offset_low, selector, type, offset_middle;
};
#endif

static struct gate idt[VECTOR_PMI + 1];

static inline void set_entry(unsigned vector, uintptr_t entry)
{
    idt[vector] = (struct gate){
        .offset_low = (uint16_t)entry, .selector = 8, .type = 0x8e00, .offset_middle = (uint16_t)(entry >> 16)};
}

static inline void load_interrupt_table(void)
{
    static struct __attribute__((packed)) {
        uint16_t limit;
        uintptr_t base;
    } pointer = {sizeof(idt) - 1, 0};
    for (unsigned vector = 0; vector <= VECTOR_PMI; vector++)
        set_entry(vector, (uintptr_t)interrupt_entries + ENTRY_SIZE * vector);
    pointer.base = (uintptr_t)idt;
    __asm__ volatile("lidt %0" : : "m"(pointer));
}

#ifndef __x86_64__
/* 4 MiB pages, each at its own address. */
static inline void turn_paging_on(void)
{
    static uint32_t directory[1024] __attribute__((aligned(4096)));
    for (uint32_t i = 0; i < 1024; i++)
        directory[i] = i << 22 | 0x83;
    __asm__ volatile("mov %%cr4, %%eax\n\tor $0x10, %%eax\n\tmov %%eax, %%cr4\n\t"
                     "mov %0, %%cr3\n\tmov %%cr0, %%eax\n\tor $0x80000000, %%eax\n\tmov %%eax, %%cr0"
                     :
                     : "r"(directory)
                     : "eax", "memory");
}
#endif
