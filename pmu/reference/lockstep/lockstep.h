/*
 * Lockstep: random walks over the PMU of a CPU, and over a model of it at once. What the CPU does differently is a
 * difference: of the reference PMU a defect, of hardware something to look at.
 */
#pragma once

#include "kernel/cpu/cpus.h"
#include "pmu/reference/lockstep/explain.h"
#include "pmu/reference/model/model.h"

struct lockstep_plan {
    /* Of each CPU's model; NULL: nobody knows what that CPU is like, and it makes no walks. */
    bool (*setup)(u32 cpu, struct model_setup *setup);
    bool careful;               /* silicon */
    u64 seed;                   /* of the first walk; each CPU has its own */
    u32 walks;                  /* on each CPU */
    const struct walk *one;     /* this one each time; NULL: they are drawn */
    void (*progress)(u32 made); /* between portions: the most walks of a CPU so far */
};

#define LOCKSTEP_KEPT 2 /* differences of a CPU */
#define LOCKSTEP_REPEATS 5
struct lockstep_found {
    u64 seed;
    struct difference difference;
    struct walk walk; /* made small */
    u32 repeats;      /* of so many times that it was made once more, the same difference came */
};

/* What may be added up. */
struct lockstep_sums {
    u32 walks, pmis, differences;
    u32 spoiled;   /* of the walks: something else came in the middle, and they were not looked at */
    u32 undecided; /* likewise: PMIs may have come in more ways than were tried */
    u64 steps;
    u64 us, oracle_us; /* that they took, and of it the model beside the CPU */
};

/* What one CPU has done. */
struct lockstep_result {
    struct lockstep_sums sums;
    struct follow_cpu cpu;                      /* of the choices */
    struct lockstep_found found[LOCKSTEP_KEPT]; /* the first ones */
    struct choices choices;                     /* that explain what else was different */
    const char *why;                            /* it made no walks, or ended early; NULL: it made them all */
};

/* Makes the walks on all CPUs of the set at once. Boot CPU, with everything quiet. */
void lockstep(const struct cpu_set *cpus, const struct lockstep_plan *plan);
/* Of a CPU of the last set. */
const struct lockstep_result *lockstep_result(u32 cpu);
