/*
 * The table of registers: what pmu/registers.def says of each, with the conditions of a CPU. Write gate, snapshots,
 * hand-back and names are made of it. A register that is in no row cannot be written; one that can be written is in a
 * row that says what becomes of it after a test. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

/* What becomes of a register after each test, and at the end. 0 is none of them: each row says. */
enum register_keep {
    KEPT = 1,       /* compared after each test, put back, handed back at the end */
    HANDED_BACK,    /* a test may leave it as it likes; handed back at the end */
    COMMAND,        /* a write changes `see` */
    ALIAS,          /* another name of `see` */
    ONLY_READ,      /* nobody can change it, or this image does not */
    OF_THE_MACHINE, /* the runtime's own, for as long as the image runs; not the PMU's */
};

/* When it is put back, everything being stopped before. */
enum register_phase {
    BEFORE_VALUES, /* what clears values, or keeps them from being written */
    VALUES,
    CONTROLS,
    RECORDING, /* once it is known where records go */
    STARTS,
    REGISTER_PHASES,
};

/* Who shares one copy of it. */
enum register_sharing { THREAD, CORE, MODULE };

/* Registers that move by themselves: the value of a counter that counts, or one that reads at will. */
enum register_moving { STANDS, GP_COUNTS, FIXED_COUNTS, NETBURST_COUNTS, READS_LATE };

/* Situations of the CPU that writes, which the write gate looks at. */
enum register_situation {
    ANYWHERE,
    OWN_AREA,       /* the value is one of this CPU's own debug store areas */
    OWN_TRACE,      /* whatever is written, a trace stays within this CPU's own pages, and it is nobody else's */
    OWN_RECORDS,    /* whatever is written, records of architectural PEBS stay within this CPU's own pages */
    OWN_UPDATE,     /* the value is the update of microcode that this CPU is being given, and nothing else */
    IN_X2APIC_MODE, /* the local APIC is in it, or about to leave it */
    STARTING,       /* the CPU has no number yet */
    WITH_MICROCODE, /* vendor Intel, family 6 or later */
    WITH_SVM,       /* SVM under a hypervisor: where the reference PMU can run */
};

/* Bits that may be set: those of the manual, of CPUs that have them. */
struct register_field {
    u64 bits;
    u64 (*of)(const struct pmu_caps *caps);    /* further bits, which follow from what is enumerated */
    bool (*when)(const struct pmu_caps *caps); /* NULL: always */
    u64 (*in)(const struct pmu_caps *caps);    /* bit n: only in the n-th register of the row; NULL: in all */
    u64 capability;                            /* only where PERF_CAPABILITIES has one of these bits; 0: always */
    u8 version;                                /* only from this version on */
};

struct register_row {
    u32 first;
    struct {
        u8 count, apart, from; /* registers of the row, their distance, the number of the first in its name */
    } family;
    const char *name, *old_name; /* "...%u": followed by the number; NULL: none. old_name: in older logs and manuals */
    const char *manual;
    const char *rule; /* what the write gate says when it refuses; NULL: never written */
    bool netburst;    /* of that class; all others are of all other classes */
    /* Does this CPU have the register? All that are given must say so. */
    u8 version;
    bool (*there)(const struct pmu_caps *caps);
    u64 (*which)(const struct pmu_caps *caps); /* bit n: the n-th of the row */
    bool (*ours)(const struct pmu_caps *caps); /* and may this image touch it? */
    /* On these CPUs CPUID and IA32_PERF_CAPABILITIES show the register wherever it is there, so that a hypervisor owes
     * it to its guest. NULL: nothing shows it, or the model alone implies it. */
    bool (*shown)(const struct pmu_caps *caps);
    /* When it may be written at all. */
    enum register_situation only_in;
    bool stopped;         /* while counters run only 0 */
    bool starts_sampling; /* while a counter is set to sample only if records have a place of our own to go to, or 0 */
    /* What may be written: any of these. */
    const struct register_field *fields; /* values with no other bits than these; the last is empty; ALIAS: as `see` */
    bool others_as_read;                 /* what it reads, but for the bits of `fields` */
    bool zero;                           /* 0 */
    bool walked;                         /* while a walk is open, what it reads but for any one bit */
    enum register_situation any_in;      /* then: every value */
    bool (*one_more)(const struct pmu_caps *caps); /* on these CPUs: one bit besides `fields` */
    bool (*as_read)(const struct pmu_caps *caps);  /* on these CPUs: 0, or what it reads */
    bool (*value)(u64 value);                      /* values that are decided on as a whole */
    u64 changes, changes_with_svm;                 /* what it reads, but for these bits */
    /* What becomes of it. */
    enum register_keep keep;
    u32 see;                                          /* the register of a command or of another name; 0: none */
    bool (*alias_where)(const struct pmu_caps *caps); /* kept, but on these CPUs another name of `see` */
    u32 put_by;                                       /* put back by writing the value there; 0: here */
    enum register_phase phase;
    enum register_sharing scope;
    enum register_sharing (*scope_of)(const struct pmu_caps *caps); /* NULL: scope */
    u64 moves, falls; /* bits that move by themselves; bits that clear by themselves, and do not set */
    enum register_moving moving;
    bool untold; /* whatever it holds at hand-off says nothing by itself, or is told by a test of its own */
    u64 watched; /* bits that every CPU keeps as they were written: a difference is somebody else's doing */
};

extern const struct register_row register_rows[];
extern const unsigned register_row_count;

#define for_each_register(row) \
    for (const struct register_row *row = register_rows; row < register_rows + register_row_count; row++)

/* The row of a register for the calling CPU's kind of PMU (NULL: its capabilities are not known); NULL: there is none.
 */
const struct register_row *register_row_of(const struct pmu_caps *caps, u32 msr);
/* The n-th register of a row; which of them a register of the row is. */
u32 register_index(const struct register_row *row, unsigned n);
unsigned register_number_in(const struct register_row *row, u32 msr);
/* Has this CPU the n-th register of the row, and may this image touch it? */
bool register_is_there(const struct register_row *row, const struct pmu_caps *caps, unsigned n);
/* Do CPUID and IA32_PERF_CAPABILITIES show this register, whether this image may touch it or not? */
bool register_is_shown(const struct pmu_caps *caps, u32 msr);
/* The bits that may be set in it where it is there. */
u64 register_bits(const struct register_row *row, const struct pmu_caps *caps, unsigned n);
/* On this CPU: what becomes of it, and who shares it. */
enum register_keep register_keep_on(const struct register_row *row, const struct pmu_caps *caps);
enum register_sharing register_scope_on(const struct register_row *row, const struct pmu_caps *caps);
