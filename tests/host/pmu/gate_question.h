/* SPDX-License-Identifier: BSD-2-Clause */
/* One question to the write gate, as in gate_allows_now(). */
#pragma once

#include "pmu/gate/gate.h"

static inline bool row_allows(const struct pmu_caps *caps, const struct gate_context *context, u32 msr, u64 value,
                              const char **rule)
{
    return gate_allows(register_row_of(caps, msr), caps, context, msr, value, rule);
}
