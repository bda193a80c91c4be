/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A test on one of the CPUs that take part: that CPU's own data, and what it does by itself. It records its registers,
 * runs the test with nothing and with something around it, and puts everything back. Faults end up in its results.
 */
#pragma once

#include "harness/core/around.h"
#include "harness/core/errata_book.h"
#include "harness/core/form.h"
#include "harness/core/results.h"
#include "harness/test.h"
#include "kernel/interrupt/interrupt.h"
#include "pmu/cpu/caps.h"
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

/* ---- What came from outside while a test made checks without a bracket that cannot be repeated. */
struct interference {
    u64 smis; /* 0 if the CPU does not count them */
    u32 strays;
};
/* What has disturbed the calling CPU so far. */
struct interference interference_now(const struct pmu_caps *caps);
/*
 * Stores in the results how many SMIs came since `before`. A failure outside a bracket may be caused by an SMI or a
 * stray interrupt: if any came, the test is an error, not a failure. SMIs that it asked for are no excuse.
 */
void interference_excuse(struct results *results, const struct test *test, const struct interference *before);

/* ---- What ended a guarded call, in words: the access, the register, the place in the code. */
#define TROUBLE_TEXT 128

/* Was the call ended before it returned by itself? */
static inline bool in_trouble(const struct guard_result *guard)
{
    return guard->timeout || guard->storm || guard->fault != NO_FAULT;
}
/* Did an access by rdmsr() or wrmsr() fault? Then *msr is its register, *fault the fault. */
bool trouble_denied(const struct guard_result *guard, u32 *msr, fault_t *fault);
/* Writes "took too long in RDMSR of IA32_PMC3", "unexpected #GP in count+0x12" to text of TROUBLE_TEXT bytes. */
const char *trouble_text(const struct pmu_caps *caps, const struct guard_result *guard, char *text);

/*
 * ---- Runs a test that has passed with nothing around it once more in each of several surroundings, and finds out what
 * a failure there needs. The option surroundings= seeds them.
 */
struct surrounded {
    struct test *test;
    struct results *results; /* of the first run; failures are added to them */
    struct results *again;   /* room for those of another */
    u32 us;                  /* for surroundings beyond the least number */
    /* Runs the test with this around it, into `again`, and puts everything back. False if it did not come to its end,
     * which has been told. */
    bool (*run)(void *argument, const struct surroundings *around);
    void *argument;
};

/* Is anything drawn for the test? Not after a failure: what fails needs nothing around it. */
bool surround_wanted(const struct test *test, const struct results *results);
void surround(const struct surrounded *s);
/* From now on each round of a soak has surroundings of its own: the option's seed and the number of the round. */
void surround_round(u32 round);

/* ---- The errata of this machine's CPUs as a run meets them: noted test by test, reported at its end. */
/* A run begins: no erratum was seen. */
void errata_notes_begin(void);
/* Notes the judged results of one CPU. */
void errata_notes_take(const struct test_declaration *test, u32 cpu, const struct results *results);
/* Logs a line for each erratum of each kind of core, and shows on the screen how many of them were seen, if any. */
void errata_notes_tell(void);
/* Calls the function for each erratum so far, with the first CPU of its kind of core. */
void errata_notes_each(void (*tell)(u32 core_type, const struct erratum_entry *entry));

/*
 * ---- A check that failed outside any bracket is made once more: if it then holds, the failure may have been caused by
 * others, such as microcode or firmware, so a person must look at it; it does not yet accuse the hardware. Pure.
 */
/* Is there such a failure, in a test that a single CPU can run? */
bool second_look_wanted(const struct results *first, enum scope scope);
/* Marks the failed checks of the first run that held in the second. */
void second_look_compare(struct results *first, const struct results *second);
