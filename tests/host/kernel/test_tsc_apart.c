/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/cpu/cpus.h"
#include "tests/host/case.h"

/* The estimate for a CPU that is ahead by `ahead`, when a round trip takes `there` and `back` ticks. */
static struct tsc_round round_of(s64 ahead, u64 asked, u64 there, u64 back)
{
    return (struct tsc_round){asked, asked + there + (u64)ahead, asked + there + back};
}

static bool holds(const struct tsc_apart *apart, s64 ahead)
{
    s64 off = apart->ticks - ahead;
    return apart->known && (off < 0 ? -off : off) <= (s64)apart->bound;
}

CASE(the_truth_is_within_the_bound)
{
    static const s64 aheads[] = {0, 1, -1, 90000000000, -90000000000};
    static const u64 ways[] = {0, 1, 100, 101, 5000000};
    for_each_row (aheads, ahead)
        for_each_row (ways, there)
            for_each_row (ways, back)
                for (u64 asked = 0; asked < 3; asked++) {
                    struct tsc_apart apart = {0};
                    tsc_apart_take(&apart, round_of(*ahead, asked - 1, *there, *back));
                    assert_true(holds(&apart, *ahead));
                }
}

CASE(the_shortest_round_tells_most)
{
    struct tsc_apart apart = {0};
    tsc_apart_take(&apart, round_of(7000, 100, 10, 90000));
    tsc_apart_take(&apart, round_of(7000, 200000, 110, 90));
    tsc_apart_take(&apart, round_of(7000, 300000, 50000, 10));
    assert_int_equal(apart.bound, 101);
    assert_int_equal(apart.ticks, 7010);
}

CASE(far_is_more_than_the_measurement_explains)
{
    struct tsc_apart boot = {.known = true}, apart = {.known = true, .ticks = 100 * 300, .bound = 300};
    assert_false(tsc_apart_far(&boot));
    assert_false(tsc_apart_far(&apart));
    apart.ticks = 101 * 300;
    assert_true(tsc_apart_far(&apart));
    apart.ticks = -101 * 300;
    assert_true(tsc_apart_far(&apart));
    apart.ticks = INT64_MIN;
    assert_true(tsc_apart_far(&apart));
    apart.known = false;
    assert_false(tsc_apart_far(&apart));
}

CASE(one_line_for_what_is_alike)
{
    struct tsc_apart boot = {.known = true}, near = {.known = true, .ticks = -250, .bound = 300};
    struct tsc_apart far = {.known = true, .ticks = 9000000, .bound = 300}, as_far = far, unknown = {0};
    assert_true(tsc_apart_alike(&boot, &near));
    assert_false(tsc_apart_alike(&near, &far));
    assert_false(tsc_apart_alike(&boot, &unknown));
    as_far.ticks += 600;
    assert_true(tsc_apart_alike(&far, &as_far));
    as_far.ticks += 1;
    assert_false(tsc_apart_alike(&far, &as_far));
    near.adjusts = true;
    assert_false(tsc_apart_alike(&boot, &near));
    boot.adjusts = true;
    assert_true(tsc_apart_alike(&boot, &near));
    near.adjustment = 1;
    assert_false(tsc_apart_alike(&boot, &near));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_truth_is_within_the_bound),
        cmocka_unit_test(the_shortest_round_tells_most),
        cmocka_unit_test(far_is_more_than_the_measurement_explains),
        cmocka_unit_test(one_line_for_what_is_alike),
    };
    return cmocka_run_group_tests_name("tsc_apart", tests, NULL, NULL);
}
