/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A model that samples by architectural PEBS: a buffer on the bench at a physical address, and consecutive instructions
 * that their registers identify: instruction k is at CODE + 4 * k, and after it RAX is k.
 */
#pragma once

#include "reference/test/model/model_rig.h"

#define BASE 0x200000ull /* physical */
#define BYTES 0x8000ull
#define CODE 0x400000ull
#define INDEX_EN (1ull << 32)
#define INDEX_FULL (1ull << 31)
#define THRESHOLD(bytes) ((u64)(bytes) / 16 << 36)
#define PEBS_EN (1ull << 63)
#define INSTRUCTIONS 0x4300c0ull /* OS, USR, EN */

struct bench {
    struct rig r;
    u8 memory[BYTES];
    u64 k; /* instructions so far */
};

static bool physical_write(void *context, u64 address, const void *from, u32 count)
{
    return rig_memory_write(context, address, from, count);
}

static inline void open_on(struct bench *b, const char *profile, const char *deviation, u32 cpu)
{
    memset(b, 0, sizeof(*b));
    rig_open_on(&b->r, profile, deviation, 1, cpu);
    b->r.memory = b->memory;
    b->r.address = BASE;
    b->r.size = BYTES;
    b->r.host.physical_write = physical_write;
    rig_fill_registers(&b->r);
    model_reset(b->r.model, &b->r.setup, &b->r.host);
}

static inline void step(struct bench *b, enum retired_kind kind, u8 access)
{
    struct retired in = {.kind = kind, .access = access, .taken = true, .rip = CODE + 4 * b->k};
    in.address = access ? 0x123456789ab0ull + 8 * b->k : 0;
    b->r.registers.general[0] = b->k++;
    b->r.registers.rip = CODE + 4 * b->k;
    model_retire(b->r.model, &in);
}

static inline void steps(struct bench *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        step(b, RETIRED_PLAIN, ACCESS_NONE);
}

/* Counter n, which has the precise distribution if n is below 2, samples instructions every `period`; false: its CFG_C
 * faults. */
static inline bool sample(struct bench *b, unsigned n, u64 period, u64 groups)
{
    struct rig *r = &b->r;
    wr(r, 0x1900 + 4 * n, -period & 0xffffffffffffull);
    wr(r, 0x1901 + 4 * n, INSTRUCTIONS);
    return !wr_faults(r, 0x1903 + 4 * n, PEBS_EN | groups | (-period & 0xffffffff));
}

/* One page, with a PMI after this many bytes. */
static inline void buffer(struct bench *b, u64 threshold)
{
    wr(&b->r, 0x3f4, BASE);
    wr(&b->r, 0x3f5, INDEX_EN | THRESHOLD(threshold));
}

static inline u64 word(const struct bench *b, u64 offset, unsigned n)
{
    u64 value;
    memcpy(&value, b->memory + offset + 8 * n, sizeof(value));
    return value;
}

static inline u64 written(struct bench *b)
{
    return rd(&b->r, 0x3f5) & 0x7fffff0;
}

/* Clears WR and FULL, and the STATUS bit, as a handler does. */
static inline void drain(struct bench *b)
{
    wr(&b->r, 0x3f5, rd(&b->r, 0x3f5) & ~(INDEX_FULL | 0x7fffff0));
    wr(&b->r, 0x390, 1ull << 54);
    b->r.lvtpc &= ~LVTPC_MASK;
}
