/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a failed check means: on which PMU, on which class of CPU, by which erratum, how often. And what a whole run
 * means. Pure. The rule behind all: a false accusation of good silicon is this program's worst possible error.
 */
#pragma once

#include "boot/bits.h"
#include "harness/core/errata.h"
#include "harness/core/results.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/class.h"

enum pmu_kind {
    PMU_HARDWARE,
    PMU_VIRTUAL,        /* a hypervisor's PMU: differences are reported, never judged */
    PMU_VIRTUAL_JUDGED, /* a hypervisor's PMU with judge=virtual: judged by what its CPUID shows */
    PMU_REFERENCE,      /* the reference PMU: every check has been seen to pass on it */
};

/*
 * Evidence: a log of a CPU of this class in which the check passed. A check without it accuses only where the manual
 * prints what it asks, or programs rely on it (below). Each such log adds rows (pmucheck adopt).
 */
struct evidence {
    u32 signature, mask; /* CPUID.1:EAX & mask == signature */
    const char *test;    /* a glob */
    const char *labels;  /* globs, separated by commas */
    const char *log;     /* the log that shows it */
};
#define EVIDENCE_CLASS 0x0fff0ff0u /* selects a class: all bits except the stepping */
extern const struct evidence evidence_rows[];
extern const unsigned evidence_count;
/* Random walks have labels for what differed, and this one for all that they compare, if nothing did. */
#define WALKS_TEST "lockstep"
#define WALKS_LABEL "walks"
bool evidence_for(const struct evidence *rows, unsigned count, u32 signature, const char *test, const char *label);

/* Gives each failed check of one CPU its outcome and raises the results' outcome accordingly. */
void judge_results(struct results *results, const struct pmu_caps *caps, const char *test, enum pmu_kind kind);
/* How a check failed on that CPU, in the terms of errata; if it held, what it asked and the circumstances. */
struct symptom judge_symptom(const struct results *results, const struct check *check, const struct pmu_caps *caps);
/* Did the check fail only now and then: did most of its clean repeats hold, or all of a second run? */
bool check_intermittent(const struct check *check);

#define OUTCOMES (OUTCOME_ERROR + 1)
struct totals {
    u32 count[OUTCOMES];
    u32 counted;            /* passed or known tests that use a counter */
    bool virtual_pmu;       /* a run was on a hypervisor's PMU and not judged: the verdict is at best untested */
    u32 differences;        /* checks that did not hold on such a PMU */
    char idle[REASON_SIZE]; /* why the first test that uses a counter was skipped; "": none was skipped */
    enum reason idle_code;
    char lacking[REASON_SIZE]; /* what was not asked though the run is about it: no pass; "": nothing */
    enum reason lacking_code;
};
/* Something that the run is about was not asked, so it is at best untested. The first reason stays. */
void totals_lack(struct totals *totals, enum reason code, const char *reason);
/* Adds the outcome of one test; reason and code are those of a skip. */
void totals_add(struct totals *totals, const struct needs *needs, enum outcome outcome, enum reason code,
                const char *reason);
const char *outcome_name(enum outcome outcome);

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_UNTESTED, VERDICT_ERROR, VERDICT_REVIEW };
/* `pass` means that counting was judged: at least one test that uses a counter must have passed, and nothing may be
 * lacking. */
enum verdict verdict_of(const struct totals *totals);
/* For a run whose verdict is untested: why nothing was judged, and as a code what can be done about it. */
const char *untested_reason(const struct totals *totals, enum reason *code);
const char *verdict_name(enum verdict verdict);
/* "pass", or "pass (12 known)" if errata excused so many tests: that is not the same. text has VERDICT_TEXT bytes. */
#define VERDICT_TEXT 32
const char *verdict_text(const struct totals *totals, char *text);
/* The code for isa-debug-exit. */
u8 verdict_code(enum verdict verdict);

/*
 * ---- What is known of a check on a class of CPUs of which no log has shown it holding: evidence of a second kind.
 * Pure. The table is tests/relied.txt.
 */
enum reliance_kind {
    RELIED_FORMULA,  /* the manual prints it, and no CPU is known to differ: a failure is one */
    RELIED_RELIED,   /* so do programs that rely on it there */
    RELIED_REVIEW,   /* there is a doubt: a person has to look */
    RELIED_MEASURED, /* no second source: told, not judged */
};

struct reliance {
    u16 line; /* of the table */
    enum reliance_kind kind;
    u64 classes;              /* bits by enum cpu_class */
    const char *test, *label; /* globs */
    const char *words;        /* who relies on it and where, what the manual prints, or the doubt; a constant text */
};

extern const struct reliance reliance_rows[];
extern const unsigned reliance_count;
/* The first of these rows that names the check on this class; NULL: there is none. */
const struct reliance *reliance_for(const struct reliance *rows, unsigned count, enum cpu_class class, const char *test,
                                    const char *label);

/*
 * ---- The promises that a hypervisor's PMU does not owe its guest, for judge=virtual: those that only silicon can
 * keep, and the counter that the host holds. It owes every other promise that CPUID shows. Pure.
 */
/* The subject of such a check if no virtual PMU promises it: "cycles", a constant text. NULL: it is a promise. */
const char *virtual_unpromised(const char *test, const char *label);
/* Does the host hold a counter? So it does where, of all that are enumerated and on at once, all but one count. */
bool virtual_counter_held(u64 enumerated, u64 counting);
/* The release of a Linux, "6.8.0-45-generic", as HOST_KERNEL(6, 8); 0: it does not begin with two such numbers. */
u32 virtual_host_kernel(const char *release);
