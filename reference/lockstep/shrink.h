/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a walk with a difference shorter, and its values simple: leaves out steps and clears bits as long as the same
 * difference comes. Pure.
 */
#pragma once

#include "reference/lockstep/oracle.h"

/* Makes the walk and returns its difference. */
typedef void (*walk_maker)(void *context, const struct walk *walk, struct difference *difference);

#define SHRINK_RUNS 400

/* Are they of one kind, at the same register? */
bool same_difference(const struct difference *a, const struct difference *b);
/* Shrinks *walk; *difference becomes that of the shorter walk. Returns how many walks were made. */
u32 walk_shrink(struct walk *walk, struct difference *difference, walk_maker make, void *context);
