/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/microcode.h"
#include "kernel/core/option.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "kernel/register/system_msr.h"
#include "pmu/registers.h"

OPTION(microcode, .kind = OPTION_FLAG,
       .help = "all tests, then the update of microcode in the module that GRUB loaded, then all tests again, and what "
               "it changed; it stays until the machine is switched off or reset");

bool microcode_asked(void)
{
    return option_microcode.given;
}

/* SDM 3A, "Update Signature and Verification": write 0, run CPUID.1, read the revision from the upper half. */
u32 microcode_revision(void)
{
    u64 value;
    if (system_wrmsr_try(MSR_BIOS_SIGN_ID, 0) != NO_FAULT)
        return 0;
    cpuid(1, 0);
    return rdmsr_try(MSR_BIOS_SIGN_ID, &value) == NO_FAULT ? (u32)FIELD_GET(value, 63, 32) : 0;
}

struct microcode_cpu microcode_of_cpu(void)
{
    u64 platform = 0;
    rdmsr_try(MSR_PLATFORM_ID, &platform);
    return (struct microcode_cpu){cpuid(1, 0).eax, (u32)FIELD_GET(platform, 52, 50), microcode_revision()};
}
