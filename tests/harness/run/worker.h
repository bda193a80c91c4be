/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A test on one of the CPUs that take part: that CPU's own data, and what it does by itself. It records its registers,
 * runs the test with nothing and with something around it, and puts everything back. Faults end up in its results.
 */
#pragma once

#include "harness/core/results.h"
#include "harness/test.h"
#include "kernel/interrupt/interrupt.h"
#include "pmu/state/handoff.h"

/* Each CPU's data for running a test by itself. */
struct worker {
    struct test test;
    struct results results, again; /* again: results of a second run, after a failure outside any bracket */
    struct snapshot base, after;   /* registers before the test, and after it */
    struct snapshot shared;        /* registers that other threads write too, before the run */
    struct guard_result beginning; /* of the beginning of the run on this CPU */
    struct guard_result guard;
    const struct surroundings *around; /* of a run with something around it */
    u32 us;                            /* for repeats beyond the minimum */
    u32 timeouts;
    u64 beside_stop;    /* in the whole run: bits of counters that overflowed as they were stopped */
    u32 lvtpc;          /* its value before the test */
    bool left;          /* the test did not return by itself */
    bool shared_differ; /* at the end of the test, registers that other threads may still have been using differed */
};

/* At the start of a run, on this CPU: stops its PMU, and records the registers that are its own. */
void worker_begin(struct worker *w);
/* Once all CPUs are quiet: records those that it shares with other threads. */
void worker_begin_shared(struct worker *w);
/* Runs the test that the worker holds, on this CPU. */
void worker_run(struct worker *w);
/* Afterwards, one CPU after the other: puts back what it shares and what was found to differ. */
void worker_end_shared(struct worker *w);
