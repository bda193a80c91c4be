/*
 * A log in memory in the form of Linux's persistent RAM, which ramoops shows as a file of pstore after a warm reset: a
 * header of three words, then the text ("Ramoops oops/panic logger" in Linux's administration guide). The text is never
 * wrapped: where it has no more room, its first quarter stays, which says what machine it is of, and the older half of
 * the rest goes. Pure.
 */
#pragma once

#include "boot/bits.h"

struct ramoops {
    u32 signature;
    u32 start; /* where the oldest byte is: always 0 here */
    u32 size;  /* of the text */
    char text[];
};

/* The most that Linux takes over at once. */
#define RAMOOPS_MOST (4u << 20)

/* Starts an empty log in a zone. */
void ramoops_begin(struct ramoops *zone);
/* Adds whole lines to the zone, which has `size` bytes. Returns where in the text the first byte was changed. */
u32 ramoops_add(struct ramoops *zone, u32 size, const char *text, size_t length);
