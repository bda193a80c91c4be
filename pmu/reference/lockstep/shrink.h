/* A walk that differs, made small: steps are left out as long as the same difference comes. Pure. */
#pragma once

#include "pmu/reference/lockstep/oracle.h"

/* Makes the walk, and says what is different. */
typedef void (*walk_maker)(void *context, const struct walk *walk, struct difference *difference);

#define SHRINK_RUNS 400

/* Two differences of one kind, at the same register. */
bool same_difference(const struct difference *a, const struct difference *b);
/* *walk becomes small, *difference what it shows. Returns how many walks were made. */
u32 walk_shrink(struct walk *walk, struct difference *difference, walk_maker make, void *context);
