/* SPDX-License-Identifier: BSD-2-Clause */
/* What happens in a host test at an instruction that it does not have: it ends, and says which one it was. */
#include <stdio.h>
#include <stdlib.h>

#include "kernel/core/image.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

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

/* ---- What of the image is assembly, or is made by its linker. */

REFUSED(fault_t, rdmsr_untold_try, u32 msr, u64 *value)
REFUSED(u32, apic_page_load, const volatile u32 *where)
REFUSED(void, apic_page_store, volatile u32 *where, u32 value)

u64 boot_pml4[512];
u8 image_start[1];
const char symbol_names[1];
const struct symbol symbols[1];
const unsigned symbol_count;
