/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters by their aliases, the registers from 1900H on. */
#pragma once

#include "harness/test.h"

/* Skips the test if this CPU has no aliases: SDM 4, "Architectural MSRs". */
void need_aliases(struct test *t);
/* Stores the counters that have an alias, at most COUNTERS_MAX, and returns their number. */
unsigned alias_counters(const struct test *t, struct counter list[COUNTERS_MAX]);
/* IA32_PMC_GPn_CTR or IA32_PMC_FXm_CTR of the counter; CFG_B and CFG_C in the same way. */
u32 msr_ctr(struct counter counter);
u32 msr_cfg_b(struct counter counter);
u32 msr_cfg_c(struct counter counter);
