/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS: the buffer and its bounds, the threshold and its PMI, and records after a stop. */
#include "reference/test/model/pebs_rig.h"

#define FORMAT3_SIZE 200

/* The threshold sets OvfBuffer and raises a PMI; records continue until they are stopped. */
CASE(threshold)
{
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 10, 4);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 1000);
    start(&b, 2);
    run(&b, 4 * 1001 - 1);
    assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 2); /* armed for the fourth time */
    assert_int_equal(b.r.interrupts, 0);
    run(&b, 1);
    assert_true(rd(&b.r, MSR_PERF_GLOBAL_STATUS) == STATUS_OVF_BUFFER);
    run(&b, 10);
    assert_int_equal(b.r.interrupts, 1);
    assert_true(b.r.lvtpc & LVTPC_MASK);
    run(&b, 3 * 1001);
    assert_int_equal(records(&b, FORMAT3_SIZE), 7);
    assert_int_equal(b.r.interrupts, 1);
    bench_close(&b);
}

/* It freezes the counters, if DEBUGCTL requests that. */
CASE(threshold_freezes)
{
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 10, 1);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 100);
    wr(&b.r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    start(&b, 2);
    run(&b, 1000);
    assert_true(rd(&b.r, MSR_PERF_GLOBAL_STATUS) == (STATUS_OVF_BUFFER | STATUS_CTR_FRZ));
    assert_int_equal(records(&b, FORMAT3_SIZE), 1);
    bench_close(&b);
}

/* INT set: an ordinary PMI as well. */
CASE(with_int)
{
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 10, 10);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST | EVTSEL_INT, 1000);
    start(&b, 2);
    run(&b, 1010);
    assert_int_equal(b.r.interrupts, 1);
    assert_int_equal(records(&b, FORMAT3_SIZE), 1);
    assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 0);
    bench_close(&b);
}

/*
 * Beyond the absolute maximum nothing is written; CPUs before Goldmont do not report that. Since then one more record
 * may begin right there, and a counter whose record was skipped is not reloaded.
 */
CASE(maximum)
{
    static const struct {
        const char *profile;
        u64 status, records;
    } rows[] = {{"skylake", 0, 3}, {"goldmont-plus", STATUS_OVF_BUFFER, 4}};
    for_each_row (rows, row) {
        struct bench b;
        bench_open(&b, row->profile);
        set_area(&b, DS, BUFFER, FORMAT3_SIZE, 3, 100);
        memset(b.memory + 0x1000, 0x5a, 0x1000);
        sample_gp(&b, 1, ARCH_EVENT_INSTRUCTIONS, 100);
        start(&b, 2);
        run(&b, 1000);
        assert_int_equal(records(&b, FORMAT3_SIZE), row->records);
        for (u64 i = row->records * FORMAT3_SIZE; i < 0x1000; i++)
            assert_int_equal(b.memory[0x1000 + i], 0x5a);
        assert_true(rd(&b.r, MSR_PERF_GLOBAL_STATUS) == row->status);
        assert_int_equal(rd(&b.r, MSR_PMC(1)) < 1000, row->status != 0);
        assert_int_equal(b.r.interrupts, 0);
        bench_close(&b);
    }
}

/* Bounds that make no sense: nothing is written. */
CASE(odd_bounds)
{
    static const u64 rows[][3] = {
        /* base, index, maximum */
        {BUFFER, BUFFER + 400, BUFFER + 400},        {BUFFER, BUFFER + 800, BUFFER + 400},
        {BUFFER + 400, BUFFER, BUFFER + 800},        {0, 0xffffffffffffffc0, 0xffffffffffffffff},
        {0, 0x7000000000000000, 0xffffffffffffffff},
    };
    for_each_row (rows, row) {
        struct bench b;
        bench_open(&b, "skylake");
        set_area(&b, DS, BUFFER, FORMAT3_SIZE, 3, 3);
        *word_at(&b, DS + 0x20) = (*row)[0];
        *word_at(&b, DS + 0x28) = (*row)[1];
        *word_at(&b, DS + 0x30) = (*row)[2];
        sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 100);
        start(&b, 2);
        run(&b, 1000);
        assert_int_equal(index_of(&b, DS), (*row)[1]);
        for (unsigned i = 0; i < 0x1000; i++)
            assert_int_equal(b.memory[0x1000 + i], 0);
        bench_close(&b);
    }
}

/* PEBS_ENABLE cleared while counting: plain overflows from then on. */
CASE(disabled_while_counting)
{
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 20, 20);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 100);
    start(&b, 2);
    run(&b, 150);
    wrmsr_run(&b, MSR_PEBS_ENABLE, 0);
    run(&b, 1000);
    assert_int_equal(records(&b, FORMAT3_SIZE), 1);
    assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 2);
    bench_close(&b);
}

/* Stopped while armed: the record is written later, to the area of the arming, and the counter is not reloaded. */
CASE(residual)
{
    struct bench b;
    bench_open(&b, "skylake");
    b.r.tick = 10;
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 20, 20);
    set_area(&b, OTHER_DS, OTHER_BUFFER, FORMAT3_SIZE, 20, 20);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 100);
    start(&b, 2);
    run(&b, 100);
    wrmsr_run(&b, MSR_PERF_GLOBAL_CTRL, 0);
    wrmsr_run(&b, MSR_PEBS_ENABLE, 0);
    wrmsr_run(&b, MSR_DS_AREA, OTHER_DS);
    assert_int_equal(records(&b, FORMAT3_SIZE), 0);
    assert_true(model_stepping(b.r.model));
    run(&b, 250);
    assert_false(model_stepping(b.r.model));
    assert_int_equal(records(&b, FORMAT3_SIZE), 1);
    assert_int_equal(index_of(&b, OTHER_DS), OTHER_BUFFER);
    assert_int_equal(word_at(&b, BUFFER)[22], CODE + 4 * 100); /* the WRMSR */
    assert_int_equal(rd(&b.r, MSR_PMC(1)), 0);
    assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 0);
    bench_close(&b);
}

/* MISC_ENABLE[12] set, no DS area, memory that does not exist: counts, but never writes a record. */
CASE(unavailable)
{
    struct bench b;
    bench_open(&b, "skylake");
    set_area(&b, DS, BUFFER, FORMAT3_SIZE, 20, 20);
    sample_gp(&b, 1, EVENT_CODE_PREC_DIST, 100);
    wr(&b.r, MSR_DS_AREA, 0);
    start(&b, 2);
    run(&b, 200);
    assert_int_equal(rd(&b.r, MSR_PERF_GLOBAL_STATUS), 2);
    wr(&b.r, MSR_PERF_GLOBAL_STATUS_RESET, 2);
    wr(&b.r, MSR_DS_AREA, DS + MEMORY_SIZE);
    wr(&b.r, MSR_PMC(1), (u32)-100);
    run(&b, 200);
    assert_int_equal(index_of(&b, DS), BUFFER);
    bench_close(&b);
}

int main(void)
{
    return run_cases();
}
