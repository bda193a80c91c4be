/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/time.h"
#include "tests/host/case.h"

CASE(rates)
{
    assert_int_equal(tsc_rate_khz(30000000, 35795, 3579545), 3000037);
    assert_int_equal(tsc_rate_khz(50000000, 1000000, 100000000), 5000000);
    assert_int_equal(tsc_rate_khz(1, 0, 1000), 0);
    assert_int_equal(tsc_rate_crystal(2, 250, 24000000), 3000000);
    assert_int_equal(tsc_rate_crystal(2, 250, 0), 0);
    assert_int_equal(tsc_rate_crystal(0, 250, 24000000), 0);
    assert_int_equal(tsc_rate_crystal(1, 0xffffffff, 0xffffffff), 0xfffffffe00000001ull / 1000);
}

/* MSR_PLATFORM_INFO as real machines have it: Nehalem at 3.2 GHz, Broadwell, Skylake, Knights Landing at 1.3 GHz. */
CASE(stated)
{
    static const struct {
        u32 signature;
        u64 platform_info, khz;
    } rows[] = {
        {0x000106a4, 0xc0038001800, 3200000},
        {0x000306d4, 0x5053bf3011800, 2400000},
        {0x000506e3, 0x80838f1012100, 3300000},
        {0x00050671, 0xd00, 1300000},
        {0x000206c2, 0x1700, 3066666},
        {0x000506c9, 0xb00, 1100000},
        {0x000b06f2, 0x1000, 1600000},
        {0x000506e3, 0, 0},
        {0x00030678, 0x1200, 0},
        {0x000106c2, 0xc00, 0},
        {0x000406c3, 0x1000, 0},
        {0x000006fb, 0x1800, 0},
        {0x0001067a, 0x1800, 0},
        {0x00000f4a, 0x1800, 0},
        {0x00a20f10, 0x2400, 0},
        {0x00130f01, 0x1800, 0},
    };
    for_each_row (rows, row) {
        assert_int_equal(tsc_rate_ratio(row->signature, row->platform_info), row->khz);
        assert_true(tsc_rate_has_ratio(row->signature) || !row->khz);
    }
    assert_false(tsc_rate_has_ratio(0x00030678));
    assert_int_equal(tsc_rate_base(0xe10), 3600000);
    assert_int_equal(tsc_rate_base(0xffff0e10), 3600000); /* the upper half is reserved */
    assert_int_equal(tsc_rate_base(0), 0);
}

CASE(comparison)
{
    static const struct {
        u64 khz[3];
        unsigned median;
    } rows[] = {
        {{1, 2, 3}, 1}, {{3, 2, 1}, 1}, {{2, 1, 3}, 0}, {{2, 3, 1}, 0}, {{1, 3, 2}, 2}, {{3, 1, 2}, 2}, {{5, 5, 9}, 0},
    };
    for_each_row (rows, row)
        assert_int_equal(tsc_rate_median(row->khz), row->median);
    assert_int_equal(tsc_rate_apart_ppm(1000000, 999000), 1000);
    assert_int_equal(tsc_rate_apart_ppm(999000, 1000000), 1000);
    assert_int_equal(tsc_rate_apart_ppm(0, 0), 0);
    assert_int_equal(tsc_rate_apart_ppm(0, 5), 1000000);
}

CASE(conversions)
{
    assert_int_equal(tsc_rate_us(2999999, 3000000), 999);
    assert_int_equal(tsc_rate_ticks(20, 2400000), 48000);
    assert_int_equal(tsc_rate_ticks(1, 999), 0);
    /* Ten years of uptime at 5 GHz. */
    assert_true(tsc_rate_us(315576000ull * 5000000000ull, 5000000) == 315576000ull * 1000000);
    assert_true(tsc_rate_ticks(315576000ull * 1000000, 5000000) == 315576000ull * 5000000000ull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(stated),
        cmocka_unit_test(comparison),
        cmocka_unit_test(conversions),
    };
    return cmocka_run_group_tests_name("tsc_rate", tests, NULL, NULL);
}
