/* SPDX-License-Identifier: BSD-2-Clause */
/* The judging protocol's shared state, which run.c prepares before the CPUs of a test start. Its use is in test.h. */
#pragma once

#include "harness/core/budget.h"
#include "harness/test.h"
#include "kernel/cpu/cpus.h"

/* Runs the test as it is declared, on the calling CPU. */
void run_declared(struct test *t);
/* The CPUs of the next ALL_TOGETHER test, which meet at barrier(). */
void barrier_prepare(const struct cpu_set *cpus);
/* This CPU has left the test: no barrier waits for it any more. */
void barrier_leave(void);

/* For the judging protocol: counts the test's cells, 0 if it declares none; and enters the cell whose turn it is. */
void cells_begin(struct test *t);
void cell_enter(struct test *t);

/* ---- What is around the test (harness/core/around.h). */
/* For the harness: before each repeat; puts up what stands, records and is masked. */
void around_enter(struct test *t);
/* Whole registers of controls keep what is around: the value that a test's write becomes. */
u64 around_written(struct test *t, u32 msr, u64 value);
/* From now on the counters that this test sets up are varied; at its end, also of one that did not return, no more. */
void around_begin(struct test *t, const struct surroundings *around);
void around_end(struct test *t);

/* ---- What the calling CPU's PMU has been used for before a test: uses that leave everything as they found it. */
/*
 * Makes the uses that are drawn (AROUND_HISTORY of what is around the test, a bit for each kind), in an order and a
 * number made from the seed. Before anything of the test is set up: all counters must be stopped and unused, and a PMI
 * impossible.
 */
void history_make(struct test *t);
