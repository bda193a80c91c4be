/* SPDX-License-Identifier: BSD-2-Clause */
/* A counted block for NetBurst's execution tagging (pmu/workload/execution.asm). CPL 0. */
#pragma once

#include "pmu/workload/workload.h"

/* Starts the counters, runs the loop `rounds` times (at least once), stops them. */
void execution_run(const struct switch_write *sw, u64 rounds);
extern const u8 execution_start[], execution_end[]; /* the code while the counters are on */
