/* SPDX-License-Identifier: BSD-2-Clause */
/* What happens at an instruction that no host test has: the test ends, and says which it was. */
#include <stdio.h>
#include <stdlib.h>

#include "kernel/register/instructions.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static _Noreturn void refused(const char *what)
{
    fprintf(stderr, "%s(): an instruction that no host test has\n", what);
    abort();
}

#define REFUSED(type, name, ...) \
    type name(__VA_ARGS__)       \
    {                            \
        refused(#name);          \
    }

REFUSED(u8, inb, u16 port)
REFUSED(u16, inw, u16 port)
REFUSED(u32, inl, u16 port)
REFUSED(void, outb, u16 port, u8 value)
REFUSED(void, outw, u16 port, u16 value)
REFUSED(void, outl, u16 port, u32 value)
REFUSED(struct cpuid_regs, cpuid, u32 leaf, u32 subleaf)
REFUSED(u64, rdtsc, void)
REFUSED(u64, read_flags, void)
REFUSED(void, flush_line, void *address)
REFUSED(void, sti_mwait, volatile u64 *watched, u32 hint)
REFUSED(void, sti_hlt, void)
REFUSED(void, hlt, void)
REFUSED(void, cli, void)
REFUSED(void, sti, void)
REFUSED(u64, read_cr0, void)
REFUSED(u64, read_cr2, void)
REFUSED(u64, read_cr3, void)
REFUSED(u64, read_cr4, void)
REFUSED(u64, read_cr8, void)
REFUSED(void, write_cr0, u64 value)
REFUSED(void, write_cr2, u64 value)
REFUSED(void, write_cr3, u64 value)
REFUSED(void, write_cr4, u64 value)
REFUSED(void, write_cr8, u64 value)
REFUSED(void, load_gdt, const void *pointer)
REFUSED(void, load_idt, const void *pointer)
REFUSED(void, load_tr, u16 selector)
REFUSED(u16, read_tr, void)
REFUSED(void, invalidate_page, u64 address)
