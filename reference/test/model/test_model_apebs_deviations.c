/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each deviation of architectural PEBS has an effect: the transcript of one script of its use differs between a good
 * PMU and one that deviates.
 */
#include "reference/test/model/apebs_rig.h"

#define ENTRIES 40000
#define GPR (1ull << 61)
#define AUX (1ull << 62)
#define XMM (1ull << 49)
#define YMMH (1ull << 50)
#define ALLOW (1ull << 35)
#define GP (1ull << 36)
#define FIXED (1ull << 37)
#define METRICS (1ull << 38)
#define LBR(n) ((u64)(n) << 40)
#define ALL (GPR | AUX | XMM | LBR(3) | ALLOW | GP | FIXED | METRICS)

struct transcript {
    u64 entry[ENTRIES];
    unsigned count;
};

static void put(struct transcript *t, u64 value)
{
    assert_true(t->count < ENTRIES);
    t->entry[t->count++] = value;
}

static void put_state(struct transcript *t, struct bench *b)
{
    static const u32 registers[] = {0x3f4, 0x3f5, 0x38e, 0x392, 0xc1, 0xc2, 0x309, 0x1903};
    for_each_row (registers, msr)
        put(t, rd(&b->r, *msr));
    put(t, b->r.interrupts);
    for (unsigned n = 0; n < BYTES / 8; n++)
        if (word(b, 8 * n, 0))
            put(t, word(b, 8 * n, 0) ^ n);
    memset(b->memory, 0, sizeof(b->memory));
}

static void anew(struct bench *b, u64 threshold)
{
    model_reset(b->r.model, &b->r.setup, &b->r.host);
    b->r.lvtpc &= ~LVTPC_MASK;
    buffer(b, threshold);
}

static void registers(struct transcript *t, struct bench *b)
{
    static const u32 written[] = {0x3f1, 0x3f2, 0x3f4, 0x3f5, 0x1903, 0x1983};
    static const u32 subleaves[] = {0, 4, 5};
    u32 native[4] = {0}, leaf[4];
    for_each_row (written, msr)
        for (unsigned bit = 0; bit < 64; bit++) {
            put(t, wr_faults(&b->r, *msr, 1ull << bit));
            put(t, rd_faults(&b->r, *msr) ? 1 : rd(&b->r, *msr));
        }
    put(t, rd(&b->r, 0x345));
    put(t, rd(&b->r, 0x1a0));
    for_each_row (written, msr) {
        put(t, wr_faults(&b->r, *msr, 0));
        put(t, rd_faults(&b->r, *msr) ? 1 : rd(&b->r, *msr));
    }
    for_each_row (subleaves, subleaf) {
        model_cpuid(b->r.model, 0x23, *subleaf, native, leaf);
        for (unsigned i = 0; i < 4; i++)
            put(t, leaf[i]);
    }
    wr(&b->r, 0x391, 1ull << 54);
    put(t, rd(&b->r, 0x38e));
    wr(&b->r, 0x390, 1ull << 54);
    put(t, rd(&b->r, 0x38e));
}

static void groups(struct transcript *t, struct bench *b)
{
    static const u64 each[] = {0, GPR, AUX, XMM, LBR(1), LBR(2), GP | ALLOW, YMMH, FIXED, ALL};
    for_each_row (each, groups) {
        bool metrics = !wr_faults(&b->r, 0x190b, METRICS);
        anew(b, 4096);
        wr(&b->r, 0x1907, ALLOW);
        wr(&b->r, 0x1983, ALLOW);
        wr(&b->r, 0x14ce, 0x7f0003);
        wr(&b->r, 0x309, 0x700000005);
        wr_faults(&b->r, 0x30c, 0x1234); /* not on each core */
        sample(b, 0, 20, *groups & ~(metrics ? 0 : METRICS));
        wr(&b->r, 0x186, *groups == AUX ? 0x4381d0 : 0x4300c4);
        wr(&b->r, 0x38f, 1);
        for (unsigned i = 0; i < 60; i++)
            step(b, RETIRED_BRANCH, i & 1 ? ACCESS_LOAD : ACCESS_STORE);
        put_state(t, b);
    }
}

/* Counters that count, some of which sample, with their own groups; one is turned off and on. */
static void counters(struct transcript *t, struct bench *b, unsigned last)
{
    anew(b, 4096);
    sample(b, 0, 30, GPR);
    sample(b, 2, 30, 0);
    sample(b, 6, 40, 0);
    sample(b, last, 35, 0);
    wr(&b->r, 0x187, INSTRUCTIONS);
    wr(&b->r, 0xc2, 0xfffffff0);
    wr(&b->r, 0x1983, PEBS_EN | (-25ull & 0xffffffff));
    wr(&b->r, 0x309, -25ull & 0xffffffffffff);
    wr(&b->r, 0x38d, 0xb);
    wr(&b->r, 0x38f, 1ull << 32 | ((2ull << last) - 1));
    steps(b, 200);
    put_state(t, b);
    wr(&b->r, 0x1903, rd(&b->r, 0x1903) & ~(PEBS_EN | GPR));
    steps(b, 200);
    put_state(t, b);
    wr(&b->r, 0x1903, PEBS_EN);
    steps(b, 300);
    put_state(t, b);
}

static void thresholds(struct transcript *t, struct bench *b)
{
    static const u64 each[] = {64, 128, 80, 0, 8192};
    for_each_row (each, bytes) {
        anew(b, *bytes);
        sample(b, 0, 20, 0);
        wr(&b->r, 0x1d9, 0);
        wr(&b->r, 0x38f, 1);
        for (unsigned i = 0; i < 12; i++) {
            b->r.lvtpc &= ~LVTPC_MASK;
            steps(b, 20);
            put(t, rd(&b->r, 0x38e));
            steps(b, 1);
            put(t, rd(&b->r, 0x38e));
            put(t, b->r.interrupts);
        }
        drain(b);
        steps(b, 200);
        put_state(t, b);
    }
    anew(b, 64);
    sample(b, 0, 20, 0);
    wr(&b->r, 0x1d9, 1 << 12);
    wr(&b->r, 0x38f, 1);
    steps(b, 100);
    put_state(t, b);
}

static void full(struct transcript *t, struct bench *b)
{
    static const u64 indices[] = {INDEX_EN | INDEX_FULL | THRESHOLD(64), THRESHOLD(64)};
    for (unsigned size = 0; size < 2; size++)
        for (u64 at = 4000; at < 4096; at += 16) {
            anew(b, 1 << 20);
            wr(&b->r, 0x3f4, BASE | size);
            wr(&b->r, 0x3f5, rd(&b->r, 0x3f5) | at);
            sample(b, 0, 20, 0);
            wr(&b->r, 0x38f, 1);
            steps(b, 21);
            put(t, rd(&b->r, 0x3f5));
            steps(b, 69);
            put_state(t, b);
            drain(b);
            steps(b, 90);
            put_state(t, b);
        }
    for_each_row (indices, index) {
        anew(b, 64);
        wr(&b->r, 0x3f5, *index);
        sample(b, 0, 20, 0);
        wr(&b->r, 0x38f, 1);
        steps(b, 60);
        put_state(t, b);
    }
}

/* Records before and after a write that names another buffer. */
static void two_buffers(struct transcript *t, struct bench *b)
{
    anew(b, 4096);
    sample(b, 0, 20, 0);
    wr(&b->r, 0x38f, 1);
    steps(b, 30);
    wr(&b->r, 0x3f4, BASE + 4096);
    steps(b, 50);
    put_state(t, b);
}

static void without_reload(struct transcript *t, struct bench *b)
{
    anew(b, 64);
    sample(b, 0, 20, 0);
    wr(&b->r, 0x1903, PEBS_EN);
    wr(&b->r, 0x38f, 1);
    steps(b, 60);
    put_state(t, b);
}

static void script(struct transcript *t, const char *deviation, u32 cpu)
{
    struct bench b;
    open_on(&b, "panther-lake", deviation, cpu);
    registers(t, &b);
    groups(t, &b);
    counters(t, &b, cpu ? 7 : 9);
    thresholds(t, &b);
    full(t, &b);
    two_buffers(t, &b);
    without_reload(t, &b);
    rig_close(&b.r);
}

static void run(struct transcript *t, const char *deviation)
{
    memset(t, 0, sizeof(*t));
    script(t, deviation, 0);
    script(t, deviation, 3);
}

static struct transcript with, without;

CASE(each_shows)
{
    unsigned silent = 0, of_it = 0;
    run(&without, NULL);
    run(&with, NULL);
    assert_memory_equal(&with, &without, sizeof(with));
    for (unsigned i = 0; i < deviation_count; i++) {
        if (strncmp(deviations[i]->name, "apebs-", 6))
            continue;
        of_it++;
        run(&with, deviations[i]->name);
        if (!memcmp(&with, &without, sizeof(with))) {
            print_error("%s shows nowhere\n", deviations[i]->name);
            silent++;
        }
    }
    assert_int_equal(silent, 0);
    assert_true(of_it >= 35);
}

int main(void)
{
    return run_cases();
}
