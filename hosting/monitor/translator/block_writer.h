/* SPDX-License-Identifier: BSD-2-Clause */
/* How block.c and block_view.c write code. */
#pragma once

#include "hosting/monitor/translator/block.h"

struct writer {
    u8 *code;
    unsigned count, most;
    u64 at;
    const struct block_state *state;
    bool failed; /* no room, or out of reach */
};

static inline void put(struct writer *w, u64 value, unsigned size)
{
    if (w->count + size > w->most) {
        w->failed = true;
        return;
    }
    for (unsigned i = 0; i < size; i++)
        w->code[w->count++] = (u8)(value >> 8 * i);
}

/* A 32-bit displacement to `target`, with `behind` bytes of the instruction following. */
static inline void put_relative(struct writer *w, u64 target, unsigned behind)
{
    s64 distance = (s64)(target - (w->at + w->count + 4 + behind));
    w->failed |= distance != (s32)distance;
    put(w, (u64)distance, 4);
}

/* An instruction of `size` bytes that ends in the displacement to `target`. */
static inline void put_to(struct writer *w, u32 opcode, unsigned size, u64 target)
{
    put(w, opcode, size);
    put_relative(w, target, 0);
}

#define STATE(member) ((u64)w->state + offsetof(struct block_state, member))
#define STATE_RAX STATE(registers)
#define STATE_RCX (STATE(registers) + 1 * 8)
#define STATE_RDX (STATE(registers) + 2 * 8)
#define STATE_RDI (STATE(registers) + 7 * 8)
