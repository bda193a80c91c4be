/*
 * What a check asks, as a promise of the hardware and not as a part of a test: errata refer to aspects (errata_pure.c),
 * so that all checks that ask the same are excused alike. One bit each, as a check may rest on two promises.
 *
 * A check has the aspect that about() names in its call; otherwise that of its helper: check_slope() and check_count()
 * ask for exact counts of instructions, check_reads_back() for the value of a counter, check_moving() for the end of a
 * freeze, and comparisons in IA32_PERF_GLOBAL_STATUS or IA32_PERF_GLOBAL_INUSE for those bits.
 */
#pragma once

#include "boot/bits.h"

enum aspect {
    /* Counting. */
    ASPECT_INSTRUCTIONS = 1 << 0, /* retired instructions are counted exactly */
    ASPECT_LONG_COUNT = 1 << 23,  /* also if there are over a thousand of them */
    ASPECT_BRANCHES = 1 << 1,     /* retired branches are counted exactly */
    ASPECT_OWN_EVENTS = 1 << 22,  /* a thread's memory operations are counted by its own counters, each once */
    ASPECT_ALL_AT_ONCE = 1 << 30, /* each of a guest's counters counts while all of them are on */
    ASPECT_USR_ALONE = 1 << 2,    /* with USR set and OS clear, what happens at CPL 3 is counted */
    /* Registers. */
    ASPECT_COUNTER_VALUE = 1 << 3, /* a counter holds the value that was written to it */
    ASPECT_EVENT_SELECT = 1 << 4,  /* an event select reads as written */
    ASPECT_IN_USE = 1 << 5,        /* IA32_PERF_GLOBAL_INUSE shows what is programmed, and nothing else */
    ASPECT_CONTROL_SEEN = 1 << 6,  /* the use of a counter shows in its control, whichever event it counts */
    ASPECT_ANSWERS = 1 << 28,      /* a register that CPUID implies takes an access that the manual allows */
    /* Overflows. */
    ASPECT_STATUS_BIT = 1 << 7,     /* an overflow bit is set only by its overflow, and clears when it is cleared */
    ASPECT_FIXED_OVERFLOW = 1 << 8, /* each fixed counter that wraps as counters freeze gets its bit set */
    ASPECT_PMI_MASKS = 1 << 27,     /* delivering a PMI masks LVTPC */
    ASPECT_MASKED_VECTOR = 1 << 10, /* a vector that was written to LVTPC masked is never delivered */
    /* Freezing. */
    ASPECT_FREEZE = 1 << 11,        /* counters and IA32_PERF_GLOBAL_STATUS enter and leave the freeze */
    ASPECT_STAYS_FROZEN = 1 << 12,  /* no counter moves while CTR_FRZ is set */
    ASPECT_FREEZE_ENABLE = 1 << 13, /* IA32_DEBUGCTL[12] keeps the written value */
    /* Sampling. */
    ASPECT_SAMPLED_LEVEL = 1 << 14,    /* records are of events at the selected privilege levels only */
    ASPECT_SAMPLED_STATUS = 1 << 15,   /* the overflow of a sampling counter leaves no bit in IA32_PERF_GLOBAL_STATUS */
    ASPECT_BUFFER_BIT = 1 << 16,       /* bit 62 of IA32_PERF_GLOBAL_STATUS is set at the threshold */
    ASPECT_THRESHOLD_PMI = 1 << 17,    /* the record that reaches the threshold raises the PMI */
    ASPECT_FULL_BUFFER = 1 << 18,      /* a full buffer drops records silently */
    ASPECT_DISABLED_RECORDS = 1 << 19, /* nothing is recorded once sampling is off */
    ASPECT_EACH_RECORD = 1 << 20,      /* each overflow is recorded once, also if sampling is set up in a row */
    ASPECT_ODD_PERIOD = 1 << 21,       /* each overflow is recorded once, also if the period is no multiple of 64 */
    ASPECT_LATENCY = 1 << 29,          /* loads are sampled by latency as long as this is selected */
    /* Tracing. */
    ASPECT_TRACE_WHOLE = 1 << 24,  /* a trace continues to the last byte of its last region */
    ASPECT_TRACE_FREEZE = 1 << 25, /* the PMI of a full region freezes like any other */
    ASPECT_TRACE_SET = 1 << 26,    /* bit 55 of IA32_PERF_GLOBAL_STATUS can be set by software */
};
/* Their names in the log, which are permanent: "status-bit,freeze"; "nothing" if there is none. */
#define ASPECT_TEXT 600
const char *aspect_text(u32 aspects, char *text);
/* Reads such names; false if one of them is unknown, and *aspects then has the others. */
bool aspect_parse(const char *text, u32 *aspects);
