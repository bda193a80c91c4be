/* links: pmu/reference/model/ pmu/reference/deviations/ */
/*
 * Architectural PEBS of the reference PMU: registers, which counters write records, where they go, what they have and
 * what follows. Numbers typed from the manual's tables and the drivers' layouts.
 */
#include "tests/host/model/apebs_rig.h"

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
