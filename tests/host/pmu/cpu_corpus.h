/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The corpus of published CPUID dumps, reference/dumps/cpus.txt: the answers of each kind of core of each known
 * CPU. The head of the file describes its columns. Tests run from the top of the tree.
 */
#pragma once

#include "pmu/cpu/caps.h"

#define CORPUS_ROWS_MOST 256
#define CORPUS_WORD 48
#define CORPUS_SUBLEAVES 6

struct corpus_row {
    u32 signature;
    bool intel;
    bool has_leaf0a;
    struct cpuid_regs leaf0a;
    u32 leaf1a;
    bool pdcm, dtes64, ds, long_mode, hypervisor;
    u32 max_leaf;
    bool perfcap_known, misc_known;
    u64 perfcap, misc;
    char class[CORPUS_WORD];
    bool has_leaf23;
    struct cpuid_regs leaf23[CORPUS_SUBLEAVES];
    char name[CORPUS_WORD];
    char source[128];
};

/* All rows of the file, in its order, and their number; fails the test if a line is malformed. */
unsigned corpus_read(const struct corpus_row **rows);
/*
 * The capabilities that caps_read() reads on that CPU. If a dump lacks IA32_PERF_CAPABILITIES, RDMSR is assumed to
 * fault; if it lacks IA32_MISC_ENABLE, bit 7 is assumed set and bit 12 clear, as on nearly all CPUs. The microcode is
 * newer than any in errata.
 */
struct caps_dump corpus_dump(const struct corpus_row *row);
