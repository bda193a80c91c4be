/* SPDX-License-Identifier: BSD-2-Clause */
/* Variations of the PEBS engine by their effects: arming, reload, threshold, bounds, strays. */
#include "reference/test/model/pebs_rig.h"

/* ---- Measurements of PEBS on a bench, as numbers: each distinguishes one kind of deviation from good hardware. */

/* Does a PMI come within this many records, with the threshold at the second? */
static u64 interrupted_after(struct bench *b, unsigned records)
{
    sampling(b, 1024, 20, 2);
    run(b, records * 1025 + 10);
    return b->r.interrupts;
}

/* Records at the PMI, with the threshold at the second. */
static u64 interrupted_late(struct bench *b)
{
    for (interrupted_after(b, 2); !b->r.interrupts;)
        run(b, 1);
    return records(b, SIZE);
}

static u64 plain_overflow(struct bench *b)
{
    wr(&b->r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_BRANCHES);
    wr(&b->r, MSR_PMC(0), 0xffffffff);
    sampling(b, 1024, 20, 20);
    wr(&b->r, MSR_PERF_GLOBAL_CTRL, 3);
    run_one(b, RETIRED_BRANCH, 0, ACCESS_NONE);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS) >> 62 << 4 | (rd(&b->r, MSR_PERF_GLOBAL_STATUS) & 15);
}

/* 1: all distances are the same. */
static u64 even(struct bench *b)
{
    u64 first = word_at(b, BUFFER + SIZE)[22] - word_at(b, BUFFER)[22];
    for (unsigned i = 2; i < records(b, SIZE); i++)
        if (word_at(b, BUFFER + i * SIZE)[22] - word_at(b, BUFFER + (i - 1) * SIZE)[22] != first)
            return 0;
    return 1;
}

static u64 evenly(struct bench *b)
{
    sampling(b, 256, 20, 20);
    run(b, 19 * 262);
    return even(b);
}

static u64 evenly_small(struct bench *b)
{
    sampling(b, 64, 20, 20);
    run(b, 19 * 70);
    return even(b);
}

static u64 evenly_with_freeze(struct bench *b)
{
    wr(&b->r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    return evenly(b);
}

static u64 evenly_with_second(struct bench *b)
{
    sample_gp(b, 2, ARCH_EVENT_BRANCHES, 1024);
    sampling(b, 256, 20, 20);
    wr(&b->r, MSR_PERF_GLOBAL_CTRL, 6);
    run(b, 19 * 262);
    return even(b);
}

static u64 period(struct bench *b)
{
    written(b);
    return (word_at(b, BUFFER + SIZE)[22] - word_at(b, BUFFER)[22]) / 4;
}

/* The greatest of many distances on a counter without the precise distribution. */
static u64 greatest_distance(struct bench *b)
{
    u64 greatest = 0;
    set_area(b, DS, BUFFER, SIZE, 70, 70);
    sample_gp(b, 0, ARCH_EVENT_INSTRUCTIONS, 64);
    start(b, 1);
    run(b, 60 * 72);
    for (unsigned i = 1; i < 50; i++) {
        u64 apart = (word_at(b, BUFFER + i * SIZE)[22] - word_at(b, BUFFER + (i - 1) * SIZE)[22]) / 4;
        greatest = apart > greatest ? apart : greatest;
    }
    return greatest;
}

/* Stopped while armed; 100 thousand ticks later. */
static u64 left_over(struct bench *b)
{
    b->r.tick = 10;
    sampling(b, 100, 20, 20);
    run(b, 100);
    wrmsr_run(b, MSR_PERF_GLOBAL_CTRL, 0);
    b->r.tick = 10000;
    run(b, 10);
    return records(b, SIZE);
}

#define SIZE_HASWELL 192 /* format 2 */

static u64 with_cmask(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 40, 40);
    sample_gp(b, 1, ARCH_EVENT_INSTRUCTIONS | EVTSEL_CMASK(1), 64);
    start(b, 2);
    run(b, 2 * 72);
    return records(b, SIZE_HASWELL);
}

/* A buffer without room: one record may begin at the maximum, the next is skipped. Is its counter not reloaded? */
static u64 skip_leaves_counter(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 0, 20);
    sample_gp(b, 1, ARCH_EVENT_INSTRUCTIONS, 64);
    start(b, 2);
    run(b, 300);
    return rd(&b->r, MSR_PMC(1)) < 300;
}

static u64 skip_without_room(struct bench *b)
{
    skip_leaves_counter(b);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS) >> 62;
}

static u64 begins_at_maximum(struct bench *b)
{
    skip_leaves_counter(b);
    return index_of(b, DS) > BUFFER;
}

/* Does starting to sample into two pages never return? */
static u64 two_pages(struct bench *b)
{
    sampling(b, 1024, 41, 41);
    wr(&b->r, MSR_PERF_GLOBAL_CTRL, 0);
    return model_never_returns(b->r.model, MSR_PERF_GLOBAL_CTRL, true);
}

/* ---- The effect of each deviation */

static const struct pebs_row rows[] = {
    {"pebs-skip-of-old", skip_leaves_counter, 1, 0},
    {"pebs-skip-of-old", skip_without_room, 1, 0},
    {"pebs-whole-records-alone", begins_at_maximum, 1, 0},
    {"buffer-over-one-page-hangs", two_pages, 0, 1},
    {"pebs-extra-records", interrupted_late, 2, 5},
    {"pebs-period-exact", period, 1025, 1024},
    {"pebs-residual-late", left_over, 1, 0},
    {"pebs-residual-never", left_over, 1, 0},
    {"pebs-skid-one-more", greatest_distance, 68, 69},
    {"pebs-skid-longer", greatest_distance, 68, 76},
    {"pebs-counter-status-leftover", plain_overflow, 1, 3},
    {"pdir-small-period-wrong", evenly_small, 1, 0},
    {"pdir-plus-second-event", evenly_with_second, 1, 0},
    {"pdir-with-freeze", evenly_with_freeze, 1, 0},
    {"redundant-records-inv-cmask", with_cmask, 2, 4},
};

CASE(by_what_they_do)
{
    check_pebs_rows(rows, ARRAY_SIZE(rows));
}

int main(void)
{
    return run_cases();
}
