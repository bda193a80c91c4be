/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lockstep: random walks over the PMU of a CPU and a model of it at the same time. Whatever the CPU does otherwise is a
 * difference: on the reference PMU a defect, on hardware something to investigate.
 */
#pragma once

#include "kernel/cpu/cpus.h"
#include "reference/lockstep/oracle.h"
#include "reference/model/model.h"

struct lockstep_plan {
    /* Sets up the model of a CPU. False: there is no model of that CPU, and it makes no walks. */
    bool (*setup)(u32 cpu, struct model_setup *setup);
    bool careful;               /* silicon */
    u64 seed;                   /* of the first walk; each CPU has its own */
    u32 walks;                  /* on each CPU */
    const struct walk *one;     /* make this walk each time; NULL: draw them */
    bool guided;                /* interest guides chance: what is drawn depends on what earlier walks have reached */
    void (*progress)(u32 made); /* after each portion: the most walks made by a CPU so far */
};

#define LOCKSTEP_KEPT 2 /* differences that are kept for a CPU */
#define LOCKSTEP_REPEATS 5
struct lockstep_found {
    u64 seed;
    struct difference difference;
    struct walk walk; /* after shrinking */
    u32 repeats;      /* of LOCKSTEP_REPEATS further tries, those with the same difference */
};

/* Counts of one CPU, which can be summed. */
struct lockstep_sums {
    u32 walks, pmis, differences;
    u32 spoiled;   /* walks in which something else happened, so that they were not judged */
    u32 undecided; /* walks with more possible arrivals of PMIs than were tried: not judged either */
    u64 steps;
    u64 us, oracle_us; /* time for all walks, and the oracle's part of it */
};

/* The result of one CPU. */
struct lockstep_result {
    struct lockstep_sums sums;
    struct follow_cpu cpu;                      /* for explaining the choices */
    struct lockstep_found found[LOCKSTEP_KEPT]; /* the first ones */
    struct choices choices;                     /* which explain all other differences */
    const struct interest *interest;            /* what its walks have reached, in this set and all before */
    const char *why;                            /* why it made no walks, or ended early; NULL: it made them all */
};

/* Makes the walks on all CPUs of the set at once. On the boot CPU, with nothing counting. */
void lockstep(const struct cpu_set *cpus, const struct lockstep_plan *plan);
/* Result of a CPU of the last set. */
const struct lockstep_result *lockstep_result(u32 cpu);
