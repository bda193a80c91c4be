/* SPDX-License-Identifier: BSD-2-Clause */
/* What WRMSR makes of a register, by its write rule in the profile. */
#include "reference/model/model_state.h"

bool model_rule_apply(const struct write_rule *rule, uint64_t old, uint64_t value, uint64_t *result)
{
    int64_t high = (int64_t)value >> 47;
    if (!rule->exists || (value & rule->faults) || ((value ^ old) & rule->flip_faults))
        return false;
    if (rule->canonical && high != 0 && high != -1)
        return false;
    *result = (value & ~rule->dropped) | (old & rule->dropped);
    *result = (*result & ~rule->clear_only) | (old & value & rule->clear_only);
    return true;
}
