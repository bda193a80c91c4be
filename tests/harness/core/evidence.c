/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which checks a log has shown to pass on which class of CPUs: EVIDENCE(class, log, test, labels), which the build
 * generates from tests/evidence/. Labels are separated by commas.
 */
#include "harness/core/judge.h"

#define EVIDENCE(class, log, test, labels) {class, EVIDENCE_CLASS, test, labels, log},
const struct evidence evidence_rows[] = {
#include "evidence.def"
    {0}, /* so that the table is not empty */
};
#undef EVIDENCE
const unsigned evidence_count = ARRAY_SIZE(evidence_rows) - 1;
