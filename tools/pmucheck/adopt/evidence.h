/*
 * What a log of real silicon shows passing, as a line of tests/evidence/CLASS.txt: a machine and run each,
 * "machine=NAME counts=yes signature=... held=TEST:LABEL,LABEL;TEST:...". The build makes the image's table of them.
 * Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <stdio.h>

/* Is this a virtual machine, by its board and firmware, or by what CPUID tells? Of none that is told: yes. */
bool evidence_is_virtual(const struct log_record *machine);
/* NULL if the run can be evidence for its class of CPUs; else why not. Hosted: it is told to be a hosted machine's. */
const char *evidence_refusal(const struct facts *facts, bool hosted);
/* CPUID.1:EAX without the stepping. */
unsigned long evidence_class(const struct facts *facts);
/* Has one of these lines this name? */
bool evidence_has(const char *lines, const char *name);

/* What became of the log's tests. */
struct evidence_count {
    unsigned tests, checks; /* that are evidence now */
    unsigned unknown;       /* checks that no test of today has */
    unsigned open;          /* tests that failed, ended in an error or ask for review: a person has to look */
};
/* Writes the line: who, and what held in each test that passed, or failed as an erratum says. */
struct evidence_count evidence_write(FILE *out, const struct facts *facts, const char *name, bool counts);
