/* SPDX-License-Identifier: BSD-2-Clause */
/* What each CPU must set before it can use the page tables of kernel/core/memory.h. */
#include "boot/cpu.h"
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"

/*
 * SDM 3A, "Page Attribute Table (PAT)": the types as after power-on, except that entry 1, which PWT alone selects, is
 * write-combining: 0 WB, 1 WC, 2 UC-, 3 UC, 4 WB, 5 WT, 6 UC-, 7 UC.
 */
#define PAT_TYPES 0x0007040600070106ull

static void enable_no_execute(void)
{
    if (paging_no_execute())
        system_wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_NXE);
}

/*
 * All mappings so far use entry 0. If firmware had set its type to other than write-back, that type leaves no modified
 * line in a cache; so it is enough to flush the TLBs.
 */
void paging_cpu_types(void)
{
    u64 found;
    if (!cpuid_has(CPUID_PAT) || rdmsr_try(MSR_PAT, &found) != NO_FAULT || found == PAT_TYPES)
        return;
    system_wrmsr_try(MSR_PAT, PAT_TYPES);
    write_cr3(read_cr3());
}

void paging_cpu_init(void)
{
    enable_no_execute();
    paging_cpu_types();
    write_cr3(paging_root());
}
