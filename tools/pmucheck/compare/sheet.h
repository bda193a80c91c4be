/*
 * Runs side by side: a column for each run of tests, or for each kind of core in it; a row for each thing that a log
 * tells, grouped by sections. Filled by sheet_*.c from what was read, written by compare_*.c. Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/log/log.h"

enum sheet_section { SHEET_IDENTITY, SHEET_CAPABILITIES, SHEET_RESULTS, SHEET_BITS, SHEET_HANDOFF, SHEET_MEASURES };
#define SHEET_SECTIONS 6
extern const char *const sheet_section_name[SHEET_SECTIONS];

/* A measurement in one column. */
struct sheet_measure {
    double min, median, p99, max;
    const char *histogram; /* "0:12,1:301" */
};

struct sheet_cell {
    const char *text;              /* NULL: this run does not tell */
    struct sheet_measure *measure; /* of a measurement */
    bool outlier;                  /* differs from nearly all of its equals */
};

struct sheet_row {
    enum sheet_section section;
    const char *group, *name; /* "CPUID.0AH", "version"; "pmi.skid", "cycles [events]" */
    struct sheet_cell *cell;  /* one for each column */
    bool differs;
    bool incidental; /* differs between equal machines too: a name, a clock's last digits */
    unsigned next;   /* in its hash chain, + 1 */
    unsigned order;  /* in which it was first told */
};

struct sheet_column {
    const char *name;
    struct facts facts;
    const struct facts_core *core; /* whose column it is; NULL: the run tells of none */
    unsigned fleet;                /* equal machines have the same number, from 1 */
    unsigned outliers;             /* of its cells */
    bool partial;                  /* from codes on the screen: what it does not tell is no difference */
    int host;                      /* of a virtual PMU: the column of the hardware below it; -1: none is known */
};

#define SHEET_UNTOLD "not told" /* of bits, when another column tells of them */
#define SHEET_CHAINS 4096
struct sheet {
    struct arena arena;
    LIST(struct sheet_column) columns;
    LIST(struct sheet_row) rows; /* in the order in which they were first told, sorted by section */
    unsigned chain[SHEET_CHAINS];
    unsigned fleets;
};

/* Fills the sheet from all runs of the logs, which must stay while it is used. */
void sheet_fill(struct sheet *sheet, const struct log_file *files, unsigned count);
void sheet_free(struct sheet *sheet);
/* Is it a hypervisor's PMU? */
bool sheet_virtual(const struct sheet_column *column);

/* ---- For who fills it ---- */

struct sheet_cell *sheet_cell(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group,
                              const char *name);
/* Sets a cell's text; a second one is added after a semicolon, unless it says the same. */
void sheet_set(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group, const char *name,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
/* sheet_facts.c: identity and capabilities; sheet_results.c: results, hand-off, measurements; sheet_bits.c. */
void sheet_fill_facts(struct sheet *sheet, unsigned column);
void sheet_fill_results(struct sheet *sheet, unsigned column);
void sheet_fill_bits(struct sheet *sheet, unsigned column, const struct log_record *record);
/* Adds a row for the bits that columns disagree about; those with ranges then tell nothing more. */
void sheet_split_bits(struct sheet *sheet);
bool sheet_is_range(const struct sheet_row *row);
/* sheet_judge.c: which rows differ, fleets of equal machines and who differs in them, guests and their hosts. */
void sheet_judge(struct sheet *sheet);
/* Makes registers of a family that say the same one group: "IA32_PMC0..IA32_PMC3". */
void sheet_fold_families(struct sheet *sheet);
/* Is what was told of these CPUs (NULL: of all) about the column's kind of core? */
bool sheet_about(const struct sheet_column *column, const char *cpus);
