/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the preconditions of a test with a CPU. Pure. */
#pragma once

#include "harness/test.h"

#define NEEDS_TEXT 120

struct environment {
    const char *vendor; /* CPUID leaf 0 */
    bool apic;          /* a local APIC */
    u32 cpus;           /* CPUs that the run may use */
    bool probing;       /* published errata are provoked */
};

/* Why a test cannot run: in words with the value read, and as a code. */
struct unmet {
    enum reason code;
    char text[NEEDS_TEXT];
};
/* False if the test can run on this CPU; otherwise true, and *unmet is the first need that is not met. */
bool needs_unmet(const struct needs *needs, const struct pmu_caps *caps, const struct environment *environment,
                 struct unmet *unmet);
