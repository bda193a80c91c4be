/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations that show on one counter, in one ring or at some times only. */
#pragma once

#include "reference/deviations/stand_in.h"

/* Makes a deviation active: replaces the rules. */
void put_to_work(struct model *m, const struct deviation *deviation, uint32_t rate, uint64_t parameter,
                 struct deviation_place place);
/* Replaces the functions of an active deviation by ones that call it only at its place. */
void narrow(struct model *m, const struct deviation *deviation);
/* The first active deviation: the one that can be narrowed. */
const struct at_work *narrowed_at_work(const struct model *m);
/* Does the condition hold while which alone the deviation shows? */
bool deviation_holds(const struct model *m, struct deviation_place place);
/* Is this register the one on which alone it shows, or one of these? */
bool deviation_is_of(struct deviation_place place, uint32_t msr);
/* Replaces one rule by a function. */
void stand_in(struct model *m, const struct stand_in *row);
