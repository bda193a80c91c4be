/* The rules of a good PMU. */
#include "pmu/reference/model/rules.h"

const struct model_rules good_rules = {
#define RULE(type, name, parameters) .name = good_##name,
#include "pmu/reference/model/rules.def"
#undef RULE
};
