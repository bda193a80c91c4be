/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmumodel_lab.h: what laboratories need of the library beside pmumodel.h: PMUs with a defect or a legal variation, for
 * tests of tests; and a second instance that retells, in lockstep, what some CPU has done. The rules of pmumodel.h hold
 * here, too.
 */
#pragma once

#include "pmumodel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Deviations: what may differ from a good PMU */

struct pmumodel_lab_deviation;

enum pmumodel_lab_kind {
    PMUMODEL_LAB_DEFECT,    /* tests must catch it */
    PMUMODEL_LAB_VARIATION, /* legal on good silicon: tests must not complain */
    PMUMODEL_LAB_HAZARD,    /* must not lead to any verdict on the PMU */
};

/* The deviation of this name, such as "counter-dead"; NULL: there is none. Valid as long as the program runs. */
PMUMODEL_API const struct pmumodel_lab_deviation *pmumodel_lab_deviation(const char *name);
/* The n-th deviation, from 0. NULL: there are no more. */
PMUMODEL_API const struct pmumodel_lab_deviation *pmumodel_lab_deviation_at(unsigned n);
PMUMODEL_API const char *pmumodel_lab_deviation_name(const struct pmumodel_lab_deviation *deviation);
PMUMODEL_API enum pmumodel_lab_kind pmumodel_lab_deviation_kind(const struct pmumodel_lab_deviation *deviation);
/* One line: what deviates; who shipped it, or which document allows it; the profile on which it shows, NULL: the
 * default one. */
PMUMODEL_API const char *pmumodel_lab_deviation_what(const struct pmumodel_lab_deviation *deviation);
PMUMODEL_API const char *pmumodel_lab_deviation_source(const struct pmumodel_lab_deviation *deviation);
PMUMODEL_API const char *pmumodel_lab_deviation_profile(const struct pmumodel_lab_deviation *deviation);

/* ---- An instance for a laboratory */

/*
 * Which rules of the model were called, and in which situations, for a program that looks for what it has not reached
 * yet. A situation is a bit of the program's choice; it zeroes this, and sets `now` before each report.
 */
#define PMUMODEL_LAB_RULES_MOST 256
struct pmumodel_lab_reached {
    uint16_t now;
    uint16_t in[PMUMODEL_LAB_RULES_MOST]; /* by the rule's number: the situations in which it was called */
};
/* The name of the rule with this number, from 0. NULL: there are no more. */
PMUMODEL_API const char *pmumodel_lab_rule_name(unsigned number);

#define PMUMODEL_LAB_NO_COUNTER 0xff

/* The choices of a laboratory; all zeros but the size: a good PMU as by pmumodel_reset(). */
struct pmumodel_lab {
    size_t size;                                    /* sizeof(struct pmumodel_lab) */
    const struct pmumodel_lab_deviation *deviation; /* NULL: none */
    const struct pmumodel_lab_deviation *also;      /* a second one, stacked on the first; NULL: none */
    uint64_t parameter;                             /* of the first one; 0: the usual value */
    uint32_t rate;                                  /* the first one acts once in `rate` times; 0 counts as 1 */
    uint32_t from;                                  /* the first of these times at which it does; 0 counts as 1 */
    /* The only place where the first one shows; 0: everywhere. */
    uint8_t counter; /* 1 + its bit in IA32_PERF_GLOBAL_CTRL */
    uint8_t rings;   /* 1: CPL 0; 2: the others */
    uint8_t cpu;     /* 1 + its number */
    /* A PMI on its way arrives when pmumodel_lab_pmi_arrives() is called, not by itself some instructions later: for
     * retelling what some CPU has done, when it is known where the PMI came. */
    bool arrivals_told;
    struct pmumodel_lab_reached *reached; /* NULL: calls of rules are not noted */
    /* No good PMU uses these, and each may be NULL. With the context of struct pmumodel_host: interrupts another CPU;
     * interrupts this one regardless of IF and TPR; a machine check arrives on this CPU. */
    void (*interrupt_other)(void *context, uint32_t cpu, uint8_t vector, bool nmi);
    void (*interrupt_forced)(void *context, uint8_t vector);
    void (*machine_check)(void *context);
    /* The result of a random draw in a CPU that varies, for the counter with this bit in IA32_PERF_GLOBAL_CTRL or for
     * PMUMODEL_LAB_NO_COUNTER: 0 to `most`, as observed on a real CPU. NULL: the model draws. */
    uint32_t (*draw)(void *context, uint32_t most, uint8_t counter);
};

/* As pmumodel_reset(); *lab is copied, too. */
PMUMODEL_API enum pmumodel_error pmumodel_lab_reset(struct pmumodel *pmu, const struct pmumodel_setup *setup,
                                                    const struct pmumodel_host *host, const struct pmumodel_lab *lab);
/* Call it before each access of an MSR: true if the access never comes back, as on some CPUs for absent registers. */
PMUMODEL_API bool pmumodel_lab_never_returns(struct pmumodel *pmu, uint32_t msr, bool write);

/* ---- Lockstep */

/*
 * `to`, which has just been reset, gets the state of `from`, but keeps its own rules and data; and what deviations have
 * noted, too, if they are the same. Both must have the same profile, and share no core.
 */
PMUMODEL_API void pmumodel_lab_take_over(struct pmumodel *to, const struct pmumodel *from);
/*
 * May these two, which have just been reset with the same profile, differ in a run in which one of them has called only
 * the rules in `reached`? True if in doubt.
 */
PMUMODEL_API bool pmumodel_lab_may_differ(const struct pmumodel *one, const struct pmumodel *other,
                                          const struct pmumodel_lab_reached *reached);
/* Has a PMI been raised that has not yet arrived at the local APIC? */
PMUMODEL_API bool pmumodel_lab_pmi_on_its_way(const struct pmumodel *pmu);
/* If a PMI is on its way, it arrives now, between two instructions: LVTPC decides how it is delivered. May call back.
 * Only with arrivals_told. */
PMUMODEL_API void pmumodel_lab_pmi_arrives(struct pmumodel *pmu);
/* Does a PMI's arrival at the local APIC change more than the request of an interrupt? No good PMU's does. */
PMUMODEL_API bool pmumodel_lab_arrival_shows(const struct pmumodel *pmu);
/* The counters, as bits of IA32_PERF_GLOBAL_CTRL, that count and overflow within so many more counts. */
PMUMODEL_API uint64_t pmumodel_lab_near_overflow(const struct pmumodel *pmu, uint64_t counts);
/* The counter at this bit has counted so much more than the model knew, as a real CPU shows: nothing else changes. */
PMUMODEL_API void pmumodel_lab_counted_more(struct pmumodel *pmu, uint8_t bit, uint64_t counts);

#ifdef __cplusplus
}
#endif
