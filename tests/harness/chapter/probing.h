/*
 * Provocations of published errata, for the tests of the chapter errata: what other tests keep clear of, because some
 * CPUs count it wrong. All act on the calling CPU, and only with errata=probe or on the reference PMU (.needs.probe).
 */
#pragma once

#include "harness/core/errata.h"
#include "harness/test.h"

/* Skips the test if no document says whether this CPU has the erratum: it then may well count as others do not. */
void need_told(struct test *t, enum erratum_fact_id fact);

#define PROBE_LOOP 4 /* instructions of the loop around the work: settled_work.inc */

/* Work at CPL 3 and what one iteration of it counts. */
struct probe {
    const char *label;
    u64 aspect;         /* enum aspect */
    void (*work)(void); /* tests/harness/settled_work.inc */
    u64 event;          /* event and unit mask of an event select */
    u64 each;           /* how often the event occurs in an iteration, with the loop */
};

/*
 * Counts the work with the first GP counter, and checks what a run of four counts more than one of none, so that only
 * the longer one can be miscounted. For .repeat: are more samples wanted?
 */
bool probe_work(struct test *t, const struct probe *probe);

#define PROBE_WORK(name) void name##_work(void)
PROBE_WORK(iret);
