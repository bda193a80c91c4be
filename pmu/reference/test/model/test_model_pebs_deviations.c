/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Deviations of the PEBS engine by what they do: arming, reload, threshold, bounds, strays. */
#include "pmu/reference/test/model/pebs_probe.h"

/* ---- What PEBS does on a bench, as numbers: each tells one kind of deviation from good hardware. */

static u64 last_counter(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 20, 20);
    sample_gp(b, 3, ARCH_EVENT_BRANCHES, 1);
    start(b, 8);
    for (unsigned i = 0; i < 20; i++)
        run_one(b, RETIRED_BRANCH, 0, ACCESS_NONE);
    return records(b, SIZE) > 0;
}

/* A counter of CPL 3, and no instruction there. */
static u64 other_ring(struct bench *b)
{
    sampling(b, 100, 20, 20);
    wr(&b->r, MSR_PERFEVTSEL(1), EVTSEL_EN | EVTSEL_USR | EVENT_CODE_PREC_DIST);
    run(b, 500);
    return records(b, SIZE);
}

static u64 after_disabling(struct bench *b)
{
    sampling(b, 100, 20, 20);
    run(b, 150);
    wrmsr_run(b, MSR_PEBS_ENABLE, 0);
    run(b, 500);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS) << 8 | records(b, SIZE);
}

/* What is left of the counter's distance to its end after a record. */
static u64 distance(struct bench *b)
{
    *word_at(b, DS + 0x40) = -7ull;
    sampling(b, 1024, 20, 20);
    run(b, 1025);
    return FULL_WIDTH - rd(&b->r, MSR_PMC(1));
}

static u64 status(struct bench *b)
{
    written(b);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS);
}

static u64 interrupts(struct bench *b)
{
    written(b);
    return b->r.interrupts;
}

/* Two counters that fire together. */
static u64 two_named(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 20, 20);
    sample_gp(b, 0, ARCH_EVENT_BRANCHES, 1);
    sample_gp(b, 2, ARCH_EVENT_BRANCHES, 1);
    start(b, 5);
    run_one(b, RETIRED_BRANCH, 0, ACCESS_NONE);
    run(b, 10);
    run_one(b, RETIRED_BRANCH, 0, ACCESS_NONE);
    return word_at(b, BUFFER)[18];
}

static u64 threshold_status(struct bench *b)
{
    sampling(b, 1024, 20, 2);
    run(b, 2 * 1025);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS) >> 62;
}

/* A PMI within so many records, whose threshold is the second. */
static u64 interrupted_after(struct bench *b, unsigned records)
{
    sampling(b, 1024, 20, 2);
    run(b, records * 1025 + 10);
    return b->r.interrupts;
}

static u64 interrupted_after_1(struct bench *b)
{
    return interrupted_after(b, 1);
}

static u64 interrupted_after_2(struct bench *b)
{
    return interrupted_after(b, 2);
}

static u64 interrupted_after_3(struct bench *b)
{
    return interrupted_after(b, 3);
}

/* Records at the PMI, whose threshold is the second. */
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

static u64 past_threshold(struct bench *b)
{
    sampling(b, 1024, 20, 2);
    run(b, 5 * 1025);
    return records(b, SIZE);
}

static u64 past_maximum(struct bench *b)
{
    sampling(b, 1024, 3, 20);
    run(b, 5 * 1025);
    return records(b, SIZE);
}

static u64 full_interrupts(struct bench *b)
{
    sampling(b, 1024, 3, 20);
    run(b, 5 * 1025);
    return b->r.interrupts;
}

static u64 index_beside(struct bench *b)
{
    written(b);
    return (index_of(b, DS) - BUFFER) % SIZE;
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

/* The greatest of many distances on a counter without it. */
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

/* Stopped, and going on at another DS area: records in the first, and in the other. */
static u64 strays(struct bench *b)
{
    static const u64 sizes[] = {144, 176, 192, SIZE};
    u64 size = sizes[rd(&b->r, MSR_PERF_CAPABILITIES) >> 8 & 3];
    set_area(b, DS, BUFFER, size, 20, 20);
    sample_gp(b, 1, EVENT_CODE_PREC_DIST, 1024);
    start(b, 2);
    run(b, 5 * 1025);
    wrmsr_run(b, MSR_PERF_GLOBAL_CTRL, 0);
    wrmsr_run(b, MSR_PEBS_ENABLE, 0);
    set_area(b, OTHER_DS, OTHER_BUFFER, size, 20, 20);
    wrmsr_run(b, MSR_DS_AREA, OTHER_DS);
    run(b, 10);
    wr(&b->r, MSR_PMC(1), (u32)-100000);
    wrmsr_run(b, MSR_PEBS_ENABLE, PEBS_GP(1));
    wrmsr_run(b, MSR_PERF_GLOBAL_CTRL, 2);
    run(b, 10);
    return records(b, size) << 4 | (index_of(b, OTHER_DS) - OTHER_BUFFER) / size;
}

static u64 area_kept(struct bench *b)
{
    wr(&b->r, MSR_DS_AREA, OTHER_DS);
    wr(&b->r, MSR_DS_AREA, DS);
    return rd(&b->r, MSR_DS_AREA);
}

static u64 enable_cleared(struct bench *b)
{
    wr(&b->r, MSR_PEBS_ENABLE, 2);
    wr(&b->r, MSR_PEBS_ENABLE, 0);
    return rd(&b->r, MSR_PEBS_ENABLE) << 4 | rd(&b->r, MSR_PEBS_ENABLE);
}

static u64 far_from_overflow(struct bench *b)
{
    sampling(b, 100000, 20, 20);
    run(b, 10);
    return records(b, SIZE);
}

static u64 not_enabled(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 20, 20);
    sample_gp(b, 1, EVENT_CODE_PREC_DIST, 100);
    wr(&b->r, MSR_PEBS_ENABLE, 0);
    start(b, 2);
    run(b, 105);
    return records(b, SIZE);
}

static u64 without_event(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 20, 20);
    sample_gp(b, 1, EVENT_CODE_PREC_DIST, 100);
    wr(&b->r, MSR_PERFEVTSEL(1), 0);
    start(b, 2);
    run(b, 110);
    return records(b, SIZE);
}

/* After a record the management area is zeros. */
static u64 without_management(struct bench *b)
{
    sampling(b, 100, 20, 20);
    run(b, 101);
    memset(b->memory, 0, 0x1400);
    wr(&b->r, MSR_PMC(1), (u32)-100);
    run(b, 101);
    return word_at(b, BUFFER)[22] != 0;
}

static u64 below_base(struct bench *b)
{
    sampling(b, 100, 20, 20);
    *word_at(b, DS + 0x20) = BUFFER + 400;
    run(b, 101);
    return (index_of(b, DS) - BUFFER) / SIZE;
}

static u64 threshold_0(struct bench *b)
{
    sampling(b, 100, 5, 20);
    *word_at(b, DS + 0x38) = 0;
    run(b, 101);
    return word_at(b, BUFFER + 5 * SIZE)[22] != 0;
}

static u64 early_bit(struct bench *b)
{
    sampling(b, 100, 20, 10);
    run(b, 101);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS) >> 62 << 4 | b->r.interrupts;
}

static u64 plain_interrupts(struct bench *b)
{
    plain_overflow(b);
    wr(&b->r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | EVTSEL_INT | ARCH_EVENT_BRANCHES);
    wr(&b->r, MSR_PMC(0), 0xffffffff);
    run_one(b, RETIRED_BRANCH, 0, ACCESS_NONE);
    run(b, 10);
    return b->r.interrupts;
}

static u64 groups_changed(struct bench *b)
{
    set_area(b, DS, BUFFER, 1232, 10, 10);
    wr(&b->r, MSR_PEBS_DATA_CFG, PEBS_DATA_GPR);
    sample_gp(b, 0, ARCH_EVENT_INSTRUCTIONS | EVTSEL_ADAPTIVE, 100);
    start(b, 1);
    run(b, 110);
    wr(&b->r, MSR_PEBS_DATA_CFG, PEBS_DATA_MEMINFO);
    run(b, 110);
    return index_of(b, DS) - BUFFER;
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

static u64 odd_period(struct bench *b)
{
    sampling(b, 1000, 20, 20);
    run(b, 2 * 1001);
    return records(b, SIZE);
}

static u64 with_cmask(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 40, 40);
    sample_gp(b, 1, ARCH_EVENT_INSTRUCTIONS | EVTSEL_CMASK(1), 64);
    start(b, 2);
    run(b, 2 * 72);
    return records(b, SIZE);
}

static void fixed_0(struct bench *b)
{
    set_area(b, DS, BUFFER, 32, 10, 10);
    *word_at(b, DS + 0x40) = -500ull;
    *word_at(b, DS + 0x80) = -1000ull;
    wr(&b->r, MSR_DS_AREA, DS);
    wr(&b->r, MSR_FIXED_CTR(0), FULL_WIDTH - 1000);
    wr(&b->r, MSR_FIXED_CTR_CTRL, 3);
    wr(&b->r, MSR_PEBS_ENABLE, PEBS_FIXED(0));
    start(b, GLOBAL_FIXED(0));
    run(b, 1001);
}

static u64 fixed_records(struct bench *b)
{
    fixed_0(b);
    return records(b, 32);
}

static u64 fixed_distance(struct bench *b)
{
    fixed_0(b);
    return FULL_WIDTH - rd(&b->r, MSR_FIXED_CTR(0));
}

static u64 skip_told(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 2, 20);
    sample_gp(b, 1, ARCH_EVENT_INSTRUCTIONS, 64);
    start(b, 2);
    run(b, 300);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS) >> 62;
}

/* Without room for any: one may begin at the maximum, the next is skipped. Does its counter go on from where it is? */
static u64 skip_leaves_counter(struct bench *b)
{
    set_area(b, DS, BUFFER, SIZE, 0, 20);
    sample_gp(b, 1, ARCH_EVENT_INSTRUCTIONS, 64);
    start(b, 2);
    run(b, 300);
    return rd(&b->r, MSR_PMC(1)) < 300;
}

static u64 skip_told_without_room(struct bench *b)
{
    skip_leaves_counter(b);
    return rd(&b->r, MSR_PERF_GLOBAL_STATUS) >> 62;
}

static u64 begins_at_maximum(struct bench *b)
{
    skip_leaves_counter(b);
    return index_of(b, DS) > BUFFER;
}

/* Does starting to sample into two pages never come back? */
static u64 two_pages(struct bench *b)
{
    sampling(b, 1024, 41, 41);
    wr(&b->r, MSR_PERF_GLOBAL_CTRL, 0);
    return model_never_returns(b->r.model, MSR_PERF_GLOBAL_CTRL, true);
}

/* ---- What each deviation does */

static const struct pebs_row rows[] = {
    {"pebs-no-record", written, 5, 0},
    {"pebs-last-gp-dead", last_counter, 1, 0},
    {"pebs-fixed-dead", fixed_records, 1, 0},
    {"pebs-ignores-cpl", other_ring, 0, 4},
    {"pebs-enable-sticky", after_disabling, 0x201, 6},
    {"pebs-disabled-loses-overflow", after_disabling, 0x201, 1},
    {"ds-area-reads-stale", area_kept, DS, OTHER_DS},
    {"pebs-enable-reads-stale", enable_cleared, 0, 0x20},
    {"pebs-record-at-start", far_from_overflow, 0, 1},
    {"pebs-without-enable", not_enabled, 0, 1},
    {"pebs-without-event", without_event, 0, 1},
    {"pebs-caches-management", without_management, 0, 1},
    {"pebs-base-ignored", below_base, 0, 1},
    {"threshold-0-overruns", threshold_0, 0, 1},
    {"ovfbuf-early", early_bit, 0, 0x10},
    {"sampling-loses-pmi", plain_interrupts, 1, 0},
    {"data-cfg-stops-pebs", groups_changed, 32 + 144 + 32 + 32, 32 + 144},
    {"pebs-no-reload", written, 5, 1},
    {"pebs-reload-of-counter-0", distance, 1024, 7},
    {"pebs-reload-32-bits", distance, 1024, FULL_WIDTH - 0xfffffc00},
    {"pebs-fixed-reload-slot", fixed_distance, 1000, 500},
    {"pebs-status-stays", status, 0, 2},
    {"pebs-counter-pmi", interrupts, 0, 1},
    {"pebs-several-lost", two_named, 5, 1},
    {"ovfbuf-missing", threshold_status, 1, 0},
    {"ovfbuf-needs-freeze", threshold_status, 1, 0},
    {"ovfbuf-at-plain-overflow", plain_overflow, 1, 0x11},
    {"threshold-pmi-lost", interrupted_after_2, 1, 0},
    {"threshold-pmi-one-late", interrupted_after_2, 1, 0},
    {"threshold-pmi-one-late", interrupted_after_3, 1, 1},
    {"threshold-early", interrupted_after_1, 0, 1},
    {"pebs-stops-at-threshold", past_threshold, 5, 2},
    {"pebs-maximum-ignored", past_maximum, 3, 5},
    {"pebs-wraps-at-maximum", past_maximum, 3, 2},
    {"pebs-skip-untold", skip_told, 1, 0},
    {"pebs-skip-reloads", skip_leaves_counter, 1, 0},
    {"pebs-skip-of-old", skip_leaves_counter, 1, 0},
    {"pebs-skip-of-old", skip_told_without_room, 1, 0},
    {"pebs-whole-records-alone", begins_at_maximum, 1, 0},
    {"pmi-at-buffer-full", full_interrupts, 0, 1},
    {"pebs-index-stays", written, 5, 0},
    {"pebs-index-stays-now-and-then", written, 5, 4},
    {"pebs-index-one-more", index_beside, 0, 40},
    {"pdist-jitters", evenly, 1, 0},
    {"record-after-disable", strays, 0x50, 0x60},
    {"record-after-disable-new-area", strays, 0x50, 0x51},
    {"redundant-records-low6", odd_period, 2, 4},
    {"redundant-records-even", written, 5, 10},
    {"buffer-over-one-page-hangs", two_pages, 0, 1},
    {"pebs-extra-records", interrupted_late, 2, 5},
    {"pebs-period-exact", period, 1025, 1024},
    {"pebs-residual-late", left_over, 1, 0},
    {"pebs-skid-one-more", greatest_distance, 68, 69},
    {"pebs-skid-longer", greatest_distance, 68, 76},
    {"pebs-counter-status-leftover", plain_overflow, 1, 3},
    {"pdir-small-period-wrong", evenly_small, 1, 0},
    {"pdir-plus-second-event", evenly_with_second, 1, 0},
    {"pdir-with-freeze", evenly_with_freeze, 1, 0},
    {"redundant-records-inv-cmask", with_cmask, 2, 4},
};

static void by_what_they_do(void **state)
{
    (void)state;
    check_pebs_rows(rows, ARRAY_SIZE(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_what_they_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
