/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accepted results of machines of one kind: the same signature, microcode, thread state and PMU. Kept as JSON, schema
 * "pmucheck-baseline-2", with a check sum over all of it; a new log is judged against them. Pure.
 */
#pragma once

#include "tools/json.h"
#include "tools/pmucheck/log/facts.h"
#include <stdio.h>

struct command;

/* The name of the file for machines of this kind: "000506e3-000000f0-2.json", "...-reference-haswell.json". */
const char *baseline_name(struct arena *arena, const struct facts *facts);
/* A new, empty baseline for machines of this kind. */
json_object *baseline_new(const struct facts *facts);
/* NULL if it is a baseline of this schema, or of the first one, which has no check sum; else the problem. */
const char *baseline_refusal(json_object *baseline);

/* Who accepted a log, and why. */
struct baseline_note {
    const char *log, *who, *why, *when;
};
/* Adds the run's results: outcomes and failed checks of each test, the range of each measurement. */
void baseline_accept(json_object *baseline, const struct facts *facts, const struct baseline_note *note);

enum baseline_kind { BASELINE_WORSE, BASELINE_FIXED, BASELINE_CHANGED, BASELINE_OUTSIDE, BASELINE_UNKNOWN };
#define BASELINE_KINDS 5 /* unknown: a test that the baseline does not have */
extern const char *const baseline_kind_name[BASELINE_KINDS];

struct baseline_finding {
    enum baseline_kind kind;
    const char *subject, *text; /* the test or measurement; the difference */
};
struct baseline_findings {
    LIST(struct baseline_finding) list;
    unsigned count[BASELINE_KINDS];
    const char *unjudged; /* why measurements were not judged; NULL: they were */
};
/* The findings live in the arena. */
void baseline_judge(struct arena *arena, json_object *baseline, const struct facts *facts,
                    struct baseline_findings *findings);

/* A range is used once this many logs were accepted: fewer do not show how much good machines differ. */
#define BASELINE_LOGS 3

/* NULL, or the reason why the run is accepted only on request: "the run fails". */
const char *baseline_doubt(const struct facts *facts);
/* Adds the check sum over everything else, which baseline_refusal() checks. */
void baseline_seal(json_object *baseline);

/* ---- file.c: files of accepted results, each of which is read once */

struct baseline_file {
    const char *path;
    json_object *baseline;   /* NULL: there is none for machines of this kind, or it is bad */
    bool bad;                /* it cannot be read, or is none */
    LIST(const char *) logs; /* accepted into it since it was read */
};

struct baseline_files {
    struct arena arena;
    LIST(struct baseline_file) list;
};

/* The directory's file for machines of this kind, good until the next call; messages are in the command's name. */
struct baseline_file *baseline_file(struct baseline_files *files, const struct command *command, const char *directory,
                                    const struct facts *facts);
void baseline_files_free(struct baseline_files *files);
