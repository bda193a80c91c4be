/* links: kernel/core/tsc_rate_pure.c */
#include "kernel/core/tsc_rate.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void rates(void **state)
{
    (void)state;
    assert_int_equal(tsc_rate_khz(30000000, 35795, 3579545), 3000037);
    assert_int_equal(tsc_rate_khz(50000000, 1000000, 100000000), 5000000);
    assert_int_equal(tsc_rate_khz(1, 0, 1000), 0);
    assert_int_equal(tsc_rate_crystal(2, 250, 24000000), 3000000);
    assert_int_equal(tsc_rate_crystal(2, 250, 0), 0);
    assert_int_equal(tsc_rate_crystal(0, 250, 24000000), 0);
    assert_int_equal(tsc_rate_crystal(1, 0xffffffff, 0xffffffff), 0xfffffffe00000001ull / 1000);
}

static void comparison(void **state)
{
    static const struct {
        u64 khz[3];
        unsigned median;
    } rows[] = {
        {{1, 2, 3}, 1}, {{3, 2, 1}, 1}, {{2, 1, 3}, 0}, {{2, 3, 1}, 0}, {{1, 3, 2}, 2}, {{3, 1, 2}, 2}, {{5, 5, 9}, 0},
    };
    (void)state;
    for_each_row (rows, row)
        assert_int_equal(tsc_rate_median(row->khz), row->median);
    assert_int_equal(tsc_rate_apart_ppm(1000000, 999000), 1000);
    assert_int_equal(tsc_rate_apart_ppm(999000, 1000000), 1000);
    assert_int_equal(tsc_rate_apart_ppm(0, 0), 0);
    assert_int_equal(tsc_rate_apart_ppm(0, 5), 1000000);
}

static void conversions(void **state)
{
    (void)state;
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
        cmocka_unit_test(comparison),
        cmocka_unit_test(conversions),
    };
    return cmocka_run_group_tests_name("tsc_rate", tests, NULL, NULL);
}
