/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a person can do about it: rows keyed by the codes of skips, errors and doubts. A row that applied is told once,
 * before the END line and on the screen: "# advice LABEL \"text\" times=12". The guide for labs prints the same table.
 * Pure.
 */
#pragma once

#include "boot/bits.h"
#include "harness/core/reason.h"

struct advice {
    const char *label;      /* permanent; rows with the same say the same */
    enum reason code;       /* what happened */
    const char *hypervisor; /* glob over what CPUID leaf 40000000H says, "none" without one; NULL: whichever */
    const char *text;       /* what to do, in the imperative */
};
extern const struct advice advice_rows[];
extern const unsigned advice_count;

/* How often each row applied; of rows with the same label the first has it all. */
#define ADVICE_MAX 48
struct advice_book {
    u32 times[ADVICE_MAX];
};

/* The row for this code on a machine with this hypervisor; NULL: nothing that a person could do is known. */
const struct advice *advice_for(enum reason code, const char *hypervisor);
/* What to do, with this image: some rows name an option that one without the reference PMU lacks. */
const char *advice_text(const struct advice *advice);
/* Notes that something ended for this reason. */
void advice_note(struct advice_book *book, enum reason code, const char *hypervisor);
