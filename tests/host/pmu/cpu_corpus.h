/*
 * The corpus of published CPUID dumps, pmu/reference/dumps/cpus.txt: what each kind of core of each known CPU answers.
 * The text's own head says what its columns are. Tests run from the top of the tree.
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

/* All rows of the text, in its order, and how many; fails the test if a line is not as the head says. */
unsigned corpus_read(const struct corpus_row **rows);
/*
 * What caps_read() gathers on that CPU. Where a dump does not have IA32_PERF_CAPABILITIES it is as if RDMSR faulted;
 * where it does not have IA32_MISC_ENABLE, bit 7 of it is taken to be set and bit 12 clear, as nearly all CPUs have it.
 * The microcode is newer than any that an erratum names.
 */
struct caps_dump corpus_dump(const struct corpus_row *row);
