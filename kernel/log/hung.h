/*
 * Tests that hung the machine until the watchdog reset it, from start to start in memory that a reset keeps: each is
 * left out from then on, so that a machine that is on its own gets through the others. Pure.
 */
#pragma once

#include "boot/bits.h"

#define HUNG_MOST 8
#define HUNG_NAME 56

struct hung {
    u32 count, crc;
    char name[HUNG_MOST][HUNG_NAME];
};

/* Makes an empty list of it, unless it is a whole one. */
void hung_begin(struct hung *hung);
void hung_clear(struct hung *hung);
/* Adds a name, if there is room and it is not there yet. */
void hung_add(struct hung *hung, const char *name);
bool hung_has(const struct hung *hung, const char *name);
