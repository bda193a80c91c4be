/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Architectural PEBS of the reference PMU: registers, which counters write records, the buffer, contents and effects.
 * Numbers typed from the manual's tables and the drivers' layouts.
 */
#include "reference/test/model/apebs_rig.h"

CASE(registers)
{
    struct rig r;
    rig_open_on(&r, "panther-lake", NULL, 1, 0);
    assert_true(rd_faults(&r, 0x3f1) && rd_faults(&r, 0x3f2));
    assert_int_equal(rd(&r, 0x345) >> 8 & 15, 15);
    assert_true(rd(&r, 0x1a0) & 1 << 12);
    wr(&r, 0x600, 0x1000); /* the DS area is for branch traces */
    assert_false(wr_faults(&r, 0x3f4, 0x12345000 | 15));
    assert_true(wr_faults(&r, 0x3f4, 0x12345010) && wr_faults(&r, 0x3f4, 1ull << 63));
    assert_int_equal(rd(&r, 0x3f4), 0x1234500f);
    for (unsigned bit = 0; bit < 64; bit++) {
        bool reserved = bit < 4 || (bit >= 27 && bit <= 30) || (bit >= 33 && bit <= 35) || bit >= 59;
        assert_int_equal(wr_faults(&r, 0x3f5, 1ull << bit), reserved);
    }
    wr(&r, 0x3f5, 0);
    u64 p_bits = 0xe006037800000000ull | 0xffffffff, e_bits = 0xe006033800000000ull | 0xffffffff;
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_int_equal(wr_faults(&r, 0x1903, 1ull << bit), !(p_bits >> bit & 1));
        assert_int_equal(wr_faults(&r, 0x1983 + 12, 1ull << bit), !(p_bits >> bit & 1));
    }
    assert_true(rd_faults(&r, 0x1902)); /* no counter of a P core reloads another one */
    rig_close(&r);
    rig_open_on(&r, "panther-lake", NULL, 1, 3);
    for (unsigned bit = 0; bit < 64; bit++)
        assert_int_equal(wr_faults(&r, 0x1983 + 24, 1ull << bit), !(e_bits >> bit & 1));
    rig_close(&r);
    rig_open_on(&r, "lunar-lake", NULL, 1, 0);
    assert_true(rd_faults(&r, 0x3f4) && rd_faults(&r, 0x3f5) && rd_faults(&r, 0x1903));
    rig_close(&r);
}

/* Every 100th instruction and the one after it: an overflow arms, and the next occurrence is in the record. */
CASE(basic)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    buffer(&b, 4096);
    sample(&b, 0, 100, 0);
    wr(&b.r, 0x38f, 1);
    steps(&b, 100);
    assert_int_equal(written(&b), 0);
    steps(&b, 1);
    assert_int_equal(written(&b), 64);
    assert_int_equal(rd(&b.r, 0xc1), 0xffffffffffff - 99);
    steps(&b, 303);
    assert_int_equal(written(&b), 256);
    for (unsigned n = 0; n < 4; n++) {
        assert_int_equal(word(&b, 64 * n, 0), 1ull << 63 | 1 << 30 | 64);
        assert_int_equal(word(&b, 64 * n, 1), 0);
        assert_int_equal(word(&b, 64 * n, 2), CODE + 4 * (100 + 101 * n));
        assert_int_equal(word(&b, 64 * n, 3), 1);
        assert_true(word(&b, 64 * n, 4));
        assert_int_equal(word(&b, 64 * n, 5), 1 << 16 | 1);
        assert_int_equal(word(&b, 64 * n, 6) | word(&b, 64 * n, 7), 0);
    }
    assert_int_equal(rd(&b.r, 0x38e), 0);
    assert_int_equal(b.r.interrupts, 0);
    rig_close(&b.r);
}

/* A PMI and STATUS[54] with the record that reaches the threshold, and none while the bit is set. */
CASE(threshold)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    buffer(&b, 128);
    sample(&b, 1, 10, 0);
    wr(&b.r, 0x38f, 2);
    steps(&b, 21);
    assert_int_equal(rd(&b.r, 0x38e), 2); /* the overflow that armed the counter */
    steps(&b, 1);
    assert_int_equal(rd(&b.r, 0x38e), 1ull << 54);
    steps(&b, 10);
    assert_int_equal(b.r.interrupts, 1);
    b.r.lvtpc &= ~LVTPC_MASK;
    steps(&b, 45);
    assert_int_equal(b.r.interrupts, 1);
    wr(&b.r, 0x390, 1ull << 54);
    assert_int_equal(rd(&b.r, 0x38e) & 1ull << 54, 0);
    steps(&b, 20);
    assert_int_equal(b.r.interrupts, 2);
    rig_close(&b.r);
}

#define GPR (1ull << 61)
#define AUX (1ull << 62)
#define XMM (1ull << 49)
#define YMMH (1ull << 50)
#define ALLOW (1ull << 35)
#define LBR(n) ((u64)(n) << 40)

/* Runs until there is one record of counter 0, and stops. */
static void one_record(struct bench *b, u64 groups)
{
    buffer(b, 4096);
    assert_true(sample(b, 0, 20, groups));
    wr(&b->r, 0x38f, 1);
    steps(b, 21);
    wr(&b->r, 0x38f, 0);
}

CASE(general_and_vectors)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    one_record(&b, GPR | XMM | YMMH);
    u64 size = 64 + 160 + 16 + 256 + 256;
    assert_int_equal(written(&b), size);
    assert_int_equal(word(&b, 0, 0), 1ull << 63 | GPR | XMM | YMMH | 1 << 30 | size);
    assert_int_equal(word(&b, 64, 0), 0x246);
    assert_int_equal(word(&b, 64, 1), CODE + 4 * 21);
    assert_int_equal(word(&b, 64, 2), 20); /* RAX */
    for (unsigned i = 1; i < 16; i++)
        assert_int_equal(word(&b, 64, 2 + i), 0x1111111111111111ull * i);
    assert_int_equal(word(&b, 64, 18) | word(&b, 64, 19), 0);
    assert_int_equal(word(&b, 224, 0), 6); /* SSE and AVX state */
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(word(&b, 240, 2 * i), 0x100 + i);
        assert_int_equal(word(&b, 240, 2 * i + 1), 0x200 + i);
        assert_int_equal(word(&b, 496, 2 * i) | word(&b, 496, 2 * i + 1), 0);
    }
    rig_close(&b.r);
}

/* Loads, sampled by a counter without the precise distribution. */
CASE(auxiliary)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 3);
    buffer(&b, 4096);
    assert_true(sample(&b, 4, 20, AUX));
    wr(&b.r, 0x18a, 0x4381d0);
    wr(&b.r, 0x38f, 1 << 4);
    for (unsigned i = 0; i < 30; i++)
        step(&b, RETIRED_PLAIN, ACCESS_LOAD);
    assert_int_equal(written(&b), 128);
    assert_int_equal(word(&b, 0, 3), 1 << 4);
    u64 k = (word(&b, 0, 2) - CODE) / 4;
    assert_in_range(k, 20, 23); /* within the delay that pebs-shadow allows */
    assert_int_equal(word(&b, 64, 0), 0x123456789ab0ull + 8 * k);
    assert_int_equal(word(&b, 64, 1) | word(&b, 64, 2) | word(&b, 64, 3) | word(&b, 64, 4), 0);
    assert_true(word(&b, 64, 5) && word(&b, 64, 6));
    assert_int_equal(word(&b, 64, 7), 0);
    rig_close(&b.r);
}

/* Groups of 8, 16 and all branch records, newest first, with the registers of branch records before them. */
CASE(branches)
{
    static const unsigned entries[] = {0, 8, 16, 32};
    struct bench b;
    for (unsigned n = 1; n < 4; n++) {
        open_on(&b, "panther-lake", NULL, 0);
        wr(&b.r, 0x14ce, 0x7f0003);
        for (unsigned i = 0; i < 40; i++)
            step(&b, RETIRED_BRANCH, ACCESS_NONE);
        one_record(&b, LBR(n));
        assert_int_equal(written(&b), 64 + 48 + 24 * entries[n]);
        assert_int_equal(word(&b, 0, 0) & LBR(3), LBR(n));
        assert_int_equal(word(&b, 64, 1), 0x7f0003);
        assert_int_equal(word(&b, 64, 2), 32);
        for (unsigned i = 0; i < entries[n]; i++) {
            assert_int_equal(word(&b, 112, 3 * i), CODE + 4 * (39 - i));
            assert_int_equal(word(&b, 112, 3 * i + 1), CODE + 4 * (40 - i));
        }
        rig_close(&b.r);
    }
}

/* Counters that allow it in their own CFG_C, whether they count or not, and metrics if they are requested. */
CASE(counters)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    wr(&b.r, 0x190f, ALLOW);
    wr(&b.r, 0xc4, 0x1234);
    wr(&b.r, 0x198f, ALLOW);
    wr(&b.r, 0x30c, 0x5678);
    one_record(&b, 1ull << 36 | 1ull << 37 | 1ull << 38 | ALLOW);
    assert_int_equal(word(&b, 0, 0) >> 35 & 31, 0xe);
    assert_int_equal(word(&b, 64, 0), 8 | 1 | 1ull << (32 + 3));
    assert_int_equal(word(&b, 64, 1), 3);
    assert_int_equal(word(&b, 64, 2), 1); /* counter 0, past its overflow */
    assert_int_equal(word(&b, 64, 3), 0x1234);
    assert_int_equal(word(&b, 64, 4), 0x5678);
    assert_int_equal(word(&b, 64, 5), 0x5678);
    assert_int_equal(written(&b), 64 + 16 + 8 * 6); /* with padding to the unit of the buffer */
    rig_close(&b.r);
}

/* A record of more than a kilobyte comes in fragments, split between groups. */
CASE(fragments)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    one_record(&b, GPR | AUX | XMM | LBR(3) | 1ull << 36 | ALLOW);
    u64 first = 64 + 64 + 160 + 16 + 256, second = 16 + 48 + 24 * 32 + 16 + 16;
    assert_int_equal(word(&b, 0, 0), 1ull << 63 | AUX | GPR | XMM | 1ull << 31 | 1 << 30 | first);
    assert_int_equal(word(&b, first, 0), LBR(3) | 1ull << 36 | 1 << 30 | second);
    assert_int_equal(word(&b, first, 1), 0);
    assert_int_equal(word(&b, first + 16, 2), 32);
    assert_int_equal(written(&b), first + second);
    rig_close(&b.r);
}

CASE(full)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    buffer(&b, 1 << 20);
    assert_true(sample(&b, 0, 10, 0));
    wr(&b.r, 0x3f5, rd(&b.r, 0x3f5) | (4096 - 64 - 16));
    wr(&b.r, 0x38f, 1);
    steps(&b, 11);
    assert_int_equal(written(&b), 4096 - 16);
    assert_false(rd(&b.r, 0x3f5) & INDEX_FULL);
    steps(&b, 22);
    assert_true(rd(&b.r, 0x3f5) & INDEX_FULL);
    assert_int_equal(written(&b), 4096 - 16);
    assert_int_equal(word(&b, 4096 - 16, 0), 0);
    assert_int_equal(rd(&b.r, 0x38e) & 1ull << 54, 0);
    drain(&b);
    steps(&b, 11);
    assert_int_equal(written(&b), 64);
    wr(&b.r, 0x3f4, BASE | 1); /* two pages */
    wr(&b.r, 0x3f5, rd(&b.r, 0x3f5) | 4096);
    steps(&b, 11);
    assert_int_equal(written(&b), 4096 + 128);
    wr(&b.r, 0x3f5, 0); /* EN */
    steps(&b, 33);
    assert_int_equal(written(&b), 0);
    rig_close(&b.r);
}

/* No record of a counter without PEBS_EN, nor of one that does not count; two that fire together share a record. */
CASE(which)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    buffer(&b, 4096);
    assert_true(sample(&b, 0, 10, 0));
    assert_true(sample(&b, 1, 10, GPR));
    wr(&b.r, 0x1903, 0);
    wr(&b.r, 0x38f, 1);
    steps(&b, 50);
    assert_int_equal(written(&b), 0);
    assert_true(sample(&b, 0, 10, 0));
    wr(&b.r, 0x38f, 3);
    steps(&b, 11);
    assert_int_equal(written(&b), 64 + 160);
    assert_int_equal(word(&b, 0, 3), 3);
    assert_int_equal(rd(&b.r, 0xc1), 0xffffffffffff - 9);
    assert_int_equal(rd(&b.r, 0xc2), 0xffffffffffff - 9);
    assert_int_equal(rd(&b.r, 0x392) >> 63, 1);
    rig_close(&b.r);
}

/* The PMI freezes as DEBUGCTL says. */
CASE(freezes)
{
    struct bench b;
    open_on(&b, "panther-lake", NULL, 0);
    wr(&b.r, 0x1d9, 1 << 12);
    buffer(&b, 64);
    assert_true(sample(&b, 0, 10, 0));
    wr(&b.r, 0x38f, 1);
    steps(&b, 100);
    assert_int_equal(rd(&b.r, 0x38e), 1ull << 59 | 1ull << 54);
    assert_int_equal(written(&b), 64);
    assert_int_equal(rd(&b.r, 0xc1), 0xffffffffffff - 9);
    rig_close(&b.r);
}

/* Instructions reported together end in the same state as one by one. */
CASE(in_runs)
{
    struct bench one, runs;
    open_on(&one, "panther-lake", NULL, 0);
    open_on(&runs, "panther-lake", NULL, 0);
    struct bench *both[] = {&one, &runs};
    for_each_row (both, b) {
        buffer(*b, 1024);
        assert_true(sample(*b, 2, 1000, GPR));
        wr(&(*b)->r, 0x38f, 4);
    }
    steps(&one, 15000);
    while (runs.k < 15000) {
        u32 room = model_run_room(runs.r.model), left = (u32)(15000 - runs.k);
        struct model_run run = {.instructions = room < left ? room : left};
        if (run.instructions < 2) {
            steps(&runs, 1);
            continue;
        }
        model_retire_run(runs.r.model, &run);
        runs.k += run.instructions;
    }
    assert_int_equal(written(&one), written(&runs));
    assert_true(written(&one) >= 14 * 224);
    for (u64 at = 0; at < written(&one); at += 224)
        for (unsigned n = 0; n < 28; n++)
            if (n != 4) /* the time, which advances with each look */
                assert_int_equal(word(&one, at, n), word(&runs, at, n));
    rig_close(&one.r);
    rig_close(&runs.r);
}

int main(void)
{
    return run_cases();
}
