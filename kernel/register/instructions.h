/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single instructions that C cannot express. WRMSR is not here: every write goes through kernel/register/msr.h and its
 * gate. Programs of the build machine get tests/host/machine/kernel/register/instructions.h in place of this header.
 */
#pragma once

#include "boot/cpuid.h"

static inline u8 inb(u16 port)
{
    u8 value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline u16 inw(u16 port)
{
    u16 value;
    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline u32 inl(u16 port)
{
    u32 value;
    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void outb(u16 port, u8 value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline void outw(u16 port, u16 value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port));
}

static inline void outl(u16 port, u32 value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

static inline struct cpuid_regs cpuid(u32 leaf, u32 subleaf)
{
    struct cpuid_regs r;
    __asm__ volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx) : "a"(leaf), "c"(subleaf));
    return r;
}

/* Not ordered with the code around it, unlike time_now(). */
static inline u64 rdtsc(void)
{
    u32 low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (u64)high << 32 | low;
}

static inline void cpu_pause(void)
{
    __asm__ volatile("pause");
}

static inline void lfence(void)
{
    __asm__ volatile("lfence" : : : "memory");
}

/* Writes a cache line back and invalidates it. */
static inline void flush_line(void *address)
{
    __asm__ volatile("mfence\n\tclflush (%0)\n\tmfence" : : "r"(address) : "memory");
}

static inline void mfence(void)
{
    __asm__ volatile("mfence" : : : "memory");
}

/*
 * Sleeps by MWAIT in the state that `hint` selects, until an interrupt comes or *watched is written; interrupts are off
 * before and after. SDM 2B, "MONITOR" and "MWAIT".
 */
static inline void sti_mwait(volatile u64 *watched, u32 hint)
{
    __asm__ volatile("monitor" : : "a"(watched), "c"(0), "d"(0) : "memory");
    __asm__ volatile("sti\n\tmwait\n\tcli" : : "a"(hint), "c"(0) : "memory");
}

/* Sleeps until an interrupt. STI takes effect only after HLT has begun, so that no interrupt is missed. */
static inline void sti_hlt(void)
{
    __asm__ volatile("sti\n\thlt\n\tcli" : : : "memory");
}

static inline void hlt(void)
{
    __asm__ volatile("hlt");
}

static inline void cli(void)
{
    __asm__ volatile("cli" : : : "memory");
}

static inline void sti(void)
{
    __asm__ volatile("sti" : : : "memory");
}

static inline u64 read_flags(void)
{
    u64 flags;
    __asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags) : : "memory");
    return flags;
}

#define CONTROL_REGISTER(n)                                                \
    static inline u64 read_cr##n(void)                                     \
    {                                                                      \
        u64 value;                                                         \
        __asm__ volatile("mov %%cr" #n ", %0" : "=r"(value) : : "memory"); \
        return value;                                                      \
    }                                                                      \
    static inline void write_cr##n(u64 value)                              \
    {                                                                      \
        __asm__ volatile("mov %0, %%cr" #n : : "r"(value) : "memory");     \
    }
CONTROL_REGISTER(0)
CONTROL_REGISTER(2)
CONTROL_REGISTER(3)
CONTROL_REGISTER(4)
CONTROL_REGISTER(8)
#undef CONTROL_REGISTER

/* `pointer`: 10 bytes, a table's limit and its address. */
static inline void load_gdt(const void *pointer)
{
    __asm__ volatile("lgdt (%0)" : : "r"(pointer) : "memory");
}

static inline void load_idt(const void *pointer)
{
    __asm__ volatile("lidt (%0)" : : "r"(pointer) : "memory");
}

static inline void load_tr(u16 selector)
{
    __asm__ volatile("ltr %0" : : "r"(selector) : "memory");
}

static inline u16 read_tr(void)
{
    u16 selector;
    __asm__ volatile("str %0" : "=r"(selector));
    return selector;
}

static inline void invalidate_page(u64 address)
{
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}
