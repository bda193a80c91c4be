/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS of the fixed record formats: arming, records, reload, threshold, bounds, and records after a stop. */
#include "reference/test/model/pebs_rig.h"

#define FORMAT0_SIZE 144
#define FORMAT1_SIZE 176
#define FORMAT2_SIZE 192
#define FORMAT3_SIZE 200

/* The profile's record size, and an event that it samples on PMC0. */
static const struct {
    const char *profile;
    u64 size, event;
} kinds[] = {
    {"conroe", FORMAT0_SIZE, ARCH_EVENT_INSTRUCTIONS},        {"penryn", FORMAT0_SIZE, ARCH_EVENT_INSTRUCTIONS},
    {"bonnell", FORMAT0_SIZE, ARCH_EVENT_INSTRUCTIONS},       {"nehalem", FORMAT1_SIZE, ARCH_EVENT_INSTRUCTIONS},
    {"sandy-bridge", FORMAT1_SIZE, ARCH_EVENT_INSTRUCTIONS},  {"haswell", FORMAT2_SIZE, ARCH_EVENT_INSTRUCTIONS},
    {"broadwell", FORMAT2_SIZE, ARCH_EVENT_INSTRUCTIONS},     {"skylake", FORMAT3_SIZE, ARCH_EVENT_INSTRUCTIONS},
    {"goldmont-plus", FORMAT3_SIZE, ARCH_EVENT_INSTRUCTIONS},
};

CASE(every_profile)
{
    for_each_row (kinds, row) {
        struct bench b;
        bench_open(&b, row->profile);
        set_area(&b, DS, BUFFER, row->size, 100, 100);
        sample_gp(&b, 0, row->event, 1000);
        start(&b, 1);
        run(&b, 1000);
        assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS) & 1, 1); /* overflowed, and armed */
        assert_int_equal(index_of(&b, DS), BUFFER);
        run(&b, 5);
        assert_int_equal(index_of(&b, DS), BUFFER + row->size);
        assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 0);
        assert_true(rd(&b.r, MSR_PMC(0)) > (rd(&b.r, MSR_PMC(0)) | 0xfff) - 0xfff);
        run(&b, 9 * 1005);
        assert_int_equal(records(&b, row->size), 10);
        assert_int_equal(b.r.interrupts, 0);
        bench_close(&b);
    }
}

/* Instructions are not on Silvermont's list. */
CASE(not_listed)
{
    struct bench b;
    bench_open(&b, "silvermont");
    set_area(&b, DS, BUFFER, FORMAT2_SIZE, 100, 100);
    sample_gp(&b, 0, ARCH_EVENT_INSTRUCTIONS, 1000);
    start(&b, 1);
    run(&b, 5000);
    assert_int_equal(index_of(&b, DS), BUFFER);
    assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS) & 1, 1);
    bench_close(&b);
}

/* Words of a record: the state of the CPU after the instruction, in the manual's order. */
CASE(content)
{
    static const u8 numbers[16] = {0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15};
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 10, 10);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 1000);
    start(&b, 2);
    run(&b, 1001);
    const u64 *record = word_at(&b, BUFFER);
    assert_int_equal(index_of(&b, DS), BUFFER + FORMAT3_SIZE);
    assert_int_equal(record[0], 0x246);
    assert_int_equal(record[1], CODE + 4 * 1001); /* the instruction after it */
    assert_int_equal(record[2], 1000);
    for (unsigned i = 1; i < 16; i++)
        assert_true(record[2 + i] == 0x1111111111111111ull * numbers[i]);
    assert_int_equal(record[18], 2); /* the applicable counter */
    assert_int_equal(record[19], 0);
    assert_int_equal(record[20], 0);
    assert_int_equal(record[21], 0);
    assert_int_equal(record[22], CODE + 4 * 1000); /* the instruction itself */
    assert_int_equal(record[23], 0);
    assert_true(record[24] > 0 && record[24] <= b.r.time);
    assert_int_equal(record[25], 0);
    assert_int_equal(rd(&b.r, MSR_PMC(1)), 0x1000000000000 - 1000);
    bench_close(&b);
}

/* Formats 1 and 2 have IA32_PERF_GLOBAL_STATUS where format 3 has the counters. */
CASE(status_in_record)
{
    struct bench b;
    bench_open(&b, "haswell");
    set_area(&b, DS, BUFFER, FORMAT2_SIZE, 10, 10);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 1000);
    wr(&b.r, MSR_PMC(2), (u32)-500);
    wr(&b.r, MSR_PERFEVTSEL(2), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    start(&b, 6);
    run(&b, 1001);
    assert_int_equal(word_at(&b, BUFFER)[18], 6);
    assert_int_equal(word_at(&b, BUFFER)[22], CODE + 4 * 1000);
    assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 4); /* an ordinary overflow keeps its bit */
    bench_close(&b);
}

/* Without PERF_CAPABILITIES[6] the record shows the CPU before the instruction. */
CASE(fault_like)
{
    struct bench b;
    bench_open(&b, "conroe");
    set_area(&b, DS, BUFFER, FORMAT0_SIZE, 10, 10);
    sample_gp(&b, 0, ARCH_EVENT_INSTRUCTIONS, 1000);
    start(&b, 1);
    run(&b, 1005);
    const u64 *record = word_at(&b, BUFFER);
    u64 instruction = (record[1] - CODE) / 4;
    assert_in_range(instruction, 1000, 1003);
    assert_int_equal(record[2], instruction - 1); /* RAX as the instruction before left it */
    bench_close(&b);
}

/* With the precise distribution records are equally far apart; without it they are not. */
CASE(distribution)
{
    for (unsigned n = 0; n < 2; n++) {
        struct bench b;
        unsigned distances[4] = {0};
        bench_open(&b, "skylake");
        set_area(&b, DS, BUFFER, FORMAT3_SIZE, 100, 100);
        sample_gp(&b, n, n ? EVENT_CODE_PREC_DIST : ARCH_EVENT_INSTRUCTIONS, 256);
        start(&b, 1u << n);
        run(&b, 100 * 262);
        assert_int_equal(records(&b, FORMAT3_SIZE), 100);
        for (unsigned i = 1; i < 100; i++) {
            u64 distance =
                (word_at(&b, BUFFER + i * FORMAT3_SIZE)[22] - word_at(&b, BUFFER + (i - 1) * FORMAT3_SIZE)[22]) / 4;
            assert_in_range(distance, 257, 260);
            distances[distance - 257]++;
        }
        for (unsigned i = 1; i < 4; i++)
            assert_true(n ? !distances[i] : distances[i] > 5);
        bench_close(&b);
    }
}

/* Not enabled, not capable, not available: counts as usual, and writes no record. */
CASE(no_records)
{
    static const struct {
        const char *profile;
        unsigned counter;
        u64 event, enable;
    } rows[] = {
        {"skylake", 0, ARCH_EVENT_BRANCHES, 0},
        {"skylake", 0, ARCH_EVENT_CORE_CYCLES, PEBS_GP(0)}, /* not an event that can be sampled */
        {"skylake", 0, EVENT_CODE_PREC_DIST, PEBS_GP(0)},   /* not on this counter */
        {"skylake", 0, ARCH_EVENT_BRANCHES, PEBS_GP(1)},
        {"silvermont", 1, ARCH_EVENT_BRANCHES, PEBS_GP(0)},
    };
    for_each_row (rows, row) {
        struct bench b;
        bench_open(&b, row->profile);
        set_area(&b, DS, BUFFER, FORMAT3_SIZE, 3, 3);
        wr(&b.r, MSR_DS_AREA, DS);
        wr(&b.r, MSR_PERFEVTSEL(row->counter), EVTSEL_BOTH | row->event);
        wr(&b.r, MSR_PMC(row->counter), (u32)-100);
        wr(&b.r, MSR_PEBS_ENABLE, row->enable);
        start(&b, 1u << row->counter);
        for (unsigned i = 0; i < 200; i++)
            run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
        assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 1u << row->counter);
        assert_int_equal(index_of(&b, DS), BUFFER);
        bench_close(&b);
    }
}

/* Records come from the rings in which the counter counts. */
CASE(rings)
{
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 20, 20);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 10);
    wr(&b.r, MSR_PERFEVTSEL(1), EVTSEL_EN | EVTSEL_USR | EVENT_CODE_PREC_DIST);
    start(&b, 2);
    for (unsigned i = 0; i < 100; i++)
        run_one(&b, RETIRED_PLAIN, i & 1 ? 3 : 0, ACCESS_NONE);
    assert_int_equal(records(&b, FORMAT3_SIZE), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_true(word_at(&b, BUFFER + i * FORMAT3_SIZE)[22] & 4);
    bench_close(&b);
}

/* Counters that fire together share a record. */
CASE(together)
{
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 20, 20);
    sample_gp(&b, 0, ARCH_EVENT_BRANCHES, 1);
    sample_gp(&b, 2, ARCH_EVENT_BRANCHES, 1);
    start(&b, 5);
    run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
    run(&b, 10);
    run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
    assert_int_equal(records(&b, FORMAT3_SIZE), 1);
    assert_int_equal(word_at(&b, BUFFER)[18], 5);
    assert_int_equal(rd(&b.r, MSR_PMC(0)), 0xffffffffffff);
    assert_int_equal(rd(&b.r, MSR_PMC(2)), 0xffffffffffff);
    bench_close(&b);
}

/* Fixed counters of Goldmont Plus; their reset values follow those of eight GP counters. */
CASE(fixed_counters)
{
    struct bench b;
    bench_open(&b, "goldmont-plus");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 20, 20);
    *word_at(&b, DS + 0x80) = -200ull;
    wr(&b.r, MSR_DS_AREA, DS);
    wr(&b.r, MSR_FIXED_CTR(0), 0x1000000000000 - 100);
    wr(&b.r, MSR_FIXED_CTR_CTRL, 3);
    wr(&b.r, MSR_PEBS_ENABLE, PEBS_FIXED(0));
    start(&b, GLOBAL_FIXED(0));
    run(&b, 105);
    assert_int_equal(records(&b, FORMAT3_SIZE), 1);
    assert_true(word_at(&b, BUFFER)[18] == STATUS_FIXED(0));
    assert_in_range(rd(&b.r, MSR_FIXED_CTR(0)), 0x1000000000000 - 200, 0x1000000000000 - 195);
    bench_close(&b);
}

int main(void)
{
    return run_cases();
}
