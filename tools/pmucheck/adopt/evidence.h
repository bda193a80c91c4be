/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The checks that held in a log of real silicon, as a line of tests/evidence/CLASS.txt, one for each machine and run:
 * "machine=NAME counts=yes signature=... held=TEST:LABEL,LABEL;TEST:...". The build makes the image's table from these
 * lines. Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <stdio.h>

/* Is this a virtual machine, by its board and firmware, or by CPUID? True if the log does not say. */
bool evidence_is_virtual(const struct log_record *machine);
/* NULL if the run can be evidence for its class of CPUs; else the reason. `hosted`: the user says that it is hosted. */
const char *evidence_refusal(const struct facts *facts, bool hosted);
/* CPUID.1:EAX without the stepping. */
unsigned long evidence_class(const struct facts *facts);
/* Has one of these lines this machine's name? */
bool evidence_has(const char *lines, const char *name);

/* Counts of the log's tests and checks. */
struct evidence_count {
    unsigned tests, checks; /* evidence now */
    unsigned unknown;       /* checks that no present test has */
    unsigned open;          /* tests that failed, ended in an error or ask for review, for a person to look at */
};
/* Writes the line: the machine, and the checks that held in each test that passed, or failed as an erratum says. */
struct evidence_count evidence_write(FILE *out, const struct facts *facts, const char *name, bool counts);
