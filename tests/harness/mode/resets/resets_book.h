/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The book of a series of warm resets: which were made, and what each start found that differs from the first one. It
 * lies in memory that a reset preserves, with a sum that shows whether it did. Pure.
 */
#pragma once

#include "boot/bits.h"

#define RESETS_WAYS 8
#define RESETS_REGISTERS 1200 /* of all CPUs together */
#define RESETS_DIFFERENCES 64

/* A register of a CPU; `number` is an MSR's, or another one that the caller tells apart. */
struct resets_register {
    u32 cpu, number;
    u64 value;
};

struct resets_book {
    u64 magic;
    u32 sum;      /* CRC-32 of everything behind it */
    u32 each;     /* resets that are asked of each way */
    u32 way;      /* the one whose turn it is; RESETS_WAYS: the series is over */
    u32 underway; /* 1: it was told to reset the machine */
    struct resets_way {
        u32 made;        /* resets */
        u32 absent;      /* 1: the machine does not have it */
        u32 ignored;     /* 1: it did not reset the machine */
        u32 differences; /* from the first start, in all starts after it */
    } ways[RESETS_WAYS];
    u32 registers, left_out; /* kept ones, and those without room */
    struct resets_register first[RESETS_REGISTERS];
    u32 differences;
    struct resets_difference {
        u32 way, made; /* the start after that reset */
        struct resets_register first;
        u64 now;
    } difference[RESETS_DIFFERENCES];
};

/* Is it a book that survived, of a series that is not over? */
bool resets_book_continues(const struct resets_book *book);
/* The first start: nothing is known yet. `each`: resets asked of each of `ways` ways. */
void resets_book_begin(struct resets_book *book, u32 each);
/* The start after a reset that was under way: it was made. */
void resets_book_came_back(struct resets_book *book);
/* A register as this start found it: kept in the first one, compared in each later one. */
void resets_book_found(struct resets_book *book, u32 cpu, u32 number, u64 value);
/* The way to reset the machine by now, which is then under way, of `ways`; RESETS_WAYS: the series is over. */
u32 resets_book_next(struct resets_book *book, u32 ways);
/* The reset that is under way did not happen; `absent`: the machine does not have this way. No more of it. */
void resets_book_failed(struct resets_book *book, bool absent);
/* Sums it, as the last thing before a reset. */
void resets_book_close(struct resets_book *book);
