/*
 * Walks a register bit by bit: each is changed from what the register reads, looked at, and put back at once. Which
 * bits may be tried at all is the write gate's to say. Only to be used while nothing counts.
 */
#pragma once

#include "harness/test.h"

/* What became of each bit; a bit is in one of the first four. */
struct bit_walk {
    u64 kept;          /* reads back as written */
    u64 dropped;       /* accepted, and reads as before */
    u64 fault;         /* #GP */
    u64 untried;       /* refused by the gate */
    u64 unstable;      /* reads differently twice although nothing counts: not to be hashed */
    u64 before, after; /* the register before the walk and after it: must be the same */
};

/*
 * `seen`: the register that shows the effect, `msr` itself but for IA32_PERF_GLOBAL_STATUS_SET. An SMI or a foreign
 * write during the walk: it is made again, three times at most; then the test is an error.
 */
void walk_bits(struct test *t, u32 msr, u32 seen, struct bit_walk *walk);

/* CRC-32 over the stable bits of the outcome, continuing `crc`: equal machines give equal numbers. */
u32 walk_crc32(u32 crc, u32 msr, const struct bit_walk *walk);

/*
 * Walks the registers first + n, n the bits of `members` (1: `first` alone), hands each to judge(), and notes "# bits
 * reg=... kept=...", one line for neighbours with the same outcome.
 */
void walk_family(struct test *t, u32 first, u32 members, u32 seen,
                 void (*judge)(struct test *t, u32 msr, const struct bit_walk *walk));

/* The register reads after the walk as before. Label "not-restored". */
void check_restored(struct test *t, u32 msr, const struct bit_walk *walk);
/* All `bits` that were tried are kept (fault). */
void check_kept(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits);
void check_faulting(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits);

/* A write of the bit above a counter's width faults and leaves `kept` in it. Labels "accepted", "changed". */
void check_refuses_above(struct test *t, u32 msr, u8 width, u64 kept);
/* What is written to `msr`, of each pattern as much as the width holds, and each bit alone, reads whole from `seen`. */
void check_reads_back(struct test *t, const char *label, u32 msr, u32 seen, u8 width);

/* Is the CPU of a class of which a dump shows that reserved bits of the control registers fault? */
bool reserved_bits_judged(const struct pmu_caps *caps);
