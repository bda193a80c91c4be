/* What a log tells of a CPU and of a failed check, in the terms of the image's judge. */
#pragma once

#include "harness/core/results.h"
#include "pmu/cpu/caps.h"
#include "tools/pmucheck/log/facts.h"

/* The capabilities of a kind of core, decoded from the dump of its CPUID leaves and what else the log tells of it. */
struct pmu_caps recorded_caps(const struct facts_core *core);
/*
 * The check of a "# fail" line as the image had it, not yet judged. False if the line lacks something that every such
 * line has. *asked: the line tells what promise was asked for; without it no erratum can be found. Of what all repeats
 * together show, its `failing` has what the line tells.
 */
bool recorded_check(const struct log_record *record, struct check *check, bool *asked);
