/*
 * Which checks a log has shown passing on which class of CPUs: EVIDENCE(class, log, test, labels), which the build
 * makes of tests/evidence/. Labels stand between commas.
 */
#include "harness/core/judge.h"

#define EVIDENCE(class, log, test, labels) {class, EVIDENCE_CLASS, test, labels, log},
const struct evidence evidence_rows[] = {
#include "evidence.def"
    {0}, /* while there is no row */
};
#undef EVIDENCE
const unsigned evidence_count = ARRAY_SIZE(evidence_rows) - 1;
