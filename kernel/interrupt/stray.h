/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts on vectors without a handler, counted by vector. Each CPU's own interrupt handler writes its counts.
 * Pure. */
#pragma once

#include "boot/bits.h"

struct stray {
    u8 vector;
    u32 count; /* since start */
    u64 rip;   /* RIP at the first one */
};

/* A vector keeps its row. Interrupts on further vectors are only counted, in `others`. */
#define STRAYS_KEPT 8
struct strays {
    u32 kept, others;
    struct stray row[STRAYS_KEPT];
};

/* Counts an interrupt on `vector` that came at `rip`. */
void stray_note(struct strays *all, u8 vector, u64 rip);
