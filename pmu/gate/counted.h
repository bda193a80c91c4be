/* The writes that counted blocks (pmu/workload) make themselves, and how they ask the write gate for them. */
#pragma once

#include "boot/bits.h"

/* What starts and stops a set of counters with one WRMSR each. */
struct switch_write {
    u32 msr, reserved;
    u64 on, off;
};
/*
 * Each block begins with a call of this, which asks for both writes and records them, each time that it is run. One
 * that is refused ends the test as by wrmsr(), no matter who made the struct and by which name the block is called.
 */
void counted_ask(const struct switch_write *sw);
/* As counted_ask(), for the third write of a block that also writes 0 to register `msr`; 0: it makes none. */
void counted_ask_clear(u32 msr);
