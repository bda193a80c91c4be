/* SPDX-License-Identifier: BSD-2-Clause */
/* The facts about a run's CPUs, from the machine's lines and the run's own, which override them. Pure. */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <stdint.h>

struct facts_leaf {
    uint32_t leaf, subleaf, value[4]; /* EAX, EBX, ECX, EDX */
};

struct facts_core {
    const struct log_record *record; /* its "# core-type" line */
    /* "core", "atom"; with the class if the CPU has several kinds of that type: "atom skymont". CPU list */
    const char *kind, *cpus;
    unsigned id;                    /* its first CPU */
    const struct log_record *cpu;   /* its "# cpu" line, or NULL */
    LIST(struct facts_leaf) leaves; /* all leaves of its CPUID */
};

struct facts {
    const struct log_boot *boot;
    const struct log_run *run;
    const struct log_record *machine;                        /* NULL: the log has none */
    const struct log_record *platform;                       /* NULL: the log has none */
    char brand[49], signature[9], microcode[17], threads[8]; /* of the first core type; "" if unknown */
    LIST(struct facts_core) cores;
};

void facts_read(struct arena *arena, const struct log_boot *boot, const struct log_run *run, struct facts *facts);
/* The leaf; NULL if the CPU has no such leaf. */
const struct facts_leaf *facts_leaf(const struct facts_core *core, uint32_t leaf, uint32_t subleaf);
/* The core type that contains a CPU list ("0-3,8"); NULL if no single type does. */
const struct facts_core *facts_core_of(const struct facts *facts, const char *cpus);
/* Is the CPU in the list? Do two lists have a CPU in common? */
bool facts_cpu_in(const char *cpus, unsigned cpu);
bool facts_cpus_meet(const char *a, const char *b);
/* Times and CPUs of its tests: "quick, 20000 us and 20 repeats a test, 2 CPUs"; "" if no line has them. */
const char *facts_conditions(struct arena *arena, const struct facts *facts);
/*
 * Microseconds of a test, of a run (result NULL), or since the image started (run NULL, too). False if the log has
 * none.
 */
bool facts_took(const struct log_boot *boot, const struct log_run *run, const struct log_result *result, uint64_t *us);
/* The image's start by the machine's own clock, as 2026-01-31T12:00:00; NULL if the log has none. */
const char *facts_date(const struct log_boot *boot);
/* The options, of the command line and then of QEMU, joined by a blank. */
const char *facts_options(struct arena *arena, const struct log_boot *boot);
/* Is this measurement a length that the program itself chooses, by its options and its budget? */
bool facts_chosen(const char *test, const char *measurement);

/* The set bits of a mask, "63:33 19"; "" for 0. */
#define FACTS_BITS 256
const char *facts_bits(uint64_t mask, char text[FACTS_BITS]);

/* ---- fields.c: CPUID leaves and IA32_PERF_CAPABILITIES field by field, as data. SDM 2A, "CPUID"; SDM 4,
 * "Architectural MSRs" */

enum { FIELD_EAX, FIELD_EBX, FIELD_ECX, FIELD_EDX };

struct field {
    uint32_t leaf, subleaf;
    uint8_t reg, high, low; /* FIELD_EAX to FIELD_EDX; bits */
    const char *name;       /* NULL: not shown, because other rows have it or because it differs between the CPUs of one
                             * machine */
    const char *bits;       /* the names of so many single bits from `low` on, separated by commas; NULL: one field */
};

/* The row with high 0xff ends them. */
extern const struct field cpuid_fields[];
extern const struct field perf_capabilities_fields[]; /* leaf, subleaf and reg are 0 */
