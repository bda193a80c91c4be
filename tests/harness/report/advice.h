/*
 * What a person can do about it: rows keyed by the reasons of skips, errors and doubts. A row that applied is told
 * once, before the END line and on the screen: "# advice LABEL \"text\" times=12". The guide for labs prints the same
 * table. Pure.
 */
#pragma once

#include "boot/bits.h"

struct advice {
    const char *label;      /* permanent; rows with the same say the same */
    const char *reason;     /* glob over the reason */
    const char *hypervisor; /* glob over what CPUID leaf 40000000H says, "none" without one; NULL: whichever */
    const char *text;       /* what to do, in the imperative */
};
extern const struct advice advice_rows[];
extern const unsigned advice_count;

/* How often each row applied; of rows with the same label the first has it all. */
#define ADVICE_MAX 32
struct advice_book {
    u32 times[ADVICE_MAX];
};

/* The first row for this reason on a machine with this hypervisor; NULL: nothing that a person could do is known. */
const struct advice *advice_for(const char *reason, const char *hypervisor);
/* Notes that something ended with this reason. */
void advice_note(struct advice_book *book, const char *reason, const char *hypervisor);
