/* SPDX-License-Identifier: BSD-2-Clause */
/* Walks as text: one line for an option, and a program for people. Pure. */
#pragma once

#include "reference/lockstep/oracle.h"

/* Room for the longest walk; a line may have no room for the last steps. */
#define WALK_TEXT 900
/*
 * Writes body and handler as walk_parse() reads them: "w38f=7.l1a.r38e/w390=1". False: no room; text ends after a step.
 */
bool walk_text(const struct walk *walk, char *text, size_t size);
/* False: `error` (WALK_ERROR bytes) tells what is wrong and where. */
#define WALK_ERROR 120
bool walk_parse(const char *text, struct walk *walk, char *error);

#define STEP_TEXT 160
/* "WRMSR IA32_PERF_GLOBAL_CTRL 0x7" */
const char *step_text(u32 op, u32 number, u64 value, char *text);
/* "RDMSR IA32_PMC0 gave 0x6 and not 0x5" */
const char *difference_text(const struct difference *difference, char *text);
