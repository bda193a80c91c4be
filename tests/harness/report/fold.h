/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results of many CPUs folded into what is printed once: equal failures, reasons and measurements of equal CPUs become
 * one line with `cpus=0-3`. Pure.
 */
#pragma once

#include "harness/core/judge.h"
#include "kernel/cpu/cpus.h"

#define FOLDED_FAILURES 64
#define FOLDED_REASONS 16
#define FOLDED_MEASURES 16
#define FOLDED_NOTES 64
#define FOLDED_LABELS 32

/* Writes a set as "0-3,5" into text (size bytes; ends in "..." if it does not fit) and returns it. */
const char *cpu_set_text(const struct cpu_set *set, char *text, size_t size);
#define CPU_SET_TEXT 64

struct folded_failure {
    struct check check; /* held and failed summed up */
    struct cpu_set cpus;
};

struct folded_reason {
    enum outcome outcome;
    enum reason code;
    char reason[REASON_SIZE];
    struct cpu_set cpus;
};

struct folded_measure {
    const char *name, *unit;
    u32 group; /* which kind of core */
    struct histogram histogram;
    struct cpu_set cpus;
};

struct folded_note {
    struct note note;
    struct cpu_set cpus;
};

/* What was asked under a label, on which kinds of core, and whether it held each time. */
struct folded_label {
    const char *label;
    u32 groups; /* one bit each */
    bool failed;
};

struct folded {
    enum outcome outcome;
    enum reason code;
    char reason[REASON_SIZE];
    struct folded_failure failure[FOLDED_FAILURES];
    unsigned failures, failures_dropped;
    struct folded_reason part[FOLDED_REASONS]; /* skips and errors of single CPUs */
    unsigned parts;
    struct folded_measure measure[FOLDED_MEASURES];
    unsigned measures;
    struct folded_note note[FOLDED_NOTES];
    unsigned notes, notes_dropped;
    struct folded_label label[FOLDED_LABELS];
    unsigned labels;        /* those that find no room are not kept */
    u32 groups;             /* that checked anything */
    u32 repeats, discarded; /* least repeats, and most discarded blocks, of a CPU */
    u32 cpus;               /* folded so far */
    u32 skipped;            /* of them */
};

void fold_clear(struct folded *folded);
/* Adds the judged results of one CPU; CPUs of the same `group` have their measurements joined. */
void fold_add(struct folded *folded, const struct results *results, u32 cpu, u32 group);
/* A CPU that has no results to show: it did not come back. */
void fold_lost(struct folded *folded, u32 cpu, enum reason code, const char *reason);
/* What it found on all CPUs is not to be relied on: it is at least up for review. */
void fold_doubt(struct folded *folded, const char *reason);
/* No CPU has run it. */
void fold_skipped(struct folded *folded, const char *reason);
/* Adds a failed check of one CPU that has its outcome; the result's outcome stays. */
void fold_failure(struct folded *folded, const struct check *check, u32 cpu);
/*
 * Failures that differ in nothing but their bit of a register are printed as one, as a dead counter fails in each. Is
 * the i-th one printed with an earlier one? If not, *others gets the bits of those that are printed with it.
 */
bool fold_with_earlier(const struct folded *folded, unsigned i, u64 *others);
/* Did everything that was asked under this label hold, on every kind of core that checked anything? */
bool fold_held(const struct folded *folded, const struct folded_label *label);
