/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an image may have besides the machine's own PMU: one that software puts under the running CPUs in its place. The
 * harness knows no more of it than this. Who has one fills in the struct and registers it with BACKEND(), at most once
 * in an image. In an image without one every run is on the machine's own PMU.
 */
#pragma once

#include "harness/mode/session.h"

/* For random walks of its making: a choice that some CPUs made, by the variation's name, or an erratum that they
 * showed, by its number and the name of the defect that does the same. */
typedef void walks_choice(void *context, const char *name, const char *erratum, const struct cpu_set *cpus);

/* Random walks over the PMU of a run, as one more result beside those of the tests: WALKS_TEST. */
struct backend_walks {
    /* Do walks follow the tests, by the options? */
    bool (*follow)(void);
    /* Makes the walks after the tests: `last` of a session. */
    void (*last)(const struct session *session, u32 number, struct totals *totals);
    /* For a soak: so many more on each CPU of the run, starting at this seed. Differences are reported at once. */
    void (*soak)(u64 seed, u32 walks);
    /* At the end of a soak: reports their number and the rate of differences, and adds the result. */
    void (*soaked)(const struct session *session, u32 number, struct totals *totals);
    /* After walks: calls the function for each choice and each erratum that CPUs of the run showed. */
    void (*choices)(walks_choice *tell, void *context);
};

struct pmu_backend {
    /* From the options, which runs there are: at least one. False with one line in error (RUN_ERROR_SIZE bytes). */
    bool (*plan)(char *error);
    unsigned (*count)(void);
    const struct pmu_run *(*run)(unsigned n); /* NULL: on the machine's own PMU */
    /* "reference:skylake+lvtpc-not-masked"; text has RUN_NAME_SIZE bytes. */
    const char *(*run_name)(const struct pmu_run *run, char *text);
    /* For the option list: a line for each PMU and each change of one that it can show. */
    void (*list)(void);

    /*
     * Puts every CPU on the PMU of the run, which is not NULL; on one armed before, it starts afresh. On the boot CPU.
     * `notes`: what the run comes to is noted, for unshown(). NULL, or why it cannot be used (one line, what to do).
     */
    const char *(*arm)(const struct pmu_run *run, bool notes);
    /* The same PMU once more, as at the start of the run: after a CPU has lost what it ran on, or between tests. */
    const char *(*arm_again)(void);
    /*
     * Hands every CPU back to the machine's own PMU in the same boot, with that PMU as it was before arm(). On the boot
     * CPU, with counters stopped. NULL, or why not. The member is NULL if it cannot: then it stays to the end.
     */
    const char *(*disarm)(void);
    /*
     * Before the first run: shows, on a PMU like the one that will be judged, that the session's tests can fail here,
     * if the options want that. Then doubt() may raise the outcome of a test of a run on that PMU, before it is
     * reported.
     */
    void (*first)(const struct session *session);
    void (*doubt)(const struct test_declaration *test, struct folded *folded);

    /* Are the CPUs on it? Then nothing of the machine's own PMU can be read or restored. */
    bool (*active)(void);
    /*
     * An INIT or a sleep takes a CPU away, which leaves() tells before; no other CPU may do anything then. stays(): it
     * did not happen. On the CPU itself: comes_back() after an INIT; arm_again() for all after a sleep.
     */
    void (*leaves)(u32 cpu);
    void (*stays)(u32 cpu);
    void (*comes_back)(void);
    /* Undoes what it changed in the image's text, so that its checksum can be verified. On the boot CPU, at the end. */
    void (*restore_text)(void);

    /* Logs what belongs below the line `# run` of the PMU that was armed. */
    void (*describe)(void);
    /*
     * After a run with notes: could what its PMU deviates in not have shown? Logs that. NULL, or, if that makes the run
     * worthless, why, in text.
     */
    const char *(*unshown)(char *text, size_t size);
    /* For the option bench: when a run begins on these CPUs, and around each test. */
    void (*bench_run)(const struct cpu_set *cpus);
    void (*bench_begin)(void);
    void (*bench_end)(const struct test_declaration *test);

    const struct backend_walks *walks; /* NULL: it makes none */
};

#define BACKEND(id) \
    static const struct pmu_backend *const backend_pointer_##id __attribute__((section("backends"), used)) = &(id)

/* Has the image one? */
bool backend_exists(void);
/* It; in an image without one, what plans one run on the machine's own PMU and does nothing else. */
const struct pmu_backend *backend(void);
