/* SPDX-License-Identifier: BSD-2-Clause */
/* What to run: the hardware, or the reference PMU with profiles and deviations, by the options' text. Pure. */
#pragma once

#include "harness/mode/session.h"
#include "reference/deviations/deviations.h"

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
