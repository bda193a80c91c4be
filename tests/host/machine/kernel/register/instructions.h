/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions of kernel/register/instructions.h as functions, for code that is built for the build machine, so
 * that host tests can link any file of the image. tests/host/machine/instructions.c ends the test at each; a test that
 * plays a device defines those that it needs. Host programs have neither: they do not link if they come to one of
 * these.
 */
#pragma once

#include "boot/cpuid.h"

u8 inb(u16 port);
u16 inw(u16 port);
u32 inl(u16 port);
void outb(u16 port, u8 value);
void outw(u16 port, u16 value);
void outl(u16 port, u32 value);

struct cpuid_regs cpuid(u32 leaf, u32 subleaf);
u64 rdtsc(void);
u64 read_flags(void);
void flush_line(void *address);

void sti_mwait(volatile u64 *watched, u32 hint);
void sti_hlt(void);
void hlt(void);
void cli(void);
void sti(void);

u64 read_cr0(void);
u64 read_cr2(void);
u64 read_cr3(void);
u64 read_cr4(void);
u64 read_cr8(void);
void write_cr0(u64 value);
void write_cr2(u64 value);
void write_cr3(u64 value);
void write_cr4(u64 value);
void write_cr8(u64 value);

void load_gdt(const void *pointer);
void load_idt(const void *pointer);
void load_tr(u16 selector);
u16 read_tr(void);
void invalidate_page(u64 address);

/* The order of what a test's only thread does needs no help. */
static inline void cpu_pause(void)
{
}

static inline void lfence(void)
{
}

static inline void mfence(void)
{
}
