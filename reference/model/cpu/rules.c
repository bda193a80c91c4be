/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of a good PMU, and all rules' names. */
#include "reference/model/rules.h"

const struct model_rules good_rules = {
#define RULE(type, name, parameters) .name = good_##name,
#include "reference/model/rules.def"
#undef RULE
};

const char *model_rule_name(unsigned number)
{
    static const char *const names[] = {
#define RULE(type, name, parameters) #name,
#include "reference/model/rules.def"
#undef RULE
    };
    return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}
