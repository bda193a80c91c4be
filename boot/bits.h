/* SPDX-License-Identifier: BSD-2-Clause */
/* Integer types and bit helpers shared by every room. Pure: no machine access, usable on the build host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int32_t s32;
typedef int64_t s64;

/* A single bit, a mask of bits hi..lo, a value placed at bits hi..lo: the manual's order, most significant first. */
#define BIT(n) (1ull << (n))
#define MASK(hi, lo) ((~0ull >> (63 - (hi))) & (~0ull << (lo)))
#define FIELD(hi, lo, value) (((u64)(value) << (lo)) & MASK(hi, lo))
#define FIELD_GET(word, hi, lo) (((u64)(word)&MASK(hi, lo)) >> (lo))

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Walks the rows of a fixed table: for_each_row (patterns, p) { ... p->field ... } */
#define for_each_row(table, row) \
    for (const __typeof__((table)[0]) *row = (table); row < (table) + ARRAY_SIZE(table); row++)
