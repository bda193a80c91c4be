/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch records that a PMI or software freezes. All act on the calling CPU, with IA32_DEBUGCTL[0] set. */
#pragma once

#include "harness/test.h"

/* Skips the test unless there are branch records with a top that freeze by IA32_PERF_GLOBAL_STATUS[58]. */
void need_lbr_freeze(struct test *t);
/* Executes branches. Do the records change? */
bool records_move(const struct test *t);
