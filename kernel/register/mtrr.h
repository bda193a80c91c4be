/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which memory the CPU caches: the MTRRs as firmware has set them. Old firmware sets MTRRs that end below the top of
 * the memory in its own map; memory above that end is a hundred times slower. SDM 3A, "Memory Type Range Registers
 * (MTRRs)".
 */
#pragma once

#include "boot/bits.h"

#define MTRR_RANGES 16

/* Variable ranges only: the fixed ones end at 1 MiB. */
struct mtrrs {
    bool enabled; /* false: nothing is cached */
    u8 other;     /* type of memory outside all ranges */
    unsigned count;
    struct {
        u64 base, mask; /* the registers' values: IA32_MTRR_PHYSBASEn and PHYSMASKn */
    } range[MTRR_RANGES];
};

/* Is all of [at, end), which starts at 1 MiB or above, write-back? Pure. */
bool mtrrs_cache(const struct mtrrs *mtrrs, u64 at, u64 end);
/* The same for the calling CPU; true if it has no MTRRs. */
bool mtrr_caches(u64 at, u64 end);
