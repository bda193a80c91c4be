/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Access to single registers before the tests, for a person at the machine: the options read= and write=, with their
 * answers in the log and on the screen. Writes go through the write gate like all others; a write that is not made ends
 * the run, because the tests would judge a state other than the one that was asked for.
 *
 *   # read reg=IA32_PERF_CAPABILITIES cpus=0-3 value=0x33c5
 *   # read reg=MSR_600H cpus=0-3 fault=#GP[0000]
 *   # write reg=IA32_FIXED_CTR0 cpus=0-3 before=0x0 value=0x5 after=0x5
 *   # write reg=IA32_EFER cpus=0-3 before=0xd01 value=0x0 refused="..."
 */
#pragma once

#include "kernel/cpu/cpus.h"

#define PEEKS_MOST 32

struct peek {
    u32 msr;
    u64 value; /* to write */
};
struct peeks {
    struct peek peek[PEEKS_MOST];
    unsigned count;
};

#define PEEK_ERROR_SIZE 160
/*
 * Parses "NAME|NUMBER,..." or, with `values`, "NAME|NUMBER:VALUE,...": SDM names, numbers in decimal or 0x. `option` is
 * the option's name, for the error. False with one line in error. Pure.
 */
bool peek_parse(const char *text, const char *option, bool values, struct peeks *peeks, char *error);
