/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The overview of a comparison: outcomes by model and chapter; failed promises, how much they matter and what to do;
 * differences that matter, differences to be expected between models, and noise. Made from a finished sheet. Pure.
 */
#pragma once

#include "tools/pmucheck/compare/sheet.h"
#include "tools/pmucheck/log/severity.h"

/* A test's outcome on a machine. Worst first, so that the least of several counts. A lost result was not seen. */
enum overview_outcome {
    OVERVIEW_FAIL,
    OVERVIEW_ERROR,
    OVERVIEW_REVIEW,
    OVERVIEW_LOST,
    OVERVIEW_KNOWN,
    OVERVIEW_PASS,
    OVERVIEW_SKIP,
    OVERVIEW_NONE
};
#define OVERVIEW_OUTCOMES 7
/* The words in results: "fail", ... */
extern const char *const overview_outcome_name[OVERVIEW_OUTCOMES];

/* A test and the machines on which it did not pass, all with the same outcome. */
struct overview_finding {
    const char *test, *label; /* label "": no failed check has one */
    enum overview_outcome outcome;
    enum severity severity;
    const char *title, *spec; /* "" if no failure has them */
    const char *why, *what_to_do;
    const char *detail; /* for the first machine: "IA32_PERF_GLOBAL_CTRL: got 1, want 0", or the reason */
    const char *others; /* further failed labels; "" */
    const char *equals; /* a comparison with machines of the same model: "10 equals of the same microcode pass it";
                         * "" */
    LIST(unsigned) machines;
};

enum overview_class { OVERVIEW_MATTERS, OVERVIEW_EXPECTED, OVERVIEW_NOISE };
#define OVERVIEW_CLASSES 3

/* Rows that differ for the same reason. */
struct overview_cause {
    enum overview_class class;
    const char *text;                    /* "no CPUID.07H" */
    const char *why, *spec, *what_to_do; /* "": no text */
    LIST(unsigned) rows;
    LIST(unsigned) models; /* models that lack it; may be empty */
};

struct overview {
    unsigned *order; /* the order of the models: failures first, else as on the command line */
    LIST(const char *) chapters;
    unsigned *cell;                         /* [model][chapter][outcome]: the number of machines with this worst outcome
                                             * in the chapter */
    LIST(struct overview_finding) findings; /* failures first, then by severity and number of machines */
    LIST(struct overview_cause) causes;
};

/* Everything lives in the sheet's arena. */
void overview_make(struct overview *overview, struct sheet *sheet);
/* The number of a model's machines with this worst outcome in the chapter. */
unsigned overview_count(const struct overview *overview, unsigned model, unsigned chapter,
                        enum overview_outcome outcome);
#define OVERVIEW_NAMED 8 /* the most machines that are named */
/* overview_words.c: "a03, a09", for many machines with "and 12 more" after the first ones. */
const char *overview_names(struct sheet *sheet, const unsigned *machine, unsigned count);
/* The models of a cause: ", for a, b"; ", but for a, b" if they are most models; "" if the cause names none. */
const char *overview_about(struct sheet *sheet, const struct overview_cause *cause);
/* "Core i7-6700K, signature 000506e3", and its PMU if that is not the hardware's. */
const char *overview_model(struct sheet *sheet, unsigned model);
/* overview_words.c: "version 3 is needed" of "skip: CPUID.0AH:EAX[7:0]=2: version 3 is needed". */
const char *overview_reason(const char *text);
/* overview_words.c: the model's brand without the words that all have, "Core i9-12900K", and its PMU if that is a
 * hypervisor's; without a brand its signature. */
const char *overview_short(struct arena *arena, const struct sheet *sheet, unsigned model);
/* The same of a column's model, with the column's kind of core if the model has several. */
const char *overview_short_kind(struct sheet *sheet, unsigned column);
/* overview_cause.c: the rows that differ, by cause. */
void overview_find_causes(struct overview *overview, struct sheet *sheet);
/*
 * overview_equals.c: compares the finding, whose outcome is in this row, with the machines that pass the test, and
 * adapts the advice if they show that microcode or firmware is or is not the reason.
 */
void overview_ask_equals(struct sheet *sheet, struct overview_finding *finding, const struct sheet_row *outcome);
/* overview_words.c: the outcome in a cell's text, "skip: no leaf 0AH"; OVERVIEW_NONE for NULL or any other word. */
enum overview_outcome overview_outcome_of(const char *text);
