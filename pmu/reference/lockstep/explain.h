/*
 * Which of the legal variations would have done what a CPU did: by retelling the same trace to a model that varies. A
 * variation that explains what nothing else does is the CPU's choice, which its oracle makes from then on. Where none
 * does, the errata of this very CPU are asked, by the defects that mimic them. Pure.
 */
#pragma once

#include "pmu/reference/deviations/deviations.h"
#include "pmu/reference/lockstep/follow.h"

#define CHOICES_MOST 2 /* that can be made together */

#define MINDS_MOST 4 /* so often what is believed may change: what needs more is no choice */

/* What a CPU is believed to have chosen. */
struct choices {
    struct deviating how; /* of the oracle's set-up */
    u32 count;            /* of choices */
    u32 minds;            /* so often it was found to be something else */
    u32 walks;            /* that differ without them */
};

/* By which published erratum such a CPU has this defect; NULL: by none. */
const char *mimicked_erratum(const struct follow_cpu *cpu, const struct deviation *defect);
/* Of the n-th choice, the deviation: a variation, or a defect that mimics an erratum; NULL: there are no more. */
const struct deviation *choice(const struct choices *choices, u32 n);
/*
 * follow_run(), and where there is a difference, the variation that has none: besides those chosen already, and then
 * instead of the last of them. The follower makes that choice from then on; choices stay where they are. True: nothing
 * is left to be explained. `room` and `room_before` are those of an instance.
 */
bool follow_explained(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                      struct choices *choices, struct model *room, struct model *room_before,
                      struct difference *difference);
