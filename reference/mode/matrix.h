/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a proof's log that a program on the build machine turns into matrices (reference/proof/matrix.c).
 * Pure. */
#pragma once

#include "harness/core/judge.h"
#include "harness/run/select.h"
#include "reference/mode/proof.h"

#define MATRIX_LINE 600

/*
 * "# matrix defect=NAME test=ID labels=a,b outcome=fail": the next test that noticed the defect in the current run.
 * Labels are never cut: those that do not fit go into another line. NULL at the end.
 */
const char *matrix_caught(char *line, struct proof *proof, const char *defect);
/*
 * "# label test=ID label=NAME keys=IA32_PMC0+,IA32_PMC1-,IA32_PERF_GLOBAL_STATUS.32~": the registers that a label
 * checked (`none`: no register), and what made it fail: + a defect that is meant for its test, ~ only others, - none.
 * Keys are left out if the label checked them only under a deviation and no defect that is meant for its test made them
 * fail. Writes as many keys as fit, from *row and *key on, both 0 at first. NULL at the end.
 */
const char *matrix_keys(char *line, const struct proof *proof, unsigned *row, u16 *key);
/* "# vector tests=a,b": the tests in the order of the vectors, from *at on, as many as fit. NULL at the end. */
const char *matrix_tests(char *line, const struct selection *selection, unsigned *at);
/*
 * "# vector variation=NAME results=ppsk": a letter per test. p pass, m pass of a test that measures, s skip, k known, r
 * review, f fail, e error.
 */
const char *matrix_results(char *line, const struct selection *selection, const u8 *outcomes, const char *variation);
