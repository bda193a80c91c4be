/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that hung the machine until the watchdog reset it, in memory that a reset preserves: later starts leave each of
 * them out, so that an unattended machine gets through the other tests. Pure.
 */
#pragma once

#include "boot/bits.h"

#define HUNG_MOST 8
#define HUNG_NAME 56

struct hung {
    u32 count, crc;
    char name[HUNG_MOST][HUNG_NAME];
};

/* Makes it an empty list, unless it is a valid one. */
void hung_begin(struct hung *hung);
void hung_clear(struct hung *hung);
/* Adds a name, if there is room and it is not there yet. */
void hung_add(struct hung *hung, const char *name);
bool hung_has(const struct hung *hung, const char *name);
