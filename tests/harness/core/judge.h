/*
 * What a failed check means: on which PMU, on which class of CPU, by which erratum, how often. And what a whole run
 * means. Pure. The rules: a false accusation of good silicon is the worst that this program can do.
 */
#pragma once

#include "harness/core/errata.h"
#include "harness/core/results.h"
#include "pmu/cpu/caps.h"

enum pmu_kind {
    PMU_HARDWARE,
    PMU_VIRTUAL,        /* a hypervisor's: differences are told, never judged */
    PMU_VIRTUAL_JUDGED, /* a hypervisor's, and judge=virtual: against what CPUID shows of it */
    PMU_REFERENCE,      /* the reference PMU: every check has been seen passing on it */
};

/*
 * Evidence: a log of a CPU of this class that showed the check passing. A check without evidence cannot accuse.
 * Rows are added when such a log is in (pmucheck adopt).
 */
struct evidence {
    u32 signature, mask; /* CPUID.1:EAX & mask == signature */
    const char *test;    /* a glob */
    const char *labels;  /* globs with commas between */
    const char *log;     /* which log shows it */
};
#define EVIDENCE_CLASS 0x0fff0ff0u /* mask of a class: all but the stepping */
extern const struct evidence evidence_rows[];
extern const unsigned evidence_count;
bool evidence_for(const struct evidence *rows, unsigned count, u32 signature, const char *test, const char *label);

/* Gives each failed check of one CPU its outcome and raises the results' outcome accordingly. */
void judge_results(struct results *results, const struct pmu_caps *caps, const char *test, enum pmu_kind kind);
/* How a check failed on that CPU, in the words of errata; of one that held, what it asked and what came along. */
struct symptom judge_symptom(const struct results *results, const struct check *check, const struct pmu_caps *caps);
/* Did the check fail only now and then: most of its clean repeats held, or all of a second run? */
bool check_intermittent(const struct check *check);

#define OUTCOMES (OUTCOME_ERROR + 1)
struct totals {
    u32 count[OUTCOMES];
    u32 counted;            /* of those that passed or are known: tests that use a counter */
    bool virtual_pmu;       /* a run was on a hypervisor's PMU and not judged: at most untested */
    u32 differences;        /* checks that did not hold on such a PMU */
    char idle[REASON_SIZE]; /* why the first test that uses a counter was skipped; "": none was */
    enum reason idle_code;
};
/* Adds how one test came out; reason and code are those of a skip. */
void totals_add(struct totals *totals, const struct needs *needs, enum outcome outcome, enum reason code,
                const char *reason);
const char *outcome_name(enum outcome outcome);

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_UNTESTED, VERDICT_ERROR, VERDICT_REVIEW };
/* `pass` says that counting was judged: some test that uses a counter must have passed. */
enum verdict verdict_of(const struct totals *totals);
/* Of a run whose verdict is untested: why nothing was judged, and as a code what can be done about it. */
const char *untested_reason(const struct totals *totals, enum reason *code);
const char *verdict_name(enum verdict verdict);
/* "pass", or "pass (12 known)" where errata excused as many tests: it is not the same. text has VERDICT_TEXT bytes. */
#define VERDICT_TEXT 32
const char *verdict_text(const struct totals *totals, char *text);
/* What isa-debug-exit gets. */
u8 verdict_code(enum verdict verdict);
