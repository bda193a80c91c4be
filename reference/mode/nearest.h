/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A reference PMU like the machine's own, from what its CPU states: the profile or the dump of its signature; otherwise
 * the profile that is most like it, with the CPU's own identity, counters and leaves. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"
#include "reference/dumps/dumps.h"

struct nearest {
    const struct profile *profile; /* in room, or built in */
    const char *like;              /* name of the profile or dump */
    const char *base;              /* of the profile behind it */
    bool own;                      /* it is the CPU's own */
    struct profile room[DUMPED_CORES_MOST];
};

/* `caps`: of the boot CPU's own PMU; `leaf` asks its CPUID. False: no profile is like it, as it has no such PMU. */
bool nearest_find(const struct pmu_caps *caps, caps_leaf *leaf, void *context, struct nearest *nearest);
