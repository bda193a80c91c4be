/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/register/mtrr.h"
#include "boot/cpu.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"

static struct mtrrs read(void)
{
    u64 type = rdmsr(MSR_MTRR_DEF_TYPE);
    struct mtrrs mtrrs = {.enabled = type & MTRR_DEF_TYPE_ENABLE, .other = (u8)(type & MTRR_TYPE)};
    unsigned ranges = (unsigned)(rdmsr(MSR_MTRRCAP) & MTRRCAP_RANGES);
    for (; mtrrs.count < ranges && mtrrs.count < MTRR_RANGES; mtrrs.count++) {
        mtrrs.range[mtrrs.count].base = rdmsr(MSR_MTRR_PHYSBASE(mtrrs.count));
        mtrrs.range[mtrrs.count].mask = rdmsr(MSR_MTRR_PHYSMASK(mtrrs.count));
    }
    return mtrrs;
}

bool mtrr_caches(u64 at, u64 end)
{
    if (!cpuid_has(CPUID_MTRR))
        return true;
    struct mtrrs mtrrs = read();
    return mtrrs_cache(&mtrrs, at, end);
}
