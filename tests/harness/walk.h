/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Walks a register bit by bit: changes one bit of its present value, reads it, and restores it at once. The write gate
 * decides which bits may be tried. Only while no counter is on.
 */
#pragma once

#include "harness/test.h"

/* What became of each bit; each is in one of the first four masks. */
struct bit_walk {
    u64 kept;          /* reads back as written */
    u64 dropped;       /* accepted, but reads as before */
    u64 fault;         /* #GP */
    u64 untried;       /* refused by the gate */
    u64 unstable;      /* two reads differ although nothing counts: not to be hashed */
    u64 before, after; /* the register before and after the walk: both must be equal */
};

/*
 * `seen`: the register that shows the effect, `msr` itself except for IA32_PERF_GLOBAL_STATUS_SET. After an SMI or a
 * foreign write the walk is repeated, three times at most; then the test is an error.
 */
void walk_bits(struct test *t, u32 msr, u32 seen, struct bit_walk *walk);

/* Continues the CRC-32 `crc` over the stable bits of the results: equal machines give equal numbers. */
u32 walk_crc32(u32 crc, u32 msr, const struct bit_walk *walk);

/*
 * Walks the registers first + n, with n the bits of `members` (1: only `first`), passes each result to judge(), and
 * notes "# bits reg=... kept=...", one line for neighbours with equal results.
 */
void walk_family(struct test *t, u32 first, u32 members, u32 seen,
                 void (*judge)(struct test *t, u32 msr, const struct bit_walk *walk));

/* Checks that the register reads the same after the walk as before. Label "not-restored". */
void check_restored(struct test *t, u32 msr, const struct bit_walk *walk);
/* Checks that all `bits` that were tried are kept (or that they fault). */
void check_kept(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits);
void check_faulting(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits);

/* Checks that writing the bit above a counter's width faults and changes nothing. Labels "accepted", "changed". */
void check_refuses_above(struct test *t, u32 msr, u8 width, u64 kept);
/* Checks that patterns, cut to the width, and single bits read back completely from `seen` after a write to `msr`. */
void check_reads_back(struct test *t, const char *label, u32 msr, u32 seen, u8 width);

/* Is the CPU of a class whose dumps show that reserved bits of the control registers fault? */
bool reserved_bits_judged(const struct pmu_caps *caps);
