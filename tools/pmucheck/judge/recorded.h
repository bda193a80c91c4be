/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a CPU and a failed check from a log, in the types of the image's judge. */
#pragma once

#include "harness/core/results.h"
#include "pmu/cpu/caps.h"
#include "tools/pmucheck/log/facts.h"

/* The capabilities of a kind of core, decoded from the log's dump of its CPUID leaves and its other lines. */
struct pmu_caps recorded_caps(const struct facts_core *core);
/*
 * The check of a "# fail" line as the image saw it, before judging. Returns false if the line lacks a mandatory field.
 * *asked: the line has the promise (asks=); without it no erratum can be found. `failing` has the line's summary of all
 * repeats.
 */
bool recorded_check(const struct log_record *record, struct check *check, bool *asked);
