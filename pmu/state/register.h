/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of registers: the rows of pmu/registers.def, with the conditions on a CPU. Write gate, snapshots, restoring
 * and names are all based on it. A register without a row cannot be written; a row whose register can be written says
 * what becomes of it after a test. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

/* What becomes of a register after each test, and at the end. Every row must say; 0 is not a valid value. */
enum register_keep {
    KEPT = 1,       /* compared and restored after each test, restored at the end */
    HANDED_BACK,    /* a test may leave any value; restored at the end */
    COMMAND,        /* a write changes `see` */
    ALIAS,          /* another name of `see` */
    ONLY_READ,      /* nobody can write it, or this image does not */
    OF_THE_MACHINE, /* belongs to the runtime while the image runs, not to the PMU */
};

/* When it is restored; everything was stopped before. */
enum register_phase {
    BEFORE_VALUES, /* writes that clear values, or that keep them from being written */
    VALUES,
    CONTROLS,
    RECORDING, /* after the destination of records is set */
    STARTS,
    REGISTER_PHASES,
};

/* Which CPUs share one copy of it. */
enum register_sharing { THREAD, CORE, MODULE };

/* Registers that change by themselves: the value of a running counter, or a register that may read old values. */
enum register_moving { STANDS, GP_COUNTS, FIXED_COUNTS, NETBURST_COUNTS, READS_LATE };

/* Situations of the writing CPU that the write gate checks. */
enum register_situation {
    ANYWHERE,
    OWN_AREA,       /* the value is one of this CPU's own debug store areas */
    OWN_TRACE,      /* after the write a trace stays within this CPU's own pages, and no other software traces */
    OWN_RECORDS,    /* after the write records of architectural PEBS stay within this CPU's own pages */
    OWN_UPDATE,     /* the value names the update of microcode that is being loaded into this CPU */
    IN_X2APIC_MODE, /* the local APIC is in that mode, or about to leave it */
    WITH_SVM,       /* SVM under a hypervisor: where the reference PMU can run */
};

/* Bits that may be set: bits that the manual defines, on CPUs that have them. */
struct register_field {
    u64 bits;
    u64 (*of)(const struct pmu_caps *caps);    /* further bits, which depend on what is enumerated */
    bool (*when)(const struct pmu_caps *caps); /* NULL: always */
    u64 (*in)(const struct pmu_caps *caps);    /* bit n: the n-th register of the row has them; NULL: all */
    u64 capability;                            /* only if PERF_CAPABILITIES has one of these bits; 0: always */
    u8 version;                                /* only from this version on */
};

struct register_row {
    u32 first;
    struct {
        u8 count, apart, from; /* number of registers in the row, their distance, the number in the name of the first */
    } family;
    const char *name, *old_name; /* "...%u": with the number; NULL: none. old_name: in older logs and manuals */
    const char *manual;
    const char *rule; /* the write gate's reason for a refusal; NULL: never written */
    bool netburst;    /* the row is for NetBurst; all other rows are for all other classes */
    /* Does this CPU have the register? All conditions that are given must hold. */
    u8 version;
    bool (*there)(const struct pmu_caps *caps);
    u64 (*which)(const struct pmu_caps *caps); /* bit n: it has the n-th register of the row */
    bool (*ours)(const struct pmu_caps *caps); /* and this image may touch it */
    /* On these CPUs CPUID and IA32_PERF_CAPABILITIES show the register wherever it exists, so that a hypervisor must
     * give it to its guest. NULL: nothing shows it, or the model alone implies it. */
    bool (*shown)(const struct pmu_caps *caps);
    /* The condition for any write. */
    enum register_situation only_in;
    bool stopped;         /* while counters run only 0 may be written */
    bool starts_sampling; /* while a counter is set to sample: only 0, or if records go to an area of ours */
    /* The values that may be written: any of these. */
    const struct register_field *fields; /* values with no bits but these; last: empty; ALIAS: as `see` */
    bool others_as_read;                 /* in the bits outside `fields` the value that it reads */
    bool zero;                           /* 0 */
    /* While a walk is open: the value that it reads with any one bit changed, on CPUs of which dumps show what comes of
     * it, or on these. */
    bool walked;
    bool (*walked_on)(const struct pmu_caps *caps);
    u64 harmless;                   /* with counters off, what may be walked on any known class since version 4 */
    const char *untried;            /* why the other bits are not: because="...", for the log */
    enum register_situation any_in; /* in that situation: every value */
    bool (*one_more)(const struct pmu_caps *caps); /* on these CPUs: one bit outside `fields` */
    bool (*as_read)(const struct pmu_caps *caps);  /* on these CPUs: 0, or the value that it reads */
    bool (*same)(const struct pmu_caps *caps);     /* on these CPUs: the value that it reads */
    bool (*value)(u64 value);                      /* values that are checked as a whole */
    u64 changes, changes_with_svm;                 /* the value that it reads, with any of these bits changed */
    /* What becomes of it. */
    enum register_keep keep;
    u32 see;                                          /* what a command changes; an alias's original; 0: none */
    bool (*alias_where)(const struct pmu_caps *caps); /* on these CPUs the row, else KEPT, is an alias of `see` */
    u32 put_by;                                       /* restored by writing its value to that register; 0: to itself */
    enum register_phase phase;
    enum register_sharing scope;
    enum register_sharing (*scope_of)(const struct pmu_caps *caps); /* NULL: scope */
    u64 moves, falls; /* bits that change by themselves; bits that clear, but do not set, by themselves */
    enum register_moving moving;
    bool untold; /* its value at hand-off means nothing by itself, or another test tells of it */
    u64 watched; /* bits that every CPU keeps as written: a difference was made by other software */
};

#define REGISTER_ROWS_MAX 253 /* that register_row_of() can remember */
extern const struct register_row register_rows[];
extern const unsigned register_row_count;

#define for_each_register(row) \
    for (const struct register_row *row = register_rows; row < register_rows + register_row_count; row++)

/* The row of a register for the calling CPU's kind of PMU (caps NULL: not known); NULL if it has no row. */
const struct register_row *register_row_of(const struct pmu_caps *caps, u32 msr);
/* The n-th register of a row; the number of a register within its row. */
u32 register_index(const struct register_row *row, unsigned n);
unsigned register_number_in(const struct register_row *row, u32 msr);
/* Does this CPU have the n-th register of the row, and may this image touch it? */
bool register_is_there(const struct register_row *row, const struct pmu_caps *caps, unsigned n);
/* Do CPUID and IA32_PERF_CAPABILITIES show this register, whether this image may touch it or not? */
bool register_is_shown(const struct pmu_caps *caps, u32 msr);
/* The bits that may be set in it, if the CPU has it. */
u64 register_bits(const struct register_row *row, const struct pmu_caps *caps, unsigned n);
/* On this CPU: what becomes of the register, and which CPUs share it. */
enum register_keep register_keep_on(const struct register_row *row, const struct pmu_caps *caps);
enum register_sharing register_scope_on(const struct register_row *row, const struct pmu_caps *caps);

/* ---- Names of registers. Pure. */

/* SDM name of a PMU register: "IA32_PERF_GLOBAL_CTRL", "IA32_PERFEVTSEL3", "LVTPC"; others as "MSR_1a0H". By the row of
 * that CPU's kind of PMU, as register_row_of() has it (NULL: its capabilities are not known). */
#define REGISTER_NAME_SIZE 40
const char *register_name(const struct pmu_caps *caps, u32 msr, char *text);
/* Its name on any CPU: by the row of NetBurst if only that has one. */
const char *register_name_on_any(u32 msr, char *text);
/* The number of the register with this name, as register_name() writes it for some CPU; false if none has it, or it is
 * no MSR. */
bool register_number(const char *name, u32 *msr);

/* ---- How pmu/registers.def writes its first columns: which registers a row has, and their names. */

#define ONE 1, 1, 0
#define FAMILY(count, apart) count, apart, 0
#define NUMBERED(count, from) count, 1, from
#define NAME(now) now, NULL
#define NAMES(now, old) now, old
#define UNNAMED NULL, NULL
