/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of the model's rules. The list in rules.def gives its type, its good contents and the prototypes. Each
 * instance has its own table, in which stand-ins may replace good rules.
 */
#pragma once

#include "reference/model/model.h"
#include "reference/model/pebs.h"
#include <stddef.h>

/* The parts of a branch record. */
enum lbr_part { LBR_PART_FROM, LBR_PART_TO, LBR_PART_INFO };

struct model_rules {
#define RULE(type, name, parameters) type(*name) parameters;
#include "reference/model/rules.def"
#undef RULE
};

#define RULE(type, name, parameters) type good_##name parameters;
#include "reference/model/rules.def"
#undef RULE

extern const struct model_rules good_rules;

/* A rule's number is its place in the table. */
#define RULE_NUMBER(name) (offsetof(struct model_rules, name) / sizeof(void (*)(void)))
_Static_assert(sizeof(struct model_rules) <= MODEL_RULES_MOST * sizeof(void (*)(void)), "a rule's number is too big");

/* Calls a rule: rule(m, pmi_raise)(m). Notes the call if the driver asked for that. */
#define rule(m, name) (rule_reached((m), (m)->reached, RULE_NUMBER(name))->rules.name)
static inline struct model *rule_reached(struct model *m, struct model_reached *reached, size_t number)
{
    if (reached)
        reached->in[number] |= reached->now;
    return m;
}
