/* SPDX-License-Identifier: BSD-2-Clause */
/* The writes that counted blocks (pmu/workload) make themselves, and how they ask the write gate about them. */
#pragma once

#include "boot/bits.h"

/* A set of counters, started and stopped with one WRMSR each. */
struct switch_write {
    u32 msr, reserved;
    u64 on, off;
};
/*
 * Every counted block begins with a call of this; it asks about both writes and records them, each time the block runs.
 * A refused write ends the test as in wrmsr(), for every struct and every block.
 */
void counted_ask(const struct switch_write *sw);
/* Like counted_ask(), for the third write of a block that makes one after the start; msr 0: there is no such write. */
void counted_ask_then(u32 msr, u64 value);
