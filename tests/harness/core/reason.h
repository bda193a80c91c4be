/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Codes for what keeps a test from its verdict. The sentence beside a code states what was read and is for people;
 * programs, and the advice, use the code. Pure.
 */
#pragma once

/* REASON_NONE: nobody can do anything about it, for example if the CPU does not have what the test asks about. */
#define REASON(id, name, what) REASON_##id,
enum reason {
    REASON_NONE,
#include "harness/core/reason.def"
    REASONS
};
#undef REASON

struct reason_row {
    const char *name; /* permanent: "noise.smi" */
    const char *what; /* what happened, in one line */
};
/* Indexed by code; REASON_NONE has neither name nor text. */
extern const struct reason_row reasons[REASONS];
