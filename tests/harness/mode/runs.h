/* What is to be run: the hardware, or the reference PMU with profiles and deviations, from the options' text. Pure. */
#pragma once

#include "boot/bits.h"
#include "pmu/reference/deviations/deviations.h"

#define RUNS_MAX 320
#define RUN_NAME_SIZE 120
#define RUNS_ERROR_SIZE 600

struct profile;    /* pmu/reference/model/profile.h */
struct dumped_cpu; /* pmu/reference/dumps/dumps.h */

struct pmu_run {
    const struct profile *profile;           /* NULL: the machine's own PMU */
    int deviation;                           /* index into deviations; -1: none */
    u32 rate;                                /* the deviation shows 1 of `rate` times */
    u64 parameter;                           /* of the deviation; 0: the usual */
    struct deviation_place place;            /* where alone it shows */
    const struct deviation_erratum *erratum; /* shows itself as the CPU that has it; NULL: as the profile's */
    const struct dumped_cpu *dump;           /* the profile with this CPU's values; NULL: as it is */
};

struct runs {
    struct pmu_run run[RUNS_MAX];
    unsigned count;
};

/*
 * reference="PROFILE,...", defect="NAME[(PLACE/...)][:N],...": every profile without deviations, or with each of those
 * named. Both empty: one run of the machine's own PMU. In place of a profile: a CPU's signature in hex, "906ed", for
 * what was dumped of it, "906ea.2" for the second that was; "all", every profile; "corpus", every dumped CPU;
 * "all:K/N" and "corpus:K/N", each N-th of them from the K-th on. False with one line in error: what is unknown, and
 * what there is. A place is counter=3, counter=fixed1, ring=0, ring=3, cpu=1, cpu=last, or the deviation's own
 * parameter, every=100; as=706a1: as the CPU of that signature shows itself whose erratum it mimics, until a microcode
 * mends it.
 */
bool runs_plan(const char *reference, const char *defect, struct runs *runs, char *error);
/* A profile that reference= knows by its name from now on, before those built in. It stays where it is; NULL: none. */
void runs_hand(const struct profile *profile);
/*
 * What the run's PMU is made of: its profile, or the dumped CPU's, which lives until the next call. NULL: the
 * machine's.
 */
const struct profile *run_profile(const struct pmu_run *run);
/* The n-th of what reference= knows by name, from 0 on, as a line for the option list; false after the last. */
bool runs_reference(unsigned n, char *line, size_t size);
/* The name of the profile that a proof takes if none is asked for. */
const char *runs_default_profile(void);
/* How the run's PMU differs from the good one. */
struct deviating run_deviating(const struct pmu_run *run);
/* "counter=3/ring=0", where alone its deviation shows and with which parameter; "" for all. RUN_PLACE_SIZE bytes. */
const char *run_place(const struct pmu_run *run, char *text);
#define RUN_PLACE_SIZE 64
/* "reference:skylake+lvtpc-not-masked", or "hardware". text has RUN_NAME_SIZE bytes. */
const char *run_name(const struct pmu_run *run, char *text);
