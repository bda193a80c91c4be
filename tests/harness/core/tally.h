/* SPDX-License-Identifier: BSD-2-Clause */
/* The most frequent of many values, in fixed memory: how the judging protocol summarises repeats. Pure. */
#pragma once

#include "boot/bits.h"

#define TALLY_VALUES 8

struct tally {
    u64 value[TALLY_VALUES];
    u32 count[TALLY_VALUES];
    u32 used, other, total; /* other: values without room */
    u64 least, most;        /* of all values */
};

void tally_add(struct tally *tally, u64 value);
/* Position of the most frequent value (of two equal ones the earlier); TALLY_VALUES if empty. */
unsigned tally_mode(const struct tally *tally);
