/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A log in memory in the form of Linux's persistent RAM, which ramoops shows as a file of pstore after a warm reset: a
 * header of three words, then the text ("Ramoops oops/panic logger" in Linux's administration guide). The text never
 * wraps around: if it is full, its first quarter, which identifies the machine, stays, and the older half of the rest
 * is dropped. Pure.
 */
#pragma once

#include "boot/bits.h"

struct ramoops {
    u32 signature;
    u32 start; /* position of the oldest byte: always 0 here */
    u32 size;  /* of the text */
    char text[];
};

/* The most that Linux preserves at once. */
#define RAMOOPS_MOST (4u << 20)

/* Starts an empty log in a zone. */
void ramoops_begin(struct ramoops *zone);
/* Adds whole lines to the zone, which has `size` bytes. Returns where in the text the first byte was changed. */
u32 ramoops_add(struct ramoops *zone, u32 size, const char *text, size_t length);
