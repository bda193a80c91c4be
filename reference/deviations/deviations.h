/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What may differ from a good PMU: defects, which tests must catch, variations, which are legal on good silicon, and
 * hazards, which must not lead to any verdict on the PMU. Each is in one place, in the file of its chapter: what it is,
 * who shipped it, and the functions that replace rules of the model. A run chooses one, or stacks two.
 */
#pragma once

#include "reference/model/model.h"

enum deviation_kind { KIND_DEFECT, KIND_VARIATION, KIND_HAZARD };

/* A published erratum that a defect mimics, and the CPU that has it. */
struct deviation_erratum {
    const char *id; /* the document's number; NULL ends the list */
    uint32_t signature, microcode;
    uint32_t leaf7_ebx, leaf7_edx; /* further CPUID bits */
    uint32_t threads;              /* threads of a core in CPUID; 0: as the machine has */
    const char *profile;           /* profile of that CPU's data; NULL: the default one */
    uint32_t fixed;                /* first revision without it; 0: no known revision fixes it */
};

/* A function that replaces one of the model's rules, by the rule's offset in their table. */
struct stand_in {
    uint16_t rule;
    void (*function)(void); /* NULL ends the list */
};

/* A number that a deviation depends on: a counter, a count of instructions. */
struct deviation_parameter {
    const char *name; /* NULL: no parameter */
    uint64_t least, most, usual;
};

#define DEVIATION_PROFILES 6
#define DEVIATION_RARE 40 /* a proof shows a `rare` deviation one time in 40, with a normal run's repeats */

struct deviation {
    const char *name; /* permanent, lower-case with dashes */
    enum deviation_kind kind;
    const char *what;                          /* one line: the deviation */
    const char *source;                        /* who shipped it, or which document allows it */
    const char *profile;                       /* name of a profile on which it shows; NULL: the default one */
    const char *chapters;                      /* globs: tests for which its file's deviations are meant; NULL: all */
    const char *meant;                         /* globs: tests for which it is meant; NULL: as its file's */
    const char *elsewhere[DEVIATION_PROFILES]; /* further profiles, which have what the first lacks; ended by NULL */
    bool thorough; /* involves chance: a variation that is also shown with as many repeats as in a normal run */
    bool rare; /* intermittent on real CPUs: a defect that a proof also shows only now and then, see DEVIATION_RARE */
    bool registers; /* a proof shows it on each single register of the table, and nowhere else */
    bool each; /* a proof also shows it on each single counter; on further profiles on those that the first lacks */
    const char *unseen; /* counters, such as "2 fixed1", on which no test that it is meant for notices it yet */
    bool known_only; /* it shows only on CPUs that have the errata which it mimics: a proof shows it on these alone */
    const struct deviation_erratum *errata;
    const struct deviation_erratum *not_by; /* errata with the same symptom but other bounds; NULL: none */
    const char *hidden_on; /* profiles, as globs, on which it may be known only by errata that it does not mimic */
    const char *hidden;    /* the reason; NULL: nowhere */
    struct deviation_parameter parameter;
    void (*data)(struct model *m); /* changes the model's copy of its profile; NULL: does not */
    const struct stand_in *stands_in;
};

/* In the order in which a proof shows them. */
extern const struct deviation *const deviations[];
extern const unsigned deviation_count;
/* Index in `deviations`, or -1. */
int deviation_find(const char *name);
/* The tests whose checks a deviation proves, as globs: other tests may fail with it, but do not count. NULL: all. */
const char *deviation_meant(const struct deviation *deviation);
/* The n-th erratum that a deviation mimics; NULL: it has no more. */
const struct deviation_erratum *deviation_erratum(const struct deviation *deviation, unsigned n);
/* The same for errata that come near it: on a CPU with one of these it must still fail. */
const struct deviation_erratum *deviation_not_by(const struct deviation *deviation, unsigned n);

/* The only place where a deviation shows, and when. All zeros: everywhere, always. */
struct deviation_place {
    uint8_t counter; /* 1 + its bit in GLOBAL_CTRL; 0: all */
    uint8_t rings;   /* 1: CPL 0; 2: the others; 0: all */
    uint8_t cpu;     /* 1 + its number; a number beyond all CPUs: the last CPU; 0: all */
    uint8_t member;  /* 1 + a register's number, as of deviation_register(); 0: all */
    uint8_t only;    /* 1 + a condition's number: while it holds; 0: always */
    uint32_t from;   /* of the times at which it would act, the first one at which it does; 0: as 1 */
};
/* Can it be narrowed to one counter, to one ring? Any deviation can be narrowed to one CPU. */
bool deviation_narrows(const struct deviation *deviation, bool counter, bool ring);
/* Can it be narrowed to one register? */
bool deviation_narrows_to_register(const struct deviation *deviation);
/* The name of a register in the table, such as "global-ctrl", by its number from 0 on; a register with several numbers
 * is one. *first gets its index for RDMSR. NULL: there are no more. */
const char *deviation_register(unsigned n, uint32_t *first);
/* Can it be narrowed to some time? All but those that only change data, which hold from the reset on. */
bool deviation_waits(const struct deviation *deviation);
/* The name of a condition, such as "frozen", by its number from 0 on. NULL: there are no more. */
const char *deviation_condition(unsigned n);

/* How an instance deviates: `how` of a model's setup whose `change` is deviate(). All zeros: not at all. */
struct deviating {
    const struct deviation *deviation;       /* NULL: none */
    const struct deviation *also;            /* a second one, stacked on the first; NULL: none */
    uint32_t rate;                           /* the first one acts once in `rate` times; 0 counts as 1 */
    uint64_t parameter;                      /* of the first one; 0: the usual value */
    struct deviation_place place;            /* of the first one */
    const struct deviation_erratum *erratum; /* makes the CPU one that has it; NULL: the profile's CPU */
};
void deviate(struct model *m, const void *deviating);

/*
 * Defects of real CPUs that have no row here, and why:
 *
 * LBR registers that take a non-canonical address with processor trace on (SKL47): lbr-any-from and lbr-any-to do not
 * need the trace.
 * VMASKMOV that overcounts (SKL91), PMC2 after an aborted transaction (SKL194, HSD176), a microcode load that counts
 * many times (SKL44): no counted block may contain these instructions, as not even good CPUs agree on them.
 * Overcounting by a breakpoint in DR0 that DR7 does not enable (BJ98): the image keeps the debug registers clear.
 * Slots that a busy sibling does not share: what the model does anyway; sharing them is the variation.
 * Illegal vectors that leave no trace in the ESR (AAJ78): vectors below 16 are never programmed.
 * ASCI with fixed counter 0 (SKL166): the model has no enclaves; by software, asci-not-set.
 * PEBS records that are completed in SMM though it freezes counters (AAJ73, BJ13): the model's SMIs execute nothing
 * that samples. Records and PMIs held up by MOV SS and STI (AAJ128, BJ28, BV16): no counted block contains these, and a
 * PMI may come that late anyway. Event 2 that is claimed and absent (AAJ79): how often it happens is measured, never
 * judged. A TSC whose two calibrations disagree: not of the PMU; the host tests of kernel/core/time.c cover
 * it.
 */
