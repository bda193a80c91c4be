/*
 * What a person at a machine asks of single registers before the tests: the options read= and write=, as answered in
 * the log and on the screen. Writes go through the write gate as all do; one that is not made ends the run, since the
 * tests would judge another state than the one that was asked for.
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
    u64 value; /* to be written */
};
struct peeks {
    struct peek peek[PEEKS_MOST];
    unsigned count;
};

#define PEEK_ERROR_SIZE 160
/*
 * Takes "NAME|NUMBER,..." or, `values`, "NAME|NUMBER:VALUE,..." apart: SDM names, numbers in decimal or 0x. `option` is
 * what it is called in the error. False with one line in error. Pure.
 */
bool peek_parse(const char *text, const char *option, bool values, struct peeks *peeks, char *error);

/* Takes both options; false with one line in error. */
bool peek_plan(const char *read, const char *write, char *error);
/* Reads, then writes, each on all of these CPUs at once. Returns NULL, or why a write was not made. */
const char *peek_run(const struct cpu_set *cpus);
