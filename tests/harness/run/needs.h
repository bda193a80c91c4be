/* The preconditions of a test, held against what a CPU has. Pure. */
#pragma once

#include "harness/test.h"

#define NEEDS_TEXT 96

struct environment {
    const char *vendor; /* CPUID leaf 0 */
    bool apic;          /* a local APIC */
    u32 cpus;           /* that the run may use */
};

/* NULL if the test can run on this CPU; else why not, with the value read, in text (NEEDS_TEXT bytes). */
const char *needs_unmet(const struct needs *needs, const struct pmu_caps *caps, const struct environment *environment,
                        char *text);
