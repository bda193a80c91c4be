/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine for a small kernel: log lines for its checks, registers, the local APIC, interrupts. */
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
#define LOADER1 0x2badb002u /* passed by a multiboot loader */
#define LOADER2 0x36d76289u /* passed by a multiboot2 loader */
#define LOADER1_HAS_LINE 4  /* flag in the first word of the boot information */
#define LOADER2_LINE 1      /* types of tags */
#define LOADER2_MEMORY 4
#define LOADER2_MAP 6
#define EVENT_INSTRUCTIONS 0xc0
#define START_PAGE 0x8000 /* address where another CPU begins */

/* Called by entry.asm: with the loader's magic and information; with the address of the return address. */
void kernel_main(uint32_t magic, uintptr_t information);
void kernel_interrupt(unsigned long vector, uintptr_t *at);

/* Defined by entry.asm. */
void counted_loop(unsigned long k) __asm__("counted");
void forget_high_memory(void);
void forget_page(uintptr_t page);
extern const uint8_t interrupt_entries[]; /* ENTRY_SIZE bytes each: entry.asm */
extern const uint8_t ap_trampoline[], ap_trampoline_end[];
extern void (*volatile ap_begin)(void);
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

/* The number of CPUs that QEMU has, whatever its tables say: from its firmware configuration device. */
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

/* ---- Boot information */

/* The tag of that type in a multiboot2 loader's information: type, size in bytes, the rest. NULL: it has none. */
static inline const uint32_t *find_tag(uintptr_t information, uint32_t type)
{
    const uint32_t *tag = (const uint32_t *)(information + 8);
    while (tag[0] && tag[0] != type)
        tag += (tag[1] + 7) / 8 * 2;
    return tag[0] ? tag : NULL;
}

/* The kernel's command line; empty if it has none. */
static inline const char *command_line(uint32_t magic, uintptr_t information)
{
    const uint32_t *word = (const uint32_t *)information;
    if (magic == LOADER1)
        return word[0] & LOADER1_HAS_LINE ? (const char *)(uintptr_t)word[4] : "";
    const uint32_t *tag = magic == LOADER2 ? find_tag(information, LOADER2_LINE) : NULL;
    return tag ? (const char *)(tag + 2) : "";
}

/* Is the word, or the letter, anywhere in the line? */
static inline bool has_word(const char *line, const char *word)
{
    for (; *line; line++) {
        unsigned i = 0;
        while (word[i] && line[i] == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
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

static inline uint32_t own_id(void)
{
    uint32_t leaf[4];
    cpuid(1, leaf);
    return leaf[1] >> 24;
}

/* An interrupt that the kernel did not request ends it. */
static inline _Noreturn void unexpected(unsigned long vector, uintptr_t at)
{
    print("not ok unexpected interrupt");
    say("cpu", own_id());
    say("vector", vector);
    say("at", at);
    print("\r\n");
    failed = true;
    end();
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

/* Sends a command to the CPU with this local APIC id. */
static inline void apic_command(uint32_t id, uint32_t command)
{
    if (x2apic) {
        write_msr(MSR_X2APIC_REGISTER(APIC_ICR), (uint64_t)id << 32 | command);
        return;
    }
    apic_write(APIC_ICR_HIGH, id << 24);
    apic_write(APIC_ICR, command);
}

/* Sets where CPUs that get a start-up IPI begin. */
static inline void cpus_begin_at(void (*begin)(void))
{
    for (const uint8_t *from = ap_trampoline; from < ap_trampoline_end; from++)
        ((volatile uint8_t *)START_PAGE)[from - ap_trampoline] = *from;
    ap_begin = begin;
}

static inline void send_startup(uint32_t id)
{
    apic_command(id, ICR_ASSERT | ICR_STARTUP | START_PAGE >> 12);
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
