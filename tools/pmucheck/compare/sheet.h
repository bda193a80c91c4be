/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of runs side by side: a machine for each run of tests, a column for each of its kinds of core; a row for each
 * fact of the logs, grouped by sections. Logs are added one after another and can then be freed: a cell is the number
 * of a text that all columns share. Filled by sheet_*.c from logs, written by text.c and html.c. Pure.
 */
#pragma once

#include "tools/index.h"
#include "tools/pmucheck/compare/sheet_errata.h"
#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/log/log.h"

enum sheet_section {
    SHEET_IDENTITY,
    SHEET_CAPABILITIES,
    SHEET_RESULTS,
    SHEET_ERRATA,
    SHEET_BITS,
    SHEET_HANDOFF,
    SHEET_MEASURES
};
#define SHEET_SECTIONS 7
extern const char *const sheet_section_name[SHEET_SECTIONS];

/* The number of a text in the sheet's table; 0: the run has no value. */
typedef unsigned sheet_text;

/* A measurement in one column. */
struct sheet_measure {
    double min, median, p99, max;
    sheet_text histogram; /* "0:12,1:301"; 0 beyond the first SHEET_PLOTTED columns */
    unsigned measured;    /* 0: not measured */
};
#define SHEET_PLOTTED 64

/* The rows of one register, leaf or test. Many machines share few variants of their cells: a column has a variant's
 * number. */
struct sheet_group {
    enum sheet_section section;
    const char *name;
    unsigned rows;
    struct index variants;   /* each holds the cells of the rows: texts, or measurements in their section; the first is
                              * empty */
    LIST(unsigned *) blocks; /* the variants' numbers from 0, of SHEET_BLOCK columns each; NULL: all 0 */
    struct index_key open;   /* cells of the column that is being filled */
    bool told;               /* does that column have a value? */
};
#define SHEET_BLOCK 256

struct sheet_row {
    enum sheet_section section;
    const char *group, *name; /* "CPUID.0AH", "version"; "pmi.skid", "cycles [events]" */
    struct sheet_group *of;
    unsigned index;          /* the cell's place in the group's variants */
    LIST(unsigned) outliers; /* columns that differ from nearly all of their equals, in rising order */
    bool differs;
    bool incidental; /* differs also between equal machines: a name, a clock's last digits */
    bool chosen;     /* a length that the program chooses, no property of a machine */
    unsigned order;  /* of first appearance */
};

/* A machine's verdict, worst first, which is also the order of lists. */
enum sheet_verdict { SHEET_FAIL, SHEET_ERROR, SHEET_REVIEW, SHEET_DAMAGED, SHEET_UNTESTED, SHEET_PASS };
#define SHEET_VERDICTS 6
extern const char *const sheet_verdict_name[SHEET_VERDICTS];

struct sheet_machine {
    const char *name, *path;
    const char *pmu, *brand, *signature, *microcode, *threads, *commit; /* of its first kind of core */
    const char *bios, *date; /* of the firmware; when it was tested, by its own clock; "": the log has none */
    const char *problem;     /* the log's first problem; NULL: the log is
                              * whole */
    enum sheet_verdict verdict;
    unsigned model;        /* index */
    unsigned first, kinds; /* its first column, and the number of its columns */
    unsigned known;        /* results that a published erratum explains */
    sheet_text conditions; /* times and CPUs of its tests: "quick, 20000 us and 100 repeats, 2 CPUs" */
    bool otherwise, ended; /* otherwise: other conditions than most machines; ended: the log has an END line */
    /* By the judgement, if there is one: results that are worse than accepted ones, and the first of them. */
    unsigned worse;
    const char *first_worse; /* "pmi.mask-set: fail, was pass"; NULL: none */
    bool unaccepted;         /* there is nothing accepted for its kind */
};

/* Machines of the same CPU on the same kind of PMU. */
struct sheet_model {
    const char *brand, *signature, *pmu;
    unsigned machines, verdict[SHEET_VERDICTS];
    unsigned first; /* machine */
};

/* A kind of core of a model. */
struct sheet_place {
    unsigned model, first; /* first: its first column */
    const char *kind;
};

struct sheet_column {
    const char *name, *kind; /* kind of core; "": the log has none */
    unsigned machine, place; /* indices */
    unsigned fleet;          /* equal machines have the same number, from 1 */
    unsigned outliers;       /* the number of outlier cells */
    bool partial;            /* from codes on the screen: a missing value is no difference */
    bool resets;             /* it has rows about a series of warm resets */
    bool damaged;            /* its log is not whole: a lost value is no difference */
    int host;                /* for a virtual PMU: the column of its hardware; -1: unknown */
    sheet_text equal;        /* equals have the same text */
};

/* A log with nothing to compare, or one that is not whole. */
struct sheet_doubt {
    const char *path, *problem;
    bool unusable;
};

/* A test's promise, from its failures. */
struct sheet_promise {
    const char *test, *label, *title, *spec;
};

/* The cells that a line of a log has set, so that the same line of another machine need not be parsed again. */
struct sheet_recipe {
    LIST(struct sheet_told {
        unsigned row;
        sheet_text text;
    })
    told;
};

/* Two texts of results that were compared; a cache, since many columns share few texts. */
struct sheet_pair {
    sheet_text a, b;
    bool alike;
};
#define SHEET_PAIRS 256

#define SHEET_RESETS "resets"   /* the group of warm resets, in the section of the hand-off */
#define SHEET_UNTOLD "not told" /* for bits that only other columns have */
struct sheet {
    struct arena arena, scratch; /* `scratch` is freed after each log */
    LIST(struct sheet_machine) machines;
    LIST(struct sheet_model) models;
    LIST(struct sheet_place) places;
    LIST(struct sheet_column) columns;
    LIST(struct sheet_row) rows; /* in the order of first appearance; sheet_finish() sorts them by section */
    LIST(struct sheet_group *) groups;
    LIST(struct sheet_group *) open; /* the groups in which the present column has values */
    unsigned column;                 /* the present column, which is being filled */
    struct index row_names;          /* by section, group and name; valid until the rows are sorted */
    LIST(struct sheet_recipe) recipes;
    struct index recipe_keys;
    unsigned recording; /* the number of the recipe being recorded, 0 for none */
    LIST(struct sheet_doubt) doubts;
    LIST(struct sheet_promise) promises;
    struct sheet_errata errata;
    struct index texts; /* of the cells */
    struct sheet_pair *pairs;
    unsigned fleets, unusable;
    bool one_file;
    /* Judges each machine by what was accepted before; its texts go into the sheet's arena. NULL: nothing does. Set
     * before the logs are added. */
    void (*judge)(struct sheet *sheet, const struct facts *facts, struct sheet_machine *machine);
};

/* ---- Filling it ---- */

/* Begins an empty sheet for this many logs. */
void sheet_begin(struct sheet *sheet, unsigned files);
/* Adds all runs of a log, which may be freed afterwards. */
void sheet_add(struct sheet *sheet, const struct log_file *file);
/* Notes a log that cannot be read at all. */
void sheet_unusable(struct sheet *sheet, const char *path, const char *problem);
/* After all logs are added: splits bits, sorts, judges. */
void sheet_finish(struct sheet *sheet);
void sheet_free(struct sheet *sheet);

/* ---- Reading it ---- */

/* The text of a cell, NULL if it has no value. A measurement's text is written into `room`. */
#define SHEET_ROOM 128
const char *sheet_value(const struct sheet *sheet, const struct sheet_row *row, unsigned column, char room[SHEET_ROOM]);
/* The number of a cell's text; 0 if it has no value, and for measurements. */
sheet_text sheet_number(const struct sheet_row *row, unsigned column);
/* The same for a variant of the row's group. */
sheet_text sheet_variant_text(const struct sheet_row *row, unsigned variant);
const char *sheet_text_of(const struct sheet *sheet, sheet_text number);
/* The cell's measurement; NULL if there is none. */
const struct sheet_measure *sheet_measured(const struct sheet_row *row, unsigned column);
/* The next bucket of a histogram as a log has it, "0:12,1:301"; returns what follows. NULL: there are no more. */
const char *bucket_next(const char *histogram, double *value, double *count);
/* The median of at least one value, the mean of two if their number is even; sorts them. */
double sheet_middle(double *values, unsigned count);
/* Was this cell lost, because the column's log is not whole, or because no warm resets were made? A lost cell is no
 * difference. */
bool sheet_lost(const struct sheet *sheet, const struct sheet_row *row, unsigned column);
/* Do two columns have the same value? */
bool sheet_same(const struct sheet_row *row, unsigned a, unsigned b);
/*
 * The same, but for words: of two skips the value that was read does not matter, "version 3 is needed" does; of two
 * known results the number does not matter under which a sheet has the erratum.
 */
bool sheet_alike(const struct sheet *sheet, const struct sheet_row *row, unsigned a, unsigned b);
bool sheet_outlier(const struct sheet_row *row, unsigned column);
/* Is it a hypervisor's PMU? */
bool sheet_virtual(const struct sheet *sheet, const struct sheet_column *column);
/* The row with these names; NULL if there is none. Only before sheet_finish(). */
struct sheet_row *sheet_find(struct sheet *sheet, enum sheet_section section, const char *group, const char *name);
/* The same of a finished sheet; a measurement's name may lack its unit. */
const struct sheet_row *sheet_row_of(const struct sheet *sheet, enum sheet_section section, const char *group,
                                     const char *name);
/* The promise of the test's check with this label; NULL if no failure has it. */
const struct sheet_promise *sheet_promise(const struct sheet *sheet, const char *test, const char *label);

/* ---- For the files that fill it ---- */

/* The number of a text; equal texts have the same number. And the sheet's own copy of it; "" for NULL. */
sheet_text sheet_intern(struct sheet *sheet, const char *text);
const char *sheet_keep(struct sheet *sheet, const char *text);
/* The run that the present column is filled from. */
struct sheet_source {
    const struct facts *facts;
    const struct facts_core *core; /* the column's kind of core; NULL: the log has none */
    struct arena *arena;           /* freed after each log */
};
/* Columns are filled one after another: this one is the present column from now on, and the last one is closed. */
void sheet_open(struct sheet *sheet, unsigned column);
void sheet_close(struct sheet *sheet);
/* Sets a cell's text in the present column; a second text is added after a semicolon, unless it is the same. */
void sheet_put(struct sheet *sheet, enum sheet_section section, const char *group, const char *name, const char *text);
void sheet_set(struct sheet *sheet, enum sheet_section section, const char *group, const char *name, const char *format,
               ...) __attribute__((format(printf, 5, 6)));
/* A second measurement of the same name widens the first. */
void sheet_set_measure(struct sheet *sheet, const char *group, const char *name, const struct sheet_measure *measure);
/*
 * If the key was seen before, sets its cells and returns true. If not, the caller sets the cells and then
 * calls sheet_repeated(): cells set in between, except measurements, are remembered for the key.
 */
bool sheet_repeat(struct sheet *sheet, const void *key, size_t size);
void sheet_repeated(struct sheet *sheet);
/* Adds a row to the group, with one text for each variant. */
void sheet_add_row(struct sheet *sheet, struct sheet_group *group, const char *name, const char *const *texts);
/* sheet_facts.c: identity and capabilities; sheet_results.c: results, hand-off, measurements; sheet_bits.c. */
void sheet_fill_facts(struct sheet *sheet, const struct sheet_source *from);
void sheet_fill_results(struct sheet *sheet, const struct sheet_source *from);
void sheet_fill_bits(struct sheet *sheet, const struct sheet_source *from, const struct log_record *record);
/* Adds rows for the bits in which columns differ; rows of ranges are then redundant. */
void sheet_split_bits(struct sheet *sheet);
bool sheet_is_range(const struct sheet_row *row);
/* sheet_judge.c: finds the rows that differ, fleets of equal machines and their outliers, guests and their hosts. */
void sheet_judge(struct sheet *sheet);
/* Joins registers of a family with the same values into one group: "IA32_PMC0..IA32_PMC3". */
void sheet_fold_families(struct sheet *sheet);
/* Does a line about these CPUs (NULL: all) concern the column's kind of core? */
bool sheet_about(const struct sheet_source *from, const char *cpus);
