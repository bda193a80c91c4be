/* SPDX-License-Identifier: BSD-2-Clause */
/* Adaptive PEBS records: their groups, alone and together, on GP and fixed counters, and where CPUs differ. */
#include "reference/test/model/pebs_rig.h"

#define BASIC 32
#define LBR(n) (PEBS_DATA_LBR | PEBS_DATA_LBR_ENTRIES(n))
#define EVERYTHING (PEBS_DATA_MEMINFO | PEBS_DATA_GPR | PEBS_DATA_XMM | LBR(32))

static const char *const profiles_with[] = {"ice-lake", "sapphire-rapids", "alder-lake", "lunar-lake"};

/* PMC1 samples instructions; one record. */
static const u64 *sample(struct bench *b, u64 groups, u64 flags)
{
    set_area(b, DS, BUFFER, 0x2000, 1, 1);
    wr(&b->r, MSR_PEBS_DATA_CFG, groups);
    sample_gp(b, 1, ARCH_EVENT_INSTRUCTIONS | flags, 1000);
    start(b, 2);
    run(b, 1010);
    return word_at(b, BUFFER);
}

CASE(sizes)
{
    static const struct {
        u64 groups, size;
    } rows[] = {
        {0, BASIC},
        {PEBS_DATA_MEMINFO, BASIC + 32},
        {PEBS_DATA_GPR, BASIC + 144},
        {PEBS_DATA_XMM, BASIC + 256},
        {LBR(1), BASIC + 24},
        {LBR(32), BASIC + 768},
        {LBR(256), BASIC + 6144},
        {PEBS_DATA_MEMINFO | PEBS_DATA_XMM, BASIC + 32 + 256},
        {EVERYTHING, 1232},
        {PEBS_DATA_LBR_ENTRIES(32), BASIC},
    };
    for_each_row (profiles_with, profile)
        for_each_row (rows, row) {
            struct bench b;
            bench_open(&b, *profile);
            const u64 *record = sample(&b, row->groups, EVTSEL_ADAPTIVE);
            assert_int_equal(index_of(&b, DS) - BUFFER, row->size);
            assert_int_equal(record[0] >> 48, row->size);
            assert_int_equal(record[0] & MASK(31, 0), row->groups);
            bench_close(&b);
        }
}

/* The fields of the largest record, by position. */
CASE(content)
{
    struct bench b;
    bench_open(&b, "ice-lake");
    const u64 *record = sample(&b, EVERYTHING, EVTSEL_ADAPTIVE);
    u64 instruction = (record[1] - CODE) / 4;
    assert_in_range(instruction, 1000, 1003);
    assert_int_equal(record[2], 2);
    assert_true(record[3] > 0 && record[3] <= b.r.time);
    for (unsigned i = 4; i < 8; i++)
        assert_int_equal(record[i], 0); /* no memory operand is sampled */
    assert_int_equal(record[8], 0x246);
    assert_int_equal(record[9], CODE + 4 * (instruction + 1)); /* the next instruction */
    assert_int_equal(record[10], instruction);
    for (unsigned i = 1; i < 16; i++)
        assert_true(record[10 + i] == 0x1111111111111111ull * i);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(record[26 + 2 * i], 0x100 + i);
        assert_int_equal(record[27 + 2 * i], 0x200 + i);
    }
    for (unsigned i = 58; i < 154; i++)
        assert_int_equal(record[i], 0); /* no branches are recorded */
    assert_int_equal(record[154], 0);
    bench_close(&b);
}

/* Branch records, newest first, with the target. */
CASE(branches)
{
    struct bench b;
    bench_open(&b, "ice-lake");
    set_area(&b, DS, BUFFER, 0x2000, 1, 1);
    wr(&b.r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    wr(&b.r, MSR_PEBS_DATA_CFG, LBR(4));
    sample_gp(&b, 1, ARCH_EVENT_BRANCHES | EVTSEL_ADAPTIVE, 3);
    start(&b, 2);
    for (unsigned i = 0; i < 10; i++) {
        run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
        run(&b, 4);
    }
    const u64 *record = word_at(&b, BUFFER);
    assert_int_equal(record[1], CODE + 4 * 15);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(record[4 + 3 * i], CODE + 4 * (15 - 5 * i));
        assert_int_equal(record[5 + 3 * i], CODE + 4 * (16 - 5 * i));
    }
    bench_close(&b);
}

/* With recording switched off again, older records do not show. */
CASE(branches_not_recorded)
{
    struct bench b;
    bench_open(&b, "ice-lake");
    set_area(&b, DS, BUFFER, 0x2000, 1, 1);
    wr(&b.r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    for (unsigned i = 0; i < 10; i++)
        run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
    wr(&b.r, MSR_DEBUGCTL, 0);
    wr(&b.r, MSR_PEBS_DATA_CFG, LBR(4));
    sample_gp(&b, 1, ARCH_EVENT_BRANCHES | EVTSEL_ADAPTIVE, 3);
    start(&b, 2);
    for (unsigned i = 0; i < 10; i++)
        run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
    const u64 *record = word_at(&b, BUFFER);
    assert_int_not_equal(record[1], 0);
    for (unsigned i = 4; i < 16; i++)
        assert_int_equal(record[i], 0);
    bench_close(&b);
}

/* Without the counter's ADAPTIVE bit only the basic group; with it on one of two counters, a record each. */
CASE(adaptive_bit)
{
    struct bench b;
    bench_open(&b, "ice-lake");
    assert_int_equal(sample(&b, EVERYTHING, 0)[0], FIELD(63, 48, BASIC));
    bench_close(&b);

    bench_open(&b, "ice-lake");
    set_area(&b, DS, BUFFER, 0x2000, 1, 1);
    wr(&b.r, MSR_PEBS_DATA_CFG, PEBS_DATA_GPR);
    sample_gp(&b, 0, ARCH_EVENT_BRANCHES, 1);
    sample_gp(&b, 2, ARCH_EVENT_BRANCHES | EVTSEL_ADAPTIVE, 1);
    start(&b, 5);
    run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
    run(&b, 10);
    run_one(&b, RETIRED_BRANCH, 0, ACCESS_NONE);
    const u64 *record = word_at(&b, BUFFER);
    assert_int_equal(index_of(&b, DS) - BUFFER, 2 * BASIC + 144);
    assert_int_equal(record[0], FIELD(63, 48, BASIC + 144) | PEBS_DATA_GPR);
    assert_int_equal(record[2], 4);
    assert_int_equal(record[22], FIELD(63, 48, BASIC));
    assert_int_equal(record[24], 1);
    bench_close(&b);
}

/* Fixed counters: their own ADAPTIVE bit, and a reset value whose place moved with format 5. */
CASE(fixed_counters)
{
    static const struct {
        const char *profile;
        u64 reset;
    } rows[] = {{"ice-lake", 0x80}, {"sapphire-rapids", 0x80}, {"lunar-lake", 0x140}};
    for_each_row (rows, row) {
        struct bench b;
        bench_open(&b, row->profile);
        set_area(&b, DS, BUFFER, 0x2000, 1, 1);
        *word_at(&b, DS + row->reset) = -500ull;
        wr(&b.r, MSR_DS_AREA, DS);
        wr(&b.r, MSR_PEBS_DATA_CFG, PEBS_DATA_GPR);
        wr(&b.r, MSR_FIXED_CTR(0), 0x1000000000000 - 1000);
        wr(&b.r, MSR_FIXED_CTR_CTRL, FIXED_OS(0) | FIXED_ADAPTIVE(0));
        wr(&b.r, MSR_PEBS_ENABLE, PEBS_FIXED(0));
        start(&b, GLOBAL_FIXED(0));
        run(&b, 1001);
        assert_int_equal(index_of(&b, DS) - BUFFER, BASIC + 144);
        assert_true(word_at(&b, BUFFER)[2] == STATUS_FIXED(0));
        assert_int_equal(rd(&b.r, MSR_FIXED_CTR(0)), 0x1000000000000 - 500);
        bench_close(&b);
    }
}

/* A sampled load: its address, its data source, its latency. */
CASE(loads)
{
    struct bench b;
    bench_open(&b, "sapphire-rapids");
    set_area(&b, DS, BUFFER, 0x2000, 1, 1);
    wr(&b.r, MSR_PEBS_DATA_CFG, PEBS_DATA_MEMINFO);
    wr(&b.r, MSR_PEBS_LD_LAT, 50);
    sample_gp(&b, 2, EVENT_CODE_LOAD_LATENCY | EVTSEL_ADAPTIVE, 10);
    start(&b, 4);
    assert_true(model_wants_memory(b.r.model));
    for (unsigned i = 0; i < 200; i++)
        run_one(&b, RETIRED_PLAIN, 0, i & 1 ? ACCESS_LOAD : ACCESS_STORE);
    const u64 *record = word_at(&b, BUFFER);
    u64 instruction = (record[1] - CODE) / 4;
    assert_true(instruction & 1);
    assert_int_equal(record[4], LOAD_ADDRESS + 8 * instruction);
    assert_true(record[5]);
    assert_in_range(record[6], 50, 200);
    assert_int_equal(record[7], 0);
    bench_close(&b);
}

/* Format 6: values of the selected counters, then slots and metrics. */
CASE(counters)
{
    u64 groups = PEBS_DATA_COUNTERS | PEBS_DATA_METRICS | PEBS_DATA_GP(1) | PEBS_DATA_GP(4) | PEBS_DATA_FIXED(1);
    struct bench b;
    bench_open(&b, "lunar-lake");
    wr(&b.r, MSR_PMC(4), 0x1234);
    wr(&b.r, MSR_FIXED_CTR(1), 0x5678);
    wr(&b.r, MSR_FIXED_CTR(3), 0x9abc);
    const u64 *record = sample(&b, groups, EVTSEL_ADAPTIVE);
    assert_int_equal(record[0] >> 48, BASIC + 16 + 3 * 8 + 16);
    assert_int_equal(index_of(&b, DS) - BUFFER, BASIC + 16 + 3 * 8 + 16);
    assert_int_equal(record[4], 0x200000012);
    assert_int_equal(record[5], 3);
    assert_in_range(record[6], 1, 4); /* past its overflow, not reloaded yet */
    assert_int_equal(record[7], 0x1234);
    assert_int_equal(record[8], 0x5678);
    assert_int_equal(record[9], 0x9abc);
    bench_close(&b);
}

/* On Golden Cove PMC0 writes no records of instructions. */
CASE(without_instructions)
{
    for (unsigned n = 0; n < 2; n++) {
        struct bench b;
        bench_open(&b, "sapphire-rapids");
        set_area(&b, DS, BUFFER, 0x2000, 1, 1);
        sample_gp(&b, n, ARCH_EVENT_INSTRUCTIONS, 100);
        start(&b, BIT(n));
        run(&b, 110);
        assert_int_equal(index_of(&b, DS) - BUFFER, n ? BASIC : 0);
        bench_close(&b);
    }
}

/* Output to processor trace, which E cores can choose, writes nothing to the DS area; a PMI after each record is
 * possible. */
CASE(output)
{
    for (unsigned form = 0; form < 3; form++) {
        struct bench b;
        bench_open_on(&b, "alder-lake", NULL, 3);
        set_area(&b, DS, BUFFER, BASIC, 10, 10);
        sample_gp(&b, 1, ARCH_EVENT_INSTRUCTIONS, 100);
        wr(&b.r, MSR_PEBS_ENABLE, PEBS_GP(1) | (form == 1 ? FIELD(62, 61, 1) : form == 2 ? PEBS_PMI_AFTER_EACH : 0));
        start(&b, 2);
        run(&b, 115);
        assert_int_equal(records(&b, BASIC), form != 1);
        assert_int_equal(b.r.interrupts, form == 2);
        bench_close(&b);
    }
}

int main(void)
{
    return run_cases();
}
