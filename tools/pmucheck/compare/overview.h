/*
 * What a person wants to know of a comparison first: who came out how, in which chapters; which promises failed, how
 * much that matters and what can be done; which differences matter, which are to be expected between models, and what
 * is noise. Made from a finished sheet. Pure.
 */
#pragma once

#include "tools/pmucheck/compare/sheet.h"
#include "tools/pmucheck/log/severity.h"

/* How a test came out on a machine. Worst first, so that of several the least counts; what is lost was not seen. */
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
/* "fail", ... as results tell them. */
extern const char *const overview_outcome_name[OVERVIEW_OUTCOMES];

/* A test that did not pass somewhere, in one way. */
struct overview_finding {
    const char *test, *label; /* label "": no check told one */
    enum overview_outcome outcome;
    enum severity severity;
    const char *title, *spec; /* "" where no failure told them */
    const char *why, *what_to_do;
    const char *detail; /* of the first machine: "IA32_PERF_GLOBAL_CTRL: got 1, want 0", or the reason */
    const char *others; /* further labels that failed in it; "" */
    const char *equals; /* what machines of the same model tell of it: "10 equals of the same microcode pass it"; "" */
    LIST(unsigned) machines;
};

enum overview_class { OVERVIEW_MATTERS, OVERVIEW_EXPECTED, OVERVIEW_NOISE };
#define OVERVIEW_CLASSES 3

/* Rows that differ for one reason. */
struct overview_cause {
    enum overview_class class;
    const char *text;                    /* "CPUID.07H is not there" */
    const char *why, *spec, *what_to_do; /* "": nothing to be said */
    LIST(unsigned) rows;
    LIST(unsigned) models; /* that are without; may be empty */
};

struct overview {
    unsigned *order; /* of the models: those with failures first, else as they were named */
    LIST(const char *) chapters;
    unsigned *cell;                         /* [model][chapter][outcome]: machines whose worst outcome in it that is */
    LIST(struct overview_finding) findings; /* failed ones first, then by severity and how many */
    LIST(struct overview_cause) causes;
};

/* Everything lives in the sheet's arena. */
void overview_make(struct overview *overview, struct sheet *sheet);
/* Machines of a model whose worst outcome in the chapter that is. */
unsigned overview_count(const struct overview *overview, unsigned model, unsigned chapter,
                        enum overview_outcome outcome);
#define OVERVIEW_NAMED 8 /* machines, where many could be */
/* overview_words.c: "a03, a09", and "and 12 more" behind the first of many. */
const char *overview_names(struct sheet *sheet, const unsigned *machine, unsigned count);
/* Whom a cause is about: " for a, b"; " but for a, b" if it is most models; "" if it says nothing of that. */
const char *overview_about(struct sheet *sheet, const struct overview_cause *cause);
/* "Core i7-6700K, signature 000506e3", and its PMU if that is not the hardware's. */
const char *overview_model(struct sheet *sheet, unsigned model);
/* overview_cause.c: the rows that differ, by cause. */
void overview_find_causes(struct overview *overview, struct sheet *sheet);
/*
 * overview_equals.c: what the machines that pass the test tell of this finding, whose outcome this row has; where they
 * acquit microcode and firmware, or accuse them, what to do is about that.
 */
void overview_ask_equals(struct sheet *sheet, struct overview_finding *finding, const struct sheet_row *outcome);
/* overview_words.c: by what a cell says of an outcome, "skip: no leaf 0AH"; OVERVIEW_NONE of NULL or another word. */
enum overview_outcome overview_outcome_of(const char *text);
