/* SPDX-License-Identifier: BSD-2-Clause */
/* Which memory the CPU caches: the MTRRs as firmware has set them. */
#include "boot/cpu.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"

#define PAGE 4096ull

enum { UNCACHED = 0, WRITE_THROUGH = 4, WRITE_BACK = 6, NONE = 0xff };

/* Two overlapping ranges: uncached wins, then write-through; other mixes are undefined and count as not cached. */
static u8 both(u8 a, u8 b)
{
    if (a == NONE || a == b)
        return b;
    bool through = (a == WRITE_THROUGH && b == WRITE_BACK) || (a == WRITE_BACK && b == WRITE_THROUGH);
    return through ? WRITE_THROUGH : UNCACHED;
}

static u8 type_of(const struct mtrrs *mtrrs, u64 page)
{
    u8 type = NONE;
    for (unsigned i = 0; i < mtrrs->count; i++) {
        u64 base = mtrrs->range[i].base, mask = mtrrs->range[i].mask;
        if ((mask & MTRR_PHYSMASK_VALID) && !((page ^ base) & mask & MTRR_ADDRESS))
            type = both(type, (u8)(base & MTRR_TYPE));
    }
    return type == NONE ? mtrrs->other : type;
}

bool mtrrs_cache(const struct mtrrs *mtrrs, u64 at, u64 end)
{
    for (u64 page = at & ~(PAGE - 1); page < end; page += PAGE)
        if (!mtrrs->enabled || type_of(mtrrs, page) != WRITE_BACK)
            return false;
    return true;
}

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
