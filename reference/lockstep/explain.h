/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the legal variation that would have done what a CPU did, by retelling the same trace to models that vary. A
 * variation that explains a difference is the CPU's choice, and its oracle makes that choice from then on. If no
 * variation does, errata of this very CPU are tried, by the defects that mimic them. Pure.
 */
#pragma once

#include "reference/deviations/deviations.h"
#include "reference/lockstep/follow.h"

#define CHOICES_MOST 2 /* made at the same time */

#define MINDS_MOST 8 /* times that the choices may change: beyond that they are no choices */

/* The choices that a CPU is believed to have made. */
struct choices {
    struct deviating how; /* for the oracle's set-up */
    u32 count;            /* number of choices */
    u32 minds;            /* times that they have changed */
    u32 walks;            /* number of walks that differ without them */
};

/* The published erratum by which such a CPU has this defect; NULL: none. */
const char *mimicked_erratum(const struct follow_cpu *cpu, const struct deviation *defect);
/* The n-th choice: a variation, or a defect that mimics an erratum; NULL: there are no more. */
const struct deviation *choice(const struct choices *choices, u32 n);
/*
 * Like follow_run(), but on a difference searches a variation without it: first in addition to the choices so far, then
 * in place of the last one. The follower makes the new choice from then on. True: no difference is left unexplained.
 * `room` and `room_before` are for another instance of the model.
 */
bool follow_explained(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                      struct choices *choices, struct model *room, struct model *room_before,
                      struct difference *difference);
