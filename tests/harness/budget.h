/* How long and how often measured blocks are repeated: as often as the time allows, and never too seldom. */
#pragma once

#include "boot/bits.h"

struct budget {
    u32 us;      /* time for the repeats of one test, shared by all its calls of repeat_clean() */
    u32 repeats; /* clean repeats that each call makes in any case */
};

/* quick: 20 ms, at least 20 repeats; in a proof 2 ms, at least 5; else 100 ms, at least 100. */
struct budget budget(void);
/* From now on. */
void budget_set_quick(bool quick);
void budget_set_proof(bool proof);
