/* SPDX-License-Identifier: BSD-2-Clause */
/* What a test is: a declaration, and the harness's data while it runs. harness/test.h says how to write one. */
#pragma once

#include "harness/core/around.h"
#include "harness/core/cell.h"

enum outcome { OUTCOME_NONE, OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_KNOWN, OUTCOME_REVIEW, OUTCOME_FAIL, OUTCOME_ERROR };

enum scope {
    ONCE,             /* on the boot CPU */
    EACH_CPU,         /* on every CPU, in parallel */
    EACH_CORE,        /* on one thread of each core, in parallel */
    EACH_CPU_IN_TURN, /* one after another, the others asleep */
    ALL_TOGETHER,     /* every CPU in one common scenario, with barriers */
};

/* Preconditions as data: the harness skips the test and reports the value that it read. */
struct needs {
    u8 version;      /* at least this architectural version */
    bool no_pmu;     /* asks why there is no PMU: runs on any CPU of GenuineIntel */
    bool no_counter; /* asks only about enumeration: runs even without a GP counter */
    bool full_width; /* IA32_A_PMCx */
    bool fixed;      /* at least one fixed counter */
    bool apic;       /* a local APIC */
    u32 cpus;        /* at least this many CPUs */
    u32 event;       /* architectural event index + 1 that must be available; 0: none */
    bool pebs;       /* event-based sampling by debug store */
    bool sampling;   /* event-based sampling, by debug store or by architectural PEBS */
    bool apebs;      /* event-based sampling by architectural PEBS */
    u8 pebs_format;  /* debug store with at least this record format */
    bool adaptive;   /* debug store with records whose groups can be selected */
    bool probe;      /* the option errata=probe, or the reference PMU: provokes a published erratum */
    bool precise;    /* a counter with the precise distribution */
    bool trace;      /* processor trace into a table, which no other software uses */
    bool netburst;   /* NetBurst's sampling: with no_pmu, as there is no leaf 0AH */

    u8 counters;       /* at least so many, GP and fixed together */
    bool capabilities; /* IA32_PERF_CAPABILITIES was read: its bits are else unknown, not 0 */
    bool smm_freeze;   /* IA32_DEBUGCTL's freeze in SMM */
    bool metrics;      /* PERF_METRICS, and the fixed counter that it divides */
    bool transactions; /* RTM, with microcode that does not let each transaction abort */
    bool bits_clear;   /* no erratum lets the status bit of a counter that is stopped as it overflows stay set */
    u8 told;           /* enum erratum_fact_id + 1: documents say whether this CPU has that erratum; 0: none */
};
#define NEEDS_VERSION(v) \
    {                    \
        .version = (v)   \
    }

struct test;
struct test_declaration {
    const char *id, *title, *spec, *covers;
    struct needs needs;
    enum scope scope;
    /*
     * A test has either `run`, called once, or `repeat`, called again and again as by repeat_clean() while it returns
     * true. `prepare` runs once before the repeats: it skips the test, or sets up what the repeats do not change.
     */
    void (*run)(struct test *t);
    void (*prepare)(struct test *t);
    bool (*repeat)(struct test *t);
    unsigned cells;       /* bits of enum cell_axis: the axes that the repeats go through */
    const char *unproven; /* why the reference PMU cannot prove this test; normally NULL */
    bool measures;        /* emits measurements; still must check something */
    bool asks_smis;       /* SMIs are what it is about: they do not disturb it */
    /*
     * What the promise does not depend on: ASIDE() of enum around_part, besides what is around each test that uses
     * counters. `alone` says why nothing at all may be around it.
     */
    unsigned aside;
    const char *alone;
};

#define TEST(name, ...)                                                                                 \
    static const struct test_declaration test_declaration_ = {.id = name, __VA_ARGS__};                 \
    static const struct test_declaration *const test_pointer_ __attribute__((section("tests"), used)) = \
        &test_declaration_

/* The running test on one CPU. Each CPU of an EACH_CPU test has its own. */
struct test {
    const struct test_declaration *declaration;
    const struct pmu_caps *caps;
    u32 cpu;            /* its number */
    u32 position, cpus; /* its position among the CPUs that take part, and their number */
    u32 round;          /* of a soak, from 0: a test may count on where it ended before; 0 in other runs */
    u32 turns;          /* how many repeats take each subject of the body once; 0: it has not said */
    u32 turn;           /* number of this repeat, from 0: tests use it to take one subject after another */
    u32 cells;          /* how many cells the repeats go through; 0: the test declares none */
    struct cell cell;   /* the place of this repeat: all zeros without cells */
    struct results *results;
    /*
     * What is around; NULL in the first run. Counters of `neighbours` have drawn controls, those of `as_written` the
     * ones that the test writes; the free fields of all others are drawn. Bits as in IA32_PERF_GLOBAL_CTRL.
     */
    const struct surroundings *around;
    u64 as_written, neighbours;
};
