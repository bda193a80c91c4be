/*
 * The table of the model's rules. The list in rules.def gives its type, its good contents and the prototypes. Each
 * instance has its own table, in which stand-ins may replace good rules.
 */
#pragma once

#include "pmu/reference/model/model.h"
#include "pmu/reference/model/pebs.h"

/* The parts of a branch record. */
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

/* Calls a rule: rule(m, pmi_raise)(m). */
#define rule(m, name) ((m)->rules.name)
