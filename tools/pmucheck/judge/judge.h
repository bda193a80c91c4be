/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judges a recorded log again by the rules that this program was built with: errata, evidence, labels. The recorded
 * facts stay the same; their judgement may change, for instance by a new erratum. The judge is the image's own
 * (tests/harness/core/judge.h), with the capabilities from the log.
 */
#pragma once

#include "harness/core/results.h"
#include "pmu/cpu/caps.h"
#include "tools/json.h"
#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/log/log.h"
#include <stdio.h>

/* Does a present test have this check? */
bool rejudge_label_known(const char *test, const char *label);
/*
 * Writes the changes of each run, and the verdict then and now: as text to `out`, and as an object for each start of
 * the image to `boots` (see pmucheck judge --help); either may be NULL. Returns the exit status of the new verdict.
 */
enum log_status rejudge(FILE *out, json_object *boots, const struct log_file *file);

/* ---- recorded.c: a CPU and a failed check of a log, in the types of the image's judge */

/* The capabilities of a kind of core, decoded from the log's dump of its CPUID leaves and its other lines. */
struct pmu_caps recorded_caps(const struct facts_core *core);
/*
 * The check of a "# fail" line as the image saw it, before judging. Returns false if the line lacks a mandatory field.
 * *asked: the line has the promise (asks=); without it no erratum can be found. `failing` has the line's summary of all
 * repeats.
 */
bool recorded_check(const struct log_record *record, struct check *check, bool *asked);

/* ---- agreement.c: several machines of one class together. A check that holds on none is wrong for the class, and
 * tests/relied.txt has a line to change; one that holds on all others tells of this machine */

/* A machine's log, with its facts read. */
struct witness {
    const char *path;
    struct facts facts;
};

/* So many machines must agree before a check is held to be wrong. */
#define AGREE_LEAST 3u

/* Writes a paragraph for each check that did not hold on some of these machines, and returns how many. */
unsigned agreement_write(FILE *out, const struct witness *list, unsigned count);
