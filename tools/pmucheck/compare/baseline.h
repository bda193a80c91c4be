/*
 * Accepted results of machines of one kind: the same signature, microcode, thread state and PMU. Kept as JSON, schema
 * "pmucheck-baseline-1"; a new log is judged against them. Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* The name of the file for machines of this kind: "000506e3-000000f0-2.json", "...-reference-haswell.json". */
const char *baseline_name(struct arena *arena, const struct facts *facts);
/* An empty one for machines of this kind. */
cJSON *baseline_new(const struct facts *facts);
/* NULL if the text is a baseline of this schema, else what is wrong with it. */
const char *baseline_refusal(const cJSON *baseline);

/* Who accepted a log, and why. */
struct baseline_note {
    const char *log, *who, *why, *when;
};
/* Adds what the run told: outcomes and failed checks of each test, the range of each measurement. */
void baseline_accept(cJSON *baseline, const struct facts *facts, const struct baseline_note *note);

struct baseline_findings {
    unsigned worse, fixed, changed, outside, unknown; /* unknown: tests that the baseline does not have */
};
/* Writes a line for each finding. */
struct baseline_findings baseline_judge(FILE *out, const cJSON *baseline, const struct facts *facts);
