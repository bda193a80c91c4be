/* links: pmu/reference/model/ pmu/reference/deviations/ */
/*
 * Architectural PEBS of the reference PMU: registers, which counters write records, where they go, what they have and
 * what follows. Numbers typed from the manual's tables and the drivers' layouts.
 */
#include "tests/host/model/model_rig.h"

#define BASE 0x200000ull /* physical */
#define BYTES 0x8000ull
#define CODE 0x400000ull
#define INDEX_EN (1ull << 32)
#define INDEX_FULL (1ull << 31)
#define THRESHOLD(bytes) ((u64)(bytes) / 16 << 36)
#define PEBS_EN (1ull << 63)
#define INSTRUCTIONS 0x4300c0ull /* OS, USR, EN */

struct bench {
    struct rig r;
    u8 memory[BYTES];
    u64 k; /* instructions so far */
};

static bool physical_write(void *context, u64 address, const void *from, u32 count)
{
    return rig_memory_write(context, address, from, count);
}

static void open_on(struct bench *b, const char *profile, const char *deviation, u32 cpu)
{
    memset(b, 0, sizeof(*b));
    rig_open_on(&b->r, profile, deviation, 1, cpu);
    b->r.memory = b->memory;
    b->r.address = BASE;
    b->r.size = BYTES;
    b->r.host.physical_write = physical_write;
    for (unsigned i = 1; i < 16; i++)
        b->r.registers.general[i] = 0x1111111111111111ull * i;
    for (unsigned i = 0; i < 16; i++) {
        b->r.registers.xmm[i][0] = 0x100 + i;
        b->r.registers.xmm[i][1] = 0x200 + i;
    }
    b->r.registers.rflags = 0x246;
    model_reset(b->r.model, &b->r.setup, &b->r.host);
}

static void step(struct bench *b, enum retired_kind kind, u8 access)
{
    struct retired in = {.kind = kind, .access = access, .taken = true, .rip = CODE + 4 * b->k};
    in.address = access ? 0x123456789ab0ull + 8 * b->k : 0;
    b->r.registers.general[0] = b->k++;
    b->r.registers.rip = CODE + 4 * b->k;
    model_retire(b->r.model, &in);
}

static void steps(struct bench *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        step(b, RETIRED_PLAIN, ACCESS_NONE);
}

/* Counter n, which has the precise distribution if n is below 2, samples instructions every `period`. */
static void sample(struct bench *b, unsigned n, u64 period, u64 groups)
{
    struct rig *r = &b->r;
    wr(r, 0x1900 + 4 * n, -period & 0xffffffffffffull);
    wr(r, 0x1903 + 4 * n, PEBS_EN | groups | (-period & 0xffffffff));
    wr(r, 0x1901 + 4 * n, INSTRUCTIONS);
}

/* One page, a PMI after so many bytes. */
static void buffer(struct bench *b, u64 threshold)
{
    wr(&b->r, 0x3f4, BASE);
    wr(&b->r, 0x3f5, INDEX_EN | THRESHOLD(threshold));
}

static u64 word(const struct bench *b, u64 offset, unsigned n)
{
    u64 value;
    memcpy(&value, b->memory + offset + 8 * n, sizeof(value));
    return value;
}

static u64 written(struct bench *b)
{
    return rd(&b->r, 0x3f5) & 0x7fffff0;
}

static void registers(void **state)
{
    struct rig r;
    (void)state;
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

/* Every 100th instruction and the one after it: an overflow arms, the next occurrence is in the record. */
static void basic(void **state)
{
    struct bench b;
    (void)state;
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

/* A PMI and STATUS[54] with the record that reaches the threshold, and none while the bit stands. */
static void threshold(void **state)
{
    struct bench b;
    (void)state;
    open_on(&b, "panther-lake", NULL, 0);
    buffer(&b, 128);
    sample(&b, 1, 10, 0);
    wr(&b.r, 0x38f, 2);
    steps(&b, 21);
    assert_int_equal(rd(&b.r, 0x38e), 2); /* the overflow that has armed */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers), cmocka_unit_test(basic),
                                       cmocka_unit_test(threshold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
