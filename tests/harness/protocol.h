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
