/* Interrupts on vectors that nobody here uses, counted by vector. Each CPU has its own; a handler writes them. Pure. */
#pragma once

#include "boot/bits.h"

struct stray {
    u8 vector;
    u32 count; /* since start */
    u64 rip;   /* where the first one came */
};

/* A vector keeps its row. Those that found no row are only counted, in `others`. */
#define STRAYS_KEPT 8
struct strays {
    u32 kept, others;
    struct stray row[STRAYS_KEPT];
};

/* One more came on `vector`, at `rip`. */
void stray_note(struct strays *all, u8 vector, u64 rip);
