/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of the selected tests on one PMU: the machine's own, or one that the image's backend puts in its place. */
#pragma once

#include "harness/core/judge.h"
#include "harness/report/outcomes.h"
#include "harness/report/report.h"
#include "harness/run/run.h"
#include "kernel/core/option.h"
#include <stdbool.h>

/* A run on the PMU of the image's backend, which alone knows what is in it (harness/mode/backend.h). NULL stands for
 * the machine's own PMU. */
struct pmu_run;
#define RUN_NAME_SIZE 120
#define RUN_ERROR_SIZE 600

/* What stays the same for all runs. */
struct session {
    const struct registry *registry; /* all tests of the image */
    struct selection selection;      /* the tests to run */
    struct cpu_set cpus;             /* the CPUs that take part in tests */
    u32 repeat;                      /* how often all tests are run */
    bool shuffle;                    /* in a random order made from seed, a different one each time */
    u64 seed;
    bool failfast;        /* run nothing after the first failure, error or review */
    bool (*enough)(void); /* run nothing once it returns true; NULL: no condition */
    bool apart;  /* resets the backend's PMU before each test, so that the damage of one test does not fail another */
    bool quiet;  /* no lines for single tests: a proof that is not logged in full */
    bool noting; /* even then: what each deviation could have changed */
    const struct observer *observer; /* NULL: no notes are taken */
    const char *leg;                 /* "before" or "after" an update of microcode; NULL: there is none */
    /* One more result after the tests, which logs its own line with that number; NULL: there is none. */
    void (*last)(const struct session *session, u32 number, struct totals *totals);
};

/*
 * Puts every CPU on the PMU of `run`, which must stay until the next run, and logs its `# run` and `# core-type` lines
 * (not if quiet). Returns NULL, or why it cannot be used: the backend does not work here, or miscounts.
 */
const char *session_arm(const struct session *session, const struct pmu_run *run);
/*
 * Continues on the same PMU as it is now: its capabilities are read anew and logged as by session_arm(), nothing is
 * reset.
 */
const char *session_go_on(const struct session *session);
/* The CPUs have lost what they ran on: puts them on the backend's PMU anew, if the run is on it. NULL, or why not. */
const char *session_arm_again(void);
/* Runs all selected tests and adds to *totals. outcomes (may be NULL) gets one for each, in order of the selection. */
void session_tests(const struct session *session, u8 *outcomes, struct totals *totals);
/* After a run on a PMU that deviates: says so if that could not show in it, which is no pass. */
void session_tell_unshown(struct totals *totals);
/*
 * Results that do not come out of session_tests(), as those of a soak. First session_begin_results(), then each result
 * by session_result(), which reports it in the log and on the screen like a test's; session_add() takes one that its
 * caller has reported. session_outcomes(): those of all results since then, the tests of session_tests() among them.
 */
void session_begin_results(const struct session *session);
void session_result(const struct session *session, const struct test_declaration *test, u32 number,
                    const struct folded *folded, struct totals *totals);
void session_add(struct totals *totals, const struct test_declaration *test, const struct folded *folded);
const struct outcomes *session_outcomes(void);
/* Has enough been seen, as failfast was asked for? What is left gets its line in the log all the same. */
bool session_over(const struct session *session, const struct totals *totals);
#define SESSION_OVER "not run: failfast, and not all before it passed"
/* What the CPUs of a run are on. */
enum pmu_kind session_kind(void);

/* ---- The end of the image's life: the machine as it was found, and the verdict. */
/* Restores the machine's own PMU as far as each CPU can; registers that it cannot restore are listed, not judged.
 * Nothing is done while another PMU is in its place. */
void end_hand_back(void);
/* Adds what went wrong outside of tests to *totals, ends the log and the screen with the verdict, and leaves the
 * machine as the option after= says. */
_Noreturn void end_log(struct totals *totals);

/* ---- The runs that the options ask for, one after the other: one alone, or several as subtests of the log. */
/* Makes all runs of the backend, and adds their results to *totals. */
void every_run(const struct session *session, struct totals *totals);
/* On the PMU of a run, which is armed: the tests, or what a mode has in their place. Adds to *totals. */
void every_run_armed(const struct session *session, const struct pmu_run *run, struct totals *totals);
/* Around a run as a subtest: begins it in the log; gives its result line, the number-th, and adds *inner to *totals. */
void every_run_nest(const char *name);
void every_run_unnest(u32 number, const char *name, const struct totals *inner, struct totals *totals);

/*
 * ---- What a hypervisor really provides: a line "# guest-pmu" for each run on its PMU, with the counters of CPU 0 that
 * CPUID enumerates, how many of them count when all are on at once, and which stand still because the host uses a
 * counter. This is a measurement: tests judge each counter by itself. If exactly one stands still, the judge is told
 * (errata: counters-taken), as it is told what the options judge= and host-kernel= say.
 */
/* On the boot CPU, before the tests; leaves all counters stopped and clear. Without a line if `quiet`. */
void guest_pmu_look(bool quiet);

/* ---- The options of an ordinary run; their rows are in options.c. A mode's are in its folder. */
extern struct option_value option_run, option_skip, option_repeat, option_shuffle, option_failfast, option_quick,
    option_log, option_machine, option_judge, option_host_kernel, option_errata;
/* judge= so that nothing excuses what its hypervisor is known for. */
#define JUDGE_STRICT "virtual,strict"

/* ---- The watchdog (kernel/firmware/watchdog.h) during the runs: what counts as progress, and how long there may be
 * none. */
/* From here on the log's lines count as progress, whether the watchdog is armed already or later. */
void watch_lines(void);
/* Logs a watchdog that runs already, and whose it may be; at the start, whatever the options say. */
void watch_look(void);
/*
 * Arms it if the option `watchdog` is given, and logs that or why not. Call it before the first run. Returns NULL, or
 * why no run may be made: it would only hang again.
 */
const char *watch_begin(void);
/* The time-outs of tests have changed: the watchdog must leave them time to end hanging tests by themselves. */
void watch_bound(void);
/* Stops the watchdog, even one armed by the start: if no run was made, the result must stay readable. */
void watch_end(void);
