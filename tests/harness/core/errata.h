/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Known errata as data. The facts (errata_facts.def) say which sheet of errata is for which CPUs, which number an
 * erratum has in each, in which state it shows and how far it reaches; and which promise of
 * the hardware it breaks. A check that asks about that promise is `known`, never `fail`, if it fails under the
 * condition that the sheet names and no worse in any of its repeats. A failure that is described in words has no
 * measure: no numeric bound covers it. Errata that excuse no check are here too, with number and reason, so that a log
 * can say for each erratum of a CPU what became of it (errata_book.h). No test is named here. Pure: lookup takes the
 * capabilities as an argument.
 */
#pragma once

#include "harness/core/aspect.h"
#include "pmu/cpu/caps.h"

/* How a check failed. */
struct symptom {
    u64 aspects;     /* enum aspect: what the check asked */
    u32 msr;         /* the register that was checked; 0: none */
    bool in_words;   /* the difference is not given in numbers, so no bound covers it */
    u64 set;         /* bits that are 1 and should be 0 */
    u64 clear;       /* bits that are 0 and should be 1; if set and clear are both ~0, bits do not matter */
    u64 distance;    /* largest distance from the right value; ~0: values do not matter */
    bool more;       /* it was above the right value at least once */
    bool less;       /* it was below the right value at least once */
    bool steady;     /* all of several repeats failed, by the same amount */
    bool difference; /* the value is the difference of two runs: too few in the shorter run looks like too many */
    u64 wanted;      /* the right value; also 0 if there is no single one */
    bool smi;        /* an SMI came during the test, or the CPU does not count SMIs */
    bool nothing;    /* the value seen was 0 */
    u64 beside_stop; /* bits of counters that overflowed in this run as they were stopped */
};

/*
 * CPUs that a sheet is for: CPUID.1:EAX & mask == signature, and that kind of core unless the type is 0. Or a
 * hypervisor, by its name in CPUID.40000000H, whatever CPU it shows.
 */
struct erratum_cpus {
    u32 signature, mask;
    bool core;    /* used only for parts without a sheet of their own: another part with the same core */
    u8 core_type; /* CPUID.1AH:EAX[31:24] */
    u32 native_model;
    const char *hypervisor; /* NULL: a real CPU */
};

/* A specification update, or its substitute if none is at hand. */
struct erratum_sheet {
    const struct erratum_cpus *cpus; /* an entry with neither a mask nor a hypervisor ends the list */
};

enum erratum_sheet_id {
#define SHEET(name, ...) SHEET_##name,
#define FACT(...)
#define OTHER(...)
#include "harness/core/errata_facts.def"
#undef SHEET
#undef FACT
#undef OTHER
    ERRATUM_SHEETS
};

enum erratum_fact_id {
#define SHEET(...)
#define FACT(name, ...) FACT_##name,
#define OTHER(...)
#include "harness/core/errata_facts.def"
#undef SHEET
#undef FACT
#undef OTHER
    ERRATUM_FACTS
};

/* How far the symptom may go. 0 stands for "any" in all fields. */
struct erratum_bound {
    u32 msr;          /* in this register only */
    u32 gp_from;      /* only in GP counters from this one on */
    u64 most;         /* only if the value is off by no more than this */
    bool more;        /* only if the value is too high */
    bool less;        /* only if it is too low */
    u64 cleared;      /* only if some of these bits are 0 that should be 1, and all other bits are right */
    u64 bits;         /* only if some of these bits are 1 that should be 0, and all other bits are right */
    u64 written;      /* only if a value was written with all of these bits set */
    bool unsteady;    /* only if not all repeats are off by the same amount: some held, or the amount differs */
    bool after_smi;   /* only if an SMI came during the test, on CPUs that count SMIs */
    bool beside_stop; /* only in bits of counters that overflowed in this run as they were stopped */
    bool nothing;     /* only if nothing was counted, or nothing came */
    bool words;       /* also failures described in words, which none of the numbers above bounds */
};

/* The number of an erratum in a sheet. */
struct erratum_number {
    enum erratum_sheet_id sheet;
    const char *id; /* as Intel prints it, without padding zeros: "SKL164"; NULL ends a list */
};

/* On that CPU it is fixed by this revision of microcode and later ones. */
struct erratum_fix {
    u32 signature, microcode; /* signature 0 ends a list */
};

/* What an erratum excuses: checks that ask about one of these aspects and fail within its own bound and this one. */
struct erratum_excuse {
    u64 aspects; /* 0 ends a list */
    struct erratum_bound bound;
};

/*
 * One erratum: its number in each sheet, in order of preference, and when it shows. Where sheets speak of threads they
 * mean hyper-threading as firmware has set it: a thread that is not started here (cpus=) still shares the core.
 */
struct erratum_fact {
    const char *area; /* "counting": permanent, for the log */
    const struct erratum_number *numbers;
    const struct erratum_fix *fixed; /* NULL: no revision is known to fix it */
    bool eight_counters;             /* only while 8 GP counters are enumerated */
    bool smt;                        /* only with hyper-threading on, or if that is not known */
    bool tsx_takes_pmc3;             /* only with RTM, and with IA32_TSX_FORCE_ABORT whose bit 0 is clear */
    bool counter_held;               /* only in a guest in which one counter stood still while all of them were on */
    u32 mended;                      /* a hypervisor's: gone with this version of its host's kernel; 0: with none */
    u8 shown_from;                   /* only if CPUID shows this version of the PMU or a later one; 0: any */
    struct erratum_bound bound;
    const struct erratum_excuse *excuses; /* NULL: it excuses no check */
};
#define for_each_excuse(fact, excuse) \
    for (const struct erratum_excuse *excuse = (fact)->excuses; excuse && excuse->aspects; excuse++)

/* Why an erratum excuses no check; JUDGED: it does excuse some. */
enum errata_why { JUDGED, UNUSED, UNCOUNTED, UNPROVOKED, MEASURED, ALLOWED, PREVENTED, ERRATA_WHYS };

/* An erratum that excuses no check. */
struct erratum_other {
    enum errata_why why;
    struct erratum_fact fact;
};

extern const struct erratum_other erratum_others[];
extern const unsigned erratum_other_count;
extern const struct erratum_sheet erratum_sheets[ERRATUM_SHEETS];
extern const struct erratum_fact erratum_facts[ERRATUM_FACTS];

/* The number of an erratum in this CPU's sheet, whatever its state and microcode; NULL if no sheet of it has one. */
const char *erratum_listed(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* Was a sheet of this very CPU read in full, so that it has no other errata of the PMU than those listed here? */
bool erratum_sheet_complete(const struct pmu_caps *caps);
/* Do documents say whether this CPU has it: a sheet that lists it, or one that was read in full? */
bool erratum_documented(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* Why a test skips if not; with the CPU's signature. */
#define ERRATA_UNTOLD "CPUID.1:EAX=0x%08x: no sheet of its errata is at hand"
/* Does this CPU's microcode fix it, or the host's kernel? */
bool erratum_fixed(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* Is the CPU in the state that the sheet names, apart from its microcode? */
bool erratum_in_state(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* The number of an erratum in this CPU's sheet, if it shows in the CPU's state; otherwise NULL. Also NULL for what is
 * known of a hypervisor that is judged strictly. */
const char *erratum_number(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* Does this CPU, in its state, have an erratum that excuses checks of one of these aspects, if they fail within
 * bounds? */
bool erratum_may_excuse(const struct pmu_caps *caps, u64 aspects);
/*
 * Would a check like this, in this run, show the erratum if the CPU had it? Compares aspects, register, and
 * circumstances (an SMI, a stop at an overflow), but not how it failed.
 */
bool erratum_would_show(enum erratum_fact_id fact, const struct symptom *symptom);
/* Does this erratum explain that a check failed like that, whatever the CPU's state? */
bool erratum_explains(enum erratum_fact_id fact, const struct symptom *symptom);
/* The number of the first erratum that excuses a check that failed like that on this CPU; NULL if there is none. */
const char *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom);
