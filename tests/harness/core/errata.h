/*
 * Known errata as data. The facts (errata_facts.def) tell which sheet of errata is for which CPUs, which number an
 * erratum has in each, in which state it shows and how far it reaches; the rows of errata_pure.c tell which promise of
 * the hardware it breaks. A check that asks for that promise and fails no worse, in none of its repeats, under the
 * condition that the sheet names, is `known`, never `fail`. What is told in words has no measure: no bound of numbers
 * reaches it. Errata that excuse no check are here too, by number and reason, so that a log can tell of each erratum of
 * a CPU what became of it (errata_book.h). No test is named here. Pure: lookup takes the capabilities as an argument.
 */
#pragma once

#include "harness/core/aspect.h"
#include "pmu/cpu/caps.h"

/* How a check failed. */
struct symptom {
    u32 aspects;     /* enum aspect: what it asked */
    u32 msr;         /* the register that was checked; 0: none */
    bool in_words;   /* what was wrong is not told in numbers: no bound says how far it may be off */
    u64 set;         /* bits that are 1 and should be 0 */
    u64 clear;       /* bits that are 0 and should be 1; set and clear both ~0: not a matter of bits */
    u64 distance;    /* how far the value is from where it should be, at worst; ~0: not a matter of values */
    bool more;       /* it is, or once was, above where it should be */
    bool less;       /* likewise below */
    bool steady;     /* each of several repeats failed, and all by the same */
    bool difference; /* the value is that of two runs: too few in the shorter one is too many */
    u64 wanted;      /* the value that should be there; 0 also: not a matter of one value */
    bool smi;        /* an SMI came during the test, or the CPU does not count them */
    bool nothing;    /* what was seen instead is 0 */
    u64 beside_stop; /* bits of counters that in this run overflowed as they were stopped */
};

/*
 * CPUs that a sheet is for: CPUID.1:EAX & mask == signature, and that kind of core unless the type is 0. Or a
 * hypervisor, by the name that CPUID.40000000H spells, whatever CPU it shows.
 */
struct erratum_cpus {
    u32 signature, mask;
    bool core;    /* only what no sheet of its own has: it is another part with the same core */
    u8 core_type; /* CPUID.1AH:EAX[31:24] */
    u32 native_model;
    const char *hypervisor; /* NULL: a real CPU */
};

/* A specification update, or what stands in for one where none is at hand. */
struct erratum_sheet {
    const struct erratum_cpus *cpus; /* neither a mask nor a hypervisor ends the list */
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

/* How bad the symptom may be. 0 stands for "any" in all of them. */
struct erratum_bound {
    u32 msr;          /* in this register only */
    u32 gp_from;      /* of GP counters from this one on only */
    u64 most;         /* only if the value is no farther off */
    bool more;        /* only if the value is too high */
    bool less;        /* only if it is too low */
    u64 cleared;      /* only if of these bits some are 0 that should be 1, and all others are right */
    u64 bits;         /* only if of these bits some are 1 that should be 0, and all others are right */
    u64 written;      /* only where a value was written in which all of these bits are 1 */
    bool unsteady;    /* only if not all repeats are off by the same: some held, or the amount differs */
    bool after_smi;   /* only if an SMI came during the test, where the CPU counts them */
    bool beside_stop; /* only bits of counters that overflowed, in this run, as they were stopped */
    bool nothing;     /* only if nothing was counted, or came */
    bool words;       /* also what is told in words, which none of the numbers above bounds */
};

/* The number of an erratum in a sheet. */
struct erratum_number {
    enum erratum_sheet_id sheet;
    const char *id; /* as Intel prints it but for padding zeros: "SKL164"; NULL ends a list */
};

/* On that CPU it is fixed from this revision of microcode on. */
struct erratum_fix {
    u32 signature, microcode; /* signature 0 ends a list */
};

/*
 * One erratum: its number in each sheet, in the order of preference, and when it shows. What sheets say of threads is
 * of hyper-threading as firmware has set it: a thread that is not started here (cpus=) shares the core all the same.
 */
struct erratum_fact {
    const char *area; /* "counting": permanent, for the log */
    const struct erratum_number *numbers;
    const struct erratum_fix *fixed; /* NULL: no revision is known that does */
    bool eight_counters;             /* only while 8 GP counters are enumerated */
    bool smt;                        /* only with hyper-threading on (or if that is not told) */
    bool tsx_takes_pmc3;             /* only with RTM, IA32_TSX_FORCE_ABORT and its bit 0 clear */
    bool counter_held;               /* only if one counter of a guest stood still, all of them on at once */
    u8 shown_from;                   /* only if CPUID shows this version of the PMU, or a later one; 0: any */
    struct erratum_bound bound;
};

/* What an erratum excuses: checks that ask one of these aspects and fail within its bound, and within this one. */
struct erratum_excuse {
    enum erratum_fact_id fact;
    u32 aspects;
    struct erratum_bound bound;
};

/* Why an erratum excuses no check; JUDGED: it does. */
enum errata_why { JUDGED, UNUSED, UNCOUNTED, UNPROVOKED, MEASURED, ALLOWED, PREVENTED, ERRATA_WHYS };

/* One that excuses none. */
struct erratum_other {
    enum errata_why why;
    struct erratum_fact fact;
};

extern const struct erratum_other erratum_others[];
extern const unsigned erratum_other_count;
extern const struct erratum_sheet erratum_sheets[ERRATUM_SHEETS];
extern const struct erratum_fact erratum_facts[ERRATUM_FACTS];
extern const struct erratum_excuse erratum_excuses[];
extern const unsigned erratum_excuse_count;

/* The number of an erratum in the sheet of this CPU, whatever its state and microcode; NULL: no sheet of it has one. */
const char *erratum_listed(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* Is this CPU's microcode one that has it fixed? */
bool erratum_fixed(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* Is the CPU in the state that the sheet names, microcode apart? */
bool erratum_in_state(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* The number of an erratum in the sheet of this CPU, if it shows in this state; else NULL. */
const char *erratum_number(const struct erratum_fact *fact, const struct pmu_caps *caps);
/* Is there an erratum of this CPU, in this state, that excuses checks of one of these aspects, if they fail within
 * bounds? */
bool erratum_may_excuse(const struct pmu_caps *caps, u32 aspects);
/*
 * Would a check that asks this in this run show the erratum, if the CPU had it? Aspects, register, and what came along
 * (an SMI, a stop beside an overflow) are asked, how it failed is not.
 */
bool erratum_asked(enum erratum_fact_id fact, const struct symptom *symptom);
/* Is it by this erratum that a check failed like that, whatever the CPU's state? */
bool erratum_explains(enum erratum_fact_id fact, const struct symptom *symptom);
/* The number of the first erratum that excuses a check that failed like that on this CPU, or NULL. */
const char *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom);
