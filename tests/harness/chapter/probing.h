/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Provocations of published errata, for the tests of the chapter errata: what other tests keep clear of, because some
 * CPUs count it wrong. All act on the calling CPU. Those that only count run like any other test; those that sample,
 * trace or write a counter close to its end only with errata=probe or on the reference PMU (.needs.probe).
 */
#pragma once

#include "harness/core/errata.h"
#include "harness/test.h"

/* Do documents say whether this CPU has the erratum? If not, it may well count as others do not. */
bool documented(const struct test *t, enum erratum_fact_id fact);

/* Skips the test unless the CPU's sheet of errata was read in full: for what no sheet of a known CPU lists. */
void need_sheet(struct test *t);

/* The loop around the work, settled_work.inc: its instructions, and the branches among them. */
#define PROBE_LOOP 4
#define PROBE_LOOP_BRANCHES 2

/* Work at CPL 3 and what one iteration of it counts. */
struct probe {
    const char *label;
    u64 aspects;        /* enum aspect: what is provoked, and what any such count rests on */
    void (*work)(void); /* tests/harness/settled_work.inc */
    u64 event;          /* event and unit mask of an event select */
    u64 each;           /* how often the event occurs in an iteration, with the loop */
};

/*
 * Counts the work with the first GP counter, and checks what a run of four counts more than one of none, so that only
 * the longer one can be miscounted.
 */
void probe_work(struct test *t, const struct probe *probe);

/* Does KVM, if it hosts this guest, carry out an instruction behind its prefix (its parameter force_emulation_prefix)?
 * Without it the prefix is #UD. */
bool probe_forced(const struct pmu_caps *caps);

/* Declares work, of the test's own or of the chapter's .asm file. */
#define PROBE_WORK(name) void name##_work(void)
