/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact counts by slopes, filters by ring, and the fastest of many runs. */
#include "harness/test.h"

#define SHORT_K 2
#define LONG_K 10
#define FILTER_SHORT_K 1
#define FILTER_LONG_K 5
#define WIDEST 16
#define SLOWEST 64

static void counted(struct test *t, const char *label, const struct workload *w, const struct counter *list, unsigned n,
                    u64 each, enum aspect aspect)
{
    struct slope slope[COUNTERS_MAX];
    count_slope(t, w, list, n, SHORT_K, LONG_K, t->cell.user, slope);
    for (unsigned i = 0; i < n; i++)
        check_slope(about(t, aspect), label, &list[i], &slope[i], each * (LONG_K - SHORT_K));
}

void check_counted(struct test *t, const char *label, const struct workload *w, const struct counter *list, unsigned n,
                   u64 each)
{
    counted(t, label, w, list, n, each, ASPECT_INSTRUCTIONS);
}

void select_event(struct test *t, const struct counter *list, unsigned n, u64 select)
{
    for (unsigned i = 0; i < n; i++) {
        write_msr(t, MSR_PERFEVTSEL(list[i].index), 0);
        counter_write(list[i], 0);
        write_msr(t, MSR_PERFEVTSEL(list[i].index), select | EVTSEL_EN);
    }
}

const struct conditional_block conditional_blocks[2] = {{"plain", 1}, {"branches", 3}};

static void exact_here(struct test *t, const char *block, const struct counter *list, unsigned n, u16 event)
{
    const struct workload *w = workload(block);
    setup_counters(list, n, event, ring_flags(t));
    if (event == ARCH_EVENT_BRANCHES)
        counted(t, block, w, list, n, w->branches_per_k, ASPECT_BRANCHES);
    else
        counted(t, block, w, list, n, w->instructions_per_k, ASPECT_INSTRUCTIONS);
}

void check_exact(struct test *t, const char *block, const struct counter *list, unsigned n, u16 event)
{
    if (!t->declaration->cells)
        exact_here(t, block, list, n, event);
    for_each_cell (t)
        exact_here(t, block, list, n, event);
}

void check_filter(struct test *t, const struct filter *filter, const struct counter *list, unsigned n)
{
    const struct workload *w = &workloads[0];
    struct slope slope[COUNTERS_MAX];
    u64 all = w->instructions_per_k * (FILTER_LONG_K - FILTER_SHORT_K);
    setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, filter->flags);
    count_slope(t, w, list, n, FILTER_SHORT_K, FILTER_LONG_K, filter->user, slope);
    for (unsigned i = 0; i < n; i++)
        if (counts_exactly(list[i]) || (!filter->counts && !filter->user))
            check_slope(about(t, filter->aspects), filter->label, &list[i], &slope[i], filter->counts ? all : 0);
}

void check_filters(struct test *t, const struct counter *list, unsigned n)
{
    static const struct filter filters[] = {
        {"usr-at-cpl-0", COUNT_USR, false, false, 0},
        {"os-at-cpl-3", COUNT_OS, true, false, ASPECT_INSTRUCTIONS},
        {"usr-at-cpl-3", COUNT_USR, true, true, ASPECT_INSTRUCTIONS | ASPECT_USR_ALONE},
        {"both-at-cpl-3", COUNT_OS | COUNT_USR, true, true, 0},
        {"neither", 0, true, false, 0},
    };
    for_each_row (filters, filter)
        check_filter(t, filter, list, n);
}

void fastest_add(struct fastest *fastest, u64 k, u64 cycles)
{
    u64 *quickest = k == CYCLES_LONG_K ? &fastest->longer : &fastest->shorter;
    if (!*quickest || cycles < *quickest)
        *quickest = cycles;
}

void check_cycles(struct test *t, const struct fastest *fastest, u32 msr)
{
    u64 instructions = workloads[0].instructions_per_k * (CYCLES_LONG_K - CYCLES_SHORT_K);
    if (throttled(t))
        skip_for(t, REASON_NOISE_HEAT,
                 "IA32_THERM_STATUS: the thermal monitor slowed the clock, cycles are only measured");
    u64 difference = fastest->longer > fastest->shorter ? fastest->longer - fastest->shorter : 0;
    check_range(t, "implausible", difference, instructions / WIDEST, instructions * SLOWEST, msr);
}
