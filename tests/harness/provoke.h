/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways to make counters count and overflow, for many tests. All act on the calling CPU. */
#pragma once

#include "harness/cells.h"

/* Stores the counters of the CPU that can count an architectural event, GP first; returns their number. */
unsigned counters_for(const struct test *t, u16 event, struct counter list[COUNTERS_MAX]);
/* Stores all GP counters; returns their number. */
unsigned gp_counters(const struct test *t, struct counter list[COUNTERS_MAX]);
/* The GP counter for this turn: one after another, starting over after the last. */
struct counter gp_in_turn(const struct test *t, u32 turn);
/* Programs each of them for `event`, value 0. */
void setup_counters(const struct counter *list, unsigned n, u16 event, unsigned flags);
/* The flags that let a counter count in the ring of the test's cell; at CPL 3 they also count the transition. */
unsigned ring_flags(const struct test *t);
#define ON_THE_WAY 1000 /* more instructions or cycles than the transition has */
/* Runs k iterations of the default block in the ring of the test's cell, with the counters in `mask`
 * (IA32_PERF_GLOBAL_CTRL bits) on. */
void run_block(const struct test *t, u64 mask, u64 k);

/*
 * Like run_block(), started in the order that errata ask for: the GP counters together, then the fixed ones in a run of
 * their own by fixed_switch().
 */
void run_block_exactly(const struct test *t, u64 mask, u64 k);

/*
 * Can its overflow bit, after it was cleared and the counter written, be set a second time, with another PMI? Intel's
 * event lists say so of reference cycles, whose counter takes values over with a slower clock; software should ignore
 * it.
 */
bool overflows_again(struct counter counter);
/*
 * Programs one counter a little below its end and runs a block that makes it overflow: a GP counter and fixed counter 0
 * by instructions, others by their own event; in the ring of the test's cell, and with all others on if the cell says
 * so. The overflow is at least 64 instructions before the block's end: a counter that is stopped as it overflows can
 * leave a status bit that never clears (BJ58, BV85, AAJ143).
 */
void provoke_overflow(const struct test *t, struct counter counter, unsigned flags);
/* Like provoke_overflow(), for all counters that count exactly, at once; returns their IA32_PERF_GLOBAL_STATUS bits. */
u64 provoke_all(const struct test *t, unsigned flags);
#define PROVOKE_EVENTS 16 /* instructions up to their overflow */

/* ---- PMIs of the calling CPU. End each of these with pmi_close(). */
/* The PMI delivery of the test's cell. */
enum pmi_delivery cell_delivery(const struct test *t);
/* As pmi_open(), and for fixed delivery interrupts on: a PMI is taken when it comes. */
void pmi_listen(enum pmi_delivery delivery, unsigned action);
/* Has one come, at most 20 ms later? Interrupts are off then. */
bool pmi_came(void);
/* pmi_came() as a check, "not-delivered", of the counter of this register (0: of none or all). */
bool check_delivered(struct test *t, u32 msr);
/*
 * Ends pmi_listen() on a CPU of several: one PMI or more has come on the CPU that was to have it (`mine`), none on the
 * others. Labels "not-delivered", "delivered-elsewhere".
 */
void check_only_here(struct test *t, bool mine);
/* How many have come once what was on its way has arrived. Interrupts are off then. */
u32 pmi_settled(void);
/* Has one counter after the other overflow: a PMI must come by this delivery and show the counter's bit. */
void check_overflow_arrives(struct test *t, enum pmi_delivery delivery);

/* Waits until a fixed PMI is requested or in service, at most 20 ms; returns whether it is. */
bool wait_requested(void);
