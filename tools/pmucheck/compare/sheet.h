/*
 * Runs side by side: a machine for each run of tests, a column for each kind of core in it; a row for each thing that a
 * log tells, grouped by sections. Logs are added one after another and need not stay: a cell is the number of a text
 * that all columns share. Filled by sheet_*.c from what was read, written by text.c and html.c. Pure.
 */
#pragma once

#include "tools/index.h"
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

/* The number of a text in the sheet's table; 0: this run does not tell. */
typedef unsigned sheet_text;

/* A measurement in one column. */
struct sheet_measure {
    double min, median, p99, max;
    sheet_text histogram; /* "0:12,1:301"; 0 beyond the first SHEET_PLOTTED columns */
    unsigned measured;    /* 0: it did not measure this */
};
#define SHEET_PLOTTED 64

/* Rows of one register, leaf or test. Machines are many and ways to tell of it few: a column has a variant's number. */
struct sheet_group {
    enum sheet_section section;
    const char *name;
    unsigned rows;
    struct index variants; /* cells of its rows, texts, or measurements where the section is that; the first has none */
    LIST(unsigned *) blocks; /* the variants' numbers from 0, of SHEET_BLOCK columns each; NULL: all 0 */
    struct index_key open;   /* cells of the column that is being filled */
    bool told;               /* does that one tell? */
};
#define SHEET_BLOCK 256

struct sheet_row {
    enum sheet_section section;
    const char *group, *name; /* "CPUID.0AH", "version"; "pmi.skid", "cycles [events]" */
    struct sheet_group *of;
    unsigned index;          /* of its cell in the group's variants */
    LIST(unsigned) outliers; /* columns that differ from nearly all of their equals, rising */
    bool differs;
    bool incidental; /* differs between equal machines too: a name, a clock's last digits */
    bool chosen;     /* a length that the program chooses, no property of a machine */
    unsigned order;  /* in which it was first told */
};

/* How a machine came out. The worst first: so they are listed. */
enum sheet_verdict { SHEET_FAIL, SHEET_ERROR, SHEET_REVIEW, SHEET_DAMAGED, SHEET_UNTESTED, SHEET_PASS };
#define SHEET_VERDICTS 6
extern const char *const sheet_verdict_name[SHEET_VERDICTS];

struct sheet_machine {
    const char *name, *path;
    const char *pmu, *brand, *signature, *microcode, *threads, *commit; /* of its first kind of core */
    const char *problem;                                                /* the log's first one; NULL: it is whole */
    enum sheet_verdict verdict;
    unsigned model;        /* index */
    unsigned first, kinds; /* its columns */
    unsigned known;        /* results that a published erratum explains */
    sheet_text conditions; /* how long and on how many CPUs its tests ran: "quick, 20000 us and 100 repeats, 2 CPUs" */
    bool otherwise, ended; /* other conditions than most of its equals have; the log has an END line */
};

/* Machines of the same CPU on the same kind of PMU. */
struct sheet_model {
    const char *brand, *signature, *pmu;
    unsigned machines, verdict[SHEET_VERDICTS];
    unsigned first; /* machine */
};

struct sheet_column {
    const char *name, *kind; /* of core; "": the run tells of none */
    unsigned machine;        /* index */
    unsigned fleet;          /* equal machines have the same number, from 1 */
    unsigned outliers;       /* of its cells */
    bool partial;            /* from codes on the screen: what it does not tell is no difference */
    bool damaged;            /* its log is not whole: what it has lost is no difference */
    int host;                /* of a virtual PMU: the column of the hardware below it; -1: none is known */
    sheet_text equal;        /* by which its equals are known */
};

/* A log that nothing could be compared of, or that is not whole. */
struct sheet_doubt {
    const char *path, *problem;
    bool unusable;
};

/* What a test promises, as its failures cite it. */
struct sheet_promise {
    const char *test, *label, *title, *spec;
};

/* The cells that a line of a log has set: the next machine that says the same gets them without a second look. */
struct sheet_recipe {
    LIST(struct sheet_told {
        unsigned row;
        sheet_text text;
    })
    told;
};

#define SHEET_UNTOLD "not told" /* of bits, when another column tells of them */
struct sheet {
    struct arena arena, scratch; /* the second until the next log */
    LIST(struct sheet_machine) machines;
    LIST(struct sheet_model) models;
    LIST(struct sheet_column) columns;
    LIST(struct sheet_row) rows; /* in the order in which they were first told, sorted by section */
    LIST(struct sheet_group *) groups;
    LIST(struct sheet_group *) open; /* of which the column that is being filled tells */
    unsigned column;                 /* that one */
    struct index row_names;          /* by section, group and name, while they are in that order */
    LIST(struct sheet_recipe) recipes;
    struct index recipe_keys;
    unsigned recording; /* a recipe's number, 0 for none */
    LIST(struct sheet_doubt) doubts;
    LIST(struct sheet_promise) promises;
    struct index texts; /* of the cells */
    unsigned fleets, unusable;
    bool one_file;
};

/* ---- Filling it ---- */

/* Begins an empty sheet of so many logs. */
void sheet_begin(struct sheet *sheet, unsigned files);
/* Adds all runs of a log, which may be freed afterwards. */
void sheet_add(struct sheet *sheet, const struct log_file *file);
/* A log that cannot be read at all. */
void sheet_unusable(struct sheet *sheet, const char *path, const char *problem);
/* When all are added: splits bits, sorts, judges. */
void sheet_finish(struct sheet *sheet);
void sheet_free(struct sheet *sheet);

/* ---- Reading it ---- */

/* The text of a cell, NULL if the column does not tell; of a measurement it is written into `room`. */
#define SHEET_ROOM 128
const char *sheet_value(const struct sheet *sheet, const struct sheet_row *row, unsigned column, char room[SHEET_ROOM]);
/* The number of a cell's text; 0 if it does not tell, and of a measurement always. */
sheet_text sheet_number(const struct sheet_row *row, unsigned column);
/* The same, by what a variant of the row's group tells. */
sheet_text sheet_variant_text(const struct sheet_row *row, unsigned variant);
const char *sheet_text_of(const struct sheet *sheet, sheet_text number);
/* NULL if the column has none. */
const struct sheet_measure *sheet_measured(const struct sheet_row *row, unsigned column);
/* Does the column's log lack this cell, as it is not whole? What was lost differs from nothing. */
bool sheet_lost(const struct sheet *sheet, const struct sheet_row *row, unsigned column);
/* Do two columns tell the same? */
bool sheet_same(const struct sheet_row *row, unsigned a, unsigned b);
bool sheet_outlier(const struct sheet_row *row, unsigned column);
/* Is it a hypervisor's PMU? */
bool sheet_virtual(const struct sheet *sheet, const struct sheet_column *column);
/* The row of these names; NULL if there is none. Before sheet_finish() alone. */
struct sheet_row *sheet_find(struct sheet *sheet, enum sheet_section section, const char *group, const char *name);
/* What the test promises that has this label; NULL if no failure told. */
const struct sheet_promise *sheet_promise(const struct sheet *sheet, const char *test, const char *label);

/* ---- For who fills it ---- */

/* The number of a text, the same for equal ones. */
sheet_text sheet_intern(struct sheet *sheet, const char *text);
/* The run that a column is filled from. */
struct sheet_source {
    unsigned column;
    const struct facts *facts;
    const struct facts_core *core; /* whose column it is; NULL: the run tells of none */
    struct arena *arena;           /* until the next log */
};
/*
 * Sets a cell's text; a second one is added after a semicolon, unless it says the same. Columns are filled one after
 * another: a cell of the next one closes the last.
 */
void sheet_put(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group, const char *name,
               const char *text);
void sheet_set(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group, const char *name,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
/* A second measurement of the same name widens the first. */
void sheet_set_measure(struct sheet *sheet, unsigned column, const char *group, const char *name,
                       const struct sheet_measure *measure);
/* When the last column is filled. */
void sheet_close(struct sheet *sheet);
/*
 * Has this key been told before? Then its cells are set in the column. If not, who asks tells it, and says when that is
 * done: what is set in between is remembered, but for measurements.
 */
bool sheet_repeat(struct sheet *sheet, unsigned column, const void *key, size_t size);
void sheet_repeated(struct sheet *sheet);
/* A row of the group, its cell set in each variant: texts of as many. */
void sheet_add_row(struct sheet *sheet, struct sheet_group *group, const char *name, const char *const *texts);
/* sheet_facts.c: identity and capabilities; sheet_results.c: results, hand-off, measurements; sheet_bits.c. */
void sheet_fill_facts(struct sheet *sheet, const struct sheet_source *from);
void sheet_fill_results(struct sheet *sheet, const struct sheet_source *from);
void sheet_fill_bits(struct sheet *sheet, const struct sheet_source *from, const struct log_record *record);
/* Adds a row for the bits that columns disagree about; those with ranges then tell nothing more. */
void sheet_split_bits(struct sheet *sheet);
bool sheet_is_range(const struct sheet_row *row);
/* sheet_judge.c: which rows differ, fleets of equal machines and who differs in them, guests and their hosts. */
void sheet_judge(struct sheet *sheet);
/* Makes registers of a family that say the same one group: "IA32_PMC0..IA32_PMC3". */
void sheet_fold_families(struct sheet *sheet);
/* Is what was told of these CPUs (NULL: of all) about the column's kind of core? */
bool sheet_about(const struct sheet_source *from, const char *cpus);
