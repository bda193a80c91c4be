/*
 * Which memory the CPU caches: the MTRRs, as firmware has set them. Old firmware's registers end below the top of the
 * memory that its own map shows, and what lies there is a hundred times slower. SDM 3A, "Memory Type Range Registers
 * (MTRRs)".
 */
#pragma once

#include "boot/bits.h"

#define MTRR_RANGES 16

/* Variable ranges alone: what fixed ones say ends at 1 MiB. */
struct mtrrs {
    bool enabled; /* false: nothing is cached */
    u8 other;     /* type of what no range holds */
    unsigned count;
    struct {
        u64 base, mask; /* as the registers are, IA32_MTRR_PHYSBASEn and PHYSMASKn */
    } range[MTRR_RANGES];
};

/* Is all of [at, end), from 1 MiB on, written back? Pure. */
bool mtrrs_cache(const struct mtrrs *mtrrs, u64 at, u64 end);
/* The same, of the calling CPU; true where it has no MTRRs. */
bool mtrr_caches(u64 at, u64 end);
