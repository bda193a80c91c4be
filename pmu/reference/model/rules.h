/*
 * The table of the model's rules. One list, rules.def, makes its type, its good content and the prototypes. Every
 * instance has a table of its own, in which something else may stand in for a good rule.
 */
#pragma once

#include "pmu/reference/model/model.h"
#include "pmu/reference/model/pebs.h"

/* What a branch record has. */
enum lbr_part { LBR_PART_FROM, LBR_PART_TO, LBR_PART_INFO };

struct model_rules {
#define RULE(type, name, parameters) type(*name) parameters;
#include "pmu/reference/model/rules.def"
#undef RULE
};

#define RULE(type, name, parameters) type good_##name parameters;
#include "pmu/reference/model/rules.def"
#undef RULE

extern const struct model_rules good_rules;

/* Asks for a rule: rule(m, pmi_raise)(m). */
#define rule(m, name) ((m)->rules.name)
