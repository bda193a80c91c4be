/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A promise that holds wherever the code runs, however the interrupt is delivered, for every counter and beside running
 * counters is tested in all these places: a test declares the axes (struct test_declaration.cells), and its repeats go
 * through their product, the cells. Pure.
 */
#pragma once

#include "pmu/cpu/counters.h"

enum cell_axis {
    CELL_RINGS = 1,      /* at CPL 0 and at CPL 3 */
    CELL_DELIVERIES = 2, /* PMIs by a fixed vector and by NMI */
    CELL_COUNTERS = 4,   /* each counter that counts in any code; after one round only those that count exactly */
    CELL_NEIGHBOURS = 8, /* with all other counters on, and alone */
};

/* The place of a repeat. All zeros: at CPL 0, by a fixed vector, with others on. */
struct cell {
    bool user, nmi, alone;
    struct counter counter; /* if its axis is declared */
};

/*
 * Values of each axis, as bits: 1 for the first and 2 for the second; for counters, fixed ones from CELL_FIXED on.
 * Small, because each check has two of these.
 */
#define CELL_FIXED 16
struct cell_set {
    u8 axes; /* bits of enum cell_axis; 0: no cell */
    u8 rings, deliveries, neighbours;
    u32 counters;
};

/* How many cells the axes have with n counters. */
u32 cell_count(unsigned axes, u32 n);
/* The cell whose turn it is; counters vary first, then rings, deliveries and neighbours. */
struct cell cell_of(unsigned axes, const struct counter *list, u32 n, u32 turn);
/* A number that identifies the cell, below CELL_NUMBERS. */
#define CELL_NUMBERS 512
static inline u32 cell_number(const struct cell *cell)
{
    return cell->counter.bit % 64u * 8 + cell->user * 4u + cell->nmi * 2u + cell->alone;
}
static inline struct cell_set cell_set_of(unsigned axes, const struct cell *cell)
{
    return (struct cell_set){.axes = (u8)axes,
                             .rings = cell->user ? 2 : 1,
                             .deliveries = cell->nmi ? 2 : 1,
                             .neighbours = cell->alone ? 2 : 1,
                             .counters =
                                 1u << (cell->counter.fixed ? CELL_FIXED + cell->counter.index : cell->counter.index)};
}
static inline void cell_set_add(struct cell_set *set, const struct cell_set *more)
{
    set->axes |= more->axes;
    set->rings |= more->rings;
    set->deliveries |= more->deliveries;
    set->neighbours |= more->neighbours;
    set->counters |= more->counters;
}
/*
 * The places in which a check failed: "ring:3,delivery:nmi,counter:2+fixed0,others:off", only for axes along which it
 * also held somewhere; "" if there are none.
 */
#define CELL_TEXT 192
const char *cell_text(char *text, size_t size, const struct cell_set *failed, const struct cell_set *held);
