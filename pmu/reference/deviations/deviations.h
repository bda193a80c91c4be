/*
 * What may differ from a good PMU: defects, which tests must catch, variations, which are legal on good silicon, and
 * hazards, which no verdict on the PMU may follow from. Each stands in one place, in the file of its chapter: what it
 * is, who shipped it, and the functions that stand in for rules of the model. A run chooses one, or stacks two.
 */
#pragma once

#include "pmu/reference/model/model.h"

enum deviation_kind { KIND_DEFECT, KIND_VARIATION, KIND_HAZARD };

/* A published erratum that a defect mimics, and the CPU that has it. */
struct deviation_erratum {
    const char *id; /* the document's number; NULL ends a list */
    uint32_t signature, microcode;
    uint32_t leaf7_ebx, leaf7_edx; /* further CPUID bits */
    uint32_t threads;              /* of a core, as CPUID tells; 0: as the machine has it */
    const char *profile;           /* whose data that CPU is like; NULL: the default one's */
    uint32_t fixed;                /* from this revision on it does not show; 0: none is known that mends it */
};

/* A function in place of one of the model's rules, by the rule's offset in their table. */
struct stand_in {
    uint16_t rule;
    void (*function)(void); /* NULL ends a list */
};

/* A number that a deviation depends on: which counter, how many instructions. */
struct deviation_parameter {
    const char *name; /* NULL: there is none */
    uint64_t least, most, usual;
};

#define DEVIATION_PROFILES 6
#define DEVIATION_RARE                                                                            \
    100 /* one time in so many a proof shows what is intermittent, in the repeats of a normal run \
         */

struct deviation {
    const char *name; /* permanent, lower-case with dashes */
    enum deviation_kind kind;
    const char *what;                          /* one line: what deviates */
    const char *source;                        /* who really shipped it, or which document allows it */
    const char *profile;                       /* name of one on which it shows; NULL: on the default one */
    const char *chapters;                      /* globs: the tests for which those of its file are meant; NULL: all */
    const char *meant;                         /* globs: the tests for which it is meant; NULL: those */
    const char *elsewhere[DEVIATION_PROFILES]; /* further ones, which have what its own has not; NULL ends them */
    bool thorough; /* chance decides: a variation that is also shown in as many repeats as a normal run makes */
    bool rare; /* intermittent on real CPUs: a defect that a proof also shows only now and then, see DEVIATION_RARE */
    bool each; /* a proof shows it on each counter alone, too; on further profiles on those that its own has not */
    const char *unseen; /* counters, as "2 fixed1", of which no test that it is meant for notices it yet */
    const struct deviation_erratum *errata;
    const struct deviation_erratum *not_by; /* errata that have the same symptom but for their bounds; NULL: none */
    const char *hidden_on; /* profiles, as globs, on which it may be known alone by errata that it does not mimic */
    const char *hidden;    /* why; NULL: nowhere */
    struct deviation_parameter parameter;
    void (*data)(struct model *m); /* changes the model's copy of its profile; NULL: nothing there */
    const struct stand_in *stands_in;
};

/* In the order of the proofs. */
extern const struct deviation *const deviations[];
extern const unsigned deviation_count;
/* Index into deviations, or -1. */
int deviation_find(const char *name);
/* The tests whose checks a deviation proves, as globs: what fails besides fails in its wake. NULL: all. */
const char *deviation_meant(const struct deviation *deviation);
/* The errata that a deviation mimics, by number; NULL: it has no more. */
const struct deviation_erratum *deviation_erratum(const struct deviation *deviation, unsigned n);
/* Likewise, CPUs with an erratum that comes near it: shown as one of them it must fail nevertheless. */
const struct deviation_erratum *deviation_not_by(const struct deviation *deviation, unsigned n);

/* Where alone a deviation shows. All zeros: wherever it does. */
struct deviation_place {
    uint8_t counter; /* 1 + its bit in GLOBAL_CTRL */
    uint8_t rings;   /* 1: CPL 0; 2: the others */
    uint8_t cpu;     /* 1 + its number; a number that no CPU has: the last CPU */
};
/* Can it be narrowed to one counter, to one ring? To one CPU all can. */
bool deviation_narrows(const struct deviation *deviation, bool counter, bool ring);

/* How an instance deviates: `how` of a model's setup, whose `change` is deviate(). All zeros: not at all. */
struct deviating {
    const struct deviation *deviation;       /* NULL: none */
    const struct deviation *also;            /* a second one on top of it; NULL: none */
    uint32_t rate;                           /* the first one shows 1 of `rate` times; 0 counts as 1 */
    uint64_t parameter;                      /* of the first one; 0: the usual */
    struct deviation_place place;            /* of the first one */
    const struct deviation_erratum *erratum; /* shows itself as the CPU that has it; NULL: as the profile's */
};
void deviate(struct model *m, const void *deviating);

/*
 * Escapes of real CPUs that have no row here, and why:
 *
 * LBR registers that take a non-canonical address with processor trace on (SKL47): lbr-any-from and lbr-any-to do
 * without it. Those that fault meanwhile (BDD96): no test looks then, as a variation shows.
 * VMASKMOV that overcounts (SKL91), PMC2 after an aborted transaction (SKL194, HSD176), a microcode load that counts
 * many times (SKL44), CALL of the next instruction not counted (RPL54): no counted block may contain these
 * instructions, as not even good CPUs agree on them.
 * Overcounting by a breakpoint in DR0 that DR7 does not enable (BJ98): the image keeps the debug registers clear.
 * Slots that a busy sibling does not share: what the model does anyway; sharing them is the variation.
 * Illegal vectors that leave no trace in the ESR (AAJ78): vectors below 16 are never programmed.
 * ASCI with fixed counter 0 (SKL166): the model has no enclaves; by software, asci-not-set.
 * PEBS records that are completed in SMM though it freezes counters (AAJ73, BJ13): the model's SMIs execute nothing
 * that samples. Records and PMIs held up by MOV SS and STI (AAJ128, BJ28, BV16): no counted block contains these, and a
 * PMI may come that late anyway. Event 2 that is claimed and absent (AAJ79): how often it happens is measured, never
 * judged. A TSC whose two calibrations disagree: not the PMU's; the host tests of kernel/core/tsc_rate_pure.c have it.
 */
