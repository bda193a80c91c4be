/* A deviation that shows at one counter, in one ring only. */
#pragma once

#include "pmu/reference/deviations/stand_in.h"

/* Puts a deviation in place of the rules that it stands in for. */
void put_to_work(struct model *m, const struct deviation *deviation, uint32_t rate, uint64_t parameter,
                 struct deviation_place place);
/* Puts functions in place of those of the deviation, which has been put to work, that ask it only at its place. */
void narrow(struct model *m, const struct deviation *deviation);
/* The first deviation at work: the one that can be narrowed. */
const struct at_work *narrowed_at_work(const struct model *m);
/* Puts one function in place of a rule. */
void stand_in(struct model *m, const struct stand_in *row);
