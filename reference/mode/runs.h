/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs on the reference PMU: which profile and deviation each has, and how it is put under the CPUs. */
#pragma once

#include "harness/mode/session.h"
#include "harness/test.h"
#include "kernel/core/option.h"
#include "kernel/cpu/cpus.h"
#include "pmu/cpu/caps.h"
#include "reference/deviations/deviations.h"
#include "reference/dumps/dumps.h"

/* What to run: the hardware, or the reference PMU with profiles and deviations, by the options' text. Pure. */

#define RUNS_MAX 320

struct profile;    /* reference/model/profile.h */
struct dumped_cpu; /* reference/dumps/dumps.h */

struct pmu_run {
    const struct profile *profile;           /* NULL: the machine's own PMU */
    int deviation;                           /* index into deviations; -1: none */
    u32 rate;                                /* the deviation shows 1 of `rate` times */
    u64 parameter;                           /* for the deviation; 0: its default */
    struct deviation_place place;            /* where only the deviation shows */
    const struct deviation_erratum *erratum; /* shows the CPU with this erratum; NULL: the profile's CPU */
    const struct dumped_cpu *dump;           /* the profile with this dumped CPU's values; NULL: the profile itself */
};

struct runs {
    struct pmu_run run[RUNS_MAX];
    unsigned count;
};

/*
 * reference="PROFILE,...", defect="NAME[(PLACE/...)][:N],...": runs every profile without deviations, or with each of
 * the named ones. Both empty: one run of the machine's own PMU. Instead of a profile: a CPU's signature in hex,
 * "906ed", for its dump, "906ea.2" for the second of several dumps; "all", every profile; "corpus", every dumped CPU;
 * "all:K/N" and "corpus:K/N", every N-th of them from the K-th on. False with one line in error: what is unknown, and
 * what exists. A place is counter=3, counter=fixed1, ring=0, ring=3, cpu=1, cpu=last; register=global-ctrl or another
 * one (reference/deviations/members.c); while=frozen or another condition (conditions.c); from=500, the first time at
 * which it shows; or the deviation's own parameter, every=100; or as=706a1: the PMU identifies itself as the CPU of
 * that signature whose erratum the deviation mimics, until an update of microcode fixes it.
 */
bool runs_plan(const char *reference, const char *defect, struct runs *runs, char *error);
/* Adds a profile to those that reference= knows by name, before the built-in ones. It must stay; NULL: none. */
void runs_hand(const struct profile *profile);
/*
 * What the run's PMU is based on: its profile, or that of its dumped CPU, which is valid until the next call. NULL: the
 * machine's PMU.
 */
const struct profile *run_profile(const struct pmu_run *run);
/* The n-th name that reference= knows, from 0 on, as a line for the option `list`; false after the last. */
bool runs_reference(unsigned n, char *line, size_t size);
/* "# deviation pmi-lost kind=defect what=\"...\" source=\"...\"" for the option `list`. */
const char *runs_deviation(const struct deviation *deviation, char *line, size_t size);
/* The default profile of a proof. */
const char *runs_default_profile(void);
/* How the run's PMU deviates from the good one. */
struct deviating run_deviating(const struct pmu_run *run);
/* "counter=3/ring=0": where only its deviation shows, and its parameter; "": everywhere. RUN_PLACE_SIZE bytes. */
const char *run_place(const struct pmu_run *run, char *text);
#define RUN_PLACE_SIZE 96
/* "reference:skylake+lvtpc-not-masked", or "hardware". text has RUN_NAME_SIZE bytes. */
const char *run_name(const struct pmu_run *run, char *text);

/*
 * A reference PMU like the machine's own, from what its CPU states: the profile or the dump of its signature; otherwise
 * the profile that is most like it, with the CPU's own identity, counters and leaves. Pure.
 */

struct nearest {
    const struct profile *profile; /* in room, or built in */
    const char *like;              /* name of the profile or dump */
    const char *base;              /* of the profile behind it */
    bool own;                      /* it is the CPU's own */
    struct profile room[DUMPED_CORES_MOST];
};

/* `caps`: of the boot CPU's own PMU; `leaf` asks its CPUID. False: no profile is like it, as it has no such PMU. */
bool nearest_find(const struct pmu_caps *caps, caps_leaf *leaf, void *context, struct nearest *nearest);

/*
 * Puts the CPUs on the reference PMU of a run. Before the first run on a profile the stepper proves itself: counted
 * snippets on that profile, without a deviation, by every way of stepping. All functions are for the boot CPU, and are
 * what the harness asks of its backend (harness/mode/backend.h).
 */

/* NULL, or why the PMU cannot be used: no stepper works here, or it miscounts. notes: for arm_unshown(). */
const char *arm_run(const struct pmu_run *run, bool notes);
/* NULL, or why the CPUs could not be handed back to the machine's own PMU once they are on the reference PMU. */
const char *arm_for_good(void);
/* Hands them back. */
const char *arm_disarm(void);
/* The same run anew. */
const char *arm_again(void);
bool arm_active(void);
/* The run whose PMU the CPUs are on; NULL: they are on the machine's own. */
const struct pmu_run *arm_armed(void);
/* Logs whose values a dumped CPU's PMU has, and which of them were assumed because nobody has seen them there. */
void arm_describe(void);
/* Could the deviation of this run have changed anything that the run came to so far? */
bool arm_may_show(void);
/*
 * Could the deviation of this run not have shown in it? Logs that with the advice, which is in text. Returns the text
 * if it is a defect's, so that the run is no pass, otherwise NULL.
 */
const char *arm_unshown(char *text, size_t size);

/*
 * Proven here: before the machine's own PMU is judged, a PMU like it is put under this very CPU, with some dozens of
 * defects one after another, and the tests have to notice them. What a defect should make fail and did not is in doubt
 * on this machine, so its test is up for review. Nothing of the machine's own PMU is written meanwhile, but for
 * IA32_PERF_GLOBAL_CTRL, which is 0 and then as it was.
 */

/*
 * Does that by the option prove-here=, without which it is done on hardware alone, and logs
 *   # proven-here profile=skylake own=yes defects=40 caught=40 checks=310 left=120
 * with how many defects were shown and noticed, how many checks failed by them, and for how many other checks there was
 * a defect but no time; or why it could not be done. A line for each check that should have failed and did not.
 */
void here_prove(const struct session *session);
/* Raises the outcome of a test on the machine's own PMU, if a check of it was not seen to fail here. */
void here_doubt(const struct test_declaration *test, struct folded *folded);

/* ---- A profile that `pmucheck run --reference=FILE` gave QEMU for the image. */

/* Adds it to the profiles of reference=, by its name and before the built-in ones; logs a line if there is one. Returns
 * NULL, or what is wrong with it. */
const char *handed_plan(void);

/* ---- The options of the reference PMU; their rows are in options.c, that of lockstep= in lockstep.c. */

extern struct option_value option_reference, option_defect, option_prove, option_prove_benign, option_prove_excuses,
    option_stepping, option_bench, option_prove_here;

/* ---- What the reference PMU costs: lines for `make bench`, printed only with the option `bench`. */

/*
 * Measures the speed of stepping on all CPUs in `cpus` at once: `# bench cpu=... trap-ps=... step-ps=... call-ps=...
 * site-ps=... free-ps=... loop-us=...`.
 */
void bench_stepping(const struct cpu_set *cpus);
/*
 * Around each test: `# bench test=... us=... steps=... traps=... exits=... forwarded=...` of the boot CPU, and the
 * number of exits by the state in which they left the guest: `native=... shadowed=... inside=... by-exit=...`.
 */
void bench_test_begin(void);
void bench_test_end(const struct test_declaration *test);
/* For random walks, all CPUs together: `# bench lockstep walks=... us=... oracle-us=...`. */
void bench_walks(u32 walks, u64 us, u64 oracle_us);
