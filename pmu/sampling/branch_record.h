/* SPDX-License-Identifier: BSD-2-Clause */
/* One branch record: reading and writing it. */
#pragma once

#include "pmu/cpu/lbr.h"

struct branch_record {
    u64 from, to, info; /* as read; info is 0 if there is no such MSR */
};
/* Reads record `age`; 0 is the newest. Only if lbr_stack(). */
struct branch_record lbr_record(const struct lbr_stack *stack, u32 age);
/* Writes the record, without info if there is no such MSR. */
void lbr_put(const struct lbr_stack *stack, u32 age, const struct branch_record *record);
