#include "kernel/cpu/paging_cpu.h"
#include "boot/cpu.h"
#include "kernel/core/paging.h"
#include "kernel/cpu/cpuid.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/msr.h"

/* PAT entry 1 (PWT alone selects it) becomes write-combining; the others keep their power-on types. */
#define PAT_ENTRY1_MASK FIELD(15, 8, 0xff)
#define PAT_ENTRY1_COMBINING FIELD(15, 8, 1)

static void enable_no_execute(void)
{
    if (paging_no_execute())
        wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_NXE);
}

void paging_cpu_init(void)
{
    enable_no_execute();
    if (cpuid_has(CPUID_PAT)) {
        u64 pat;
        if (rdmsr_try(MSR_PAT, &pat) == NO_FAULT)
            wrmsr_try(MSR_PAT, (pat & ~PAT_ENTRY1_MASK) | PAT_ENTRY1_COMBINING);
    }
    write_cr3(paging_root());
}
