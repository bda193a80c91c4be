/* What a test is: a declaration, and what the harness keeps of it while it runs. How one is written: harness/test.h. */
#pragma once

#include "harness/core/cell.h"

enum outcome { OUTCOME_NONE, OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_KNOWN, OUTCOME_REVIEW, OUTCOME_FAIL, OUTCOME_ERROR };

enum scope {
    ONCE,             /* on the boot CPU */
    EACH_CPU,         /* on every CPU, in parallel */
    EACH_CORE,        /* on one thread of each core, in parallel */
    EACH_CPU_IN_TURN, /* one after another, the others asleep */
    ALL_TOGETHER,     /* every CPU in one scenario, with barriers */
};

/* Preconditions as data: the harness skips with the value that it read. */
struct needs {
    u8 version;      /* at least this architectural version */
    bool no_pmu;     /* asks why there is none: runs on any CPU of GenuineIntel */
    bool no_counter; /* asks only what is enumerated: runs even where there is no GP counter */
    bool full_width; /* IA32_A_PMCx */
    bool fixed;      /* at least one fixed counter */
    bool apic;       /* a local APIC */
    u32 cpus;        /* at least this many CPUs */
    u32 event;       /* architectural event index + 1 that must be available; 0: none */
    bool pebs;       /* event-based sampling by debug store */
    bool sampling;   /* event-based sampling, by debug store or by architectural PEBS */
    bool apebs;      /* event-based sampling by architectural PEBS */
    u8 pebs_format;  /* of debug store with at least this record format */
    bool adaptive;   /* of debug store with records whose groups can be chosen */
    bool netburst;   /* NetBurst's sampling: with no_pmu, as there is no leaf 0AH */
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
     * The test is `run`, once, or `repeat`: made again and again as by repeat_clean(), while it returns true. `prepare`
     * runs once before the repeats: it skips, or sets up what they leave as it is.
     */
    void (*run)(struct test *t);
    void (*prepare)(struct test *t);
    bool (*repeat)(struct test *t);
    unsigned cells;       /* enum cell_axis: along which axes the repeats go */
    const char *unproven; /* reason why the reference PMU cannot prove this test; NULL normally */
    bool measures;        /* emits measurements; still must check something */
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
    u32 position, cpus; /* which of how many take part */
    u32 turn;           /* which repeat this is, 0 first: what is asked of one thing after another goes by it */
    u32 cells;          /* how many the repeats go through; 0: the test declares none */
    struct cell cell;   /* where this repeat is made: all zeros without cells */
    struct results *results;
};
