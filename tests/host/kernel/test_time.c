/* SPDX-License-Identifier: BSD-2-Clause */
/* Time: the TSC's rate, allowances, CPUs whose TSCs are apart. */
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
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

/* 1000 ticks are 100 us. */
#define BEGIN 5000
#define TICKS 1000
#define US 100

/* The work of one CPU. */
static struct work done(u64 us)
{
    return (struct work){us, us};
}

CASE(time_alone)
{
    struct allowance a = allowance_in_time(BEGIN, TICKS);
    assert_false(allowance_over(&a, BEGIN, done(0)));
    assert_false(allowance_over(&a, BEGIN + TICKS - 1, done(1000 * US)));
    assert_true(allowance_over(&a, BEGIN + TICKS, done(0)));
}

/* Checks the allowance once a tick, with `us` microseconds of work for each thousand ticks. Returns the ticks until it
 * is over. */
static u64 over_after(u64 us, u64 most)
{
    struct allowance a = allowance_counted(BEGIN, TICKS, done(7), US);
    for (u64 ticks = 0; ticks < most; ticks++)
        if (allowance_over(&a, BEGIN + ticks, done(7 + ticks * us / 1000)))
            return ticks;
    return most;
}

CASE(time_and_work)
{
    assert_in_range(over_after(US, 100000), TICKS, TICKS * 11 / 10);
    assert_in_range(over_after(20 * US, 100000), TICKS, TICKS * 11 / 10); /* a fast machine has its time, too */
    assert_in_range(over_after(US / 4, 100000), 4 * TICKS, 5 * TICKS);    /* a slow machine has more */
}

CASE(nothing_done)
{
    assert_in_range(over_after(0, 100000), TICKS, TICKS * 11 / 10);
    struct allowance a = allowance_counted(BEGIN, TICKS, done(7), US);
    u64 now = BEGIN, work = 7;
    for (; work < 7 + US / 2; now += TICKS / 4)
        assert_false(allowance_over(&a, now, done(work++)));
    u64 last = now;
    while (!allowance_over(&a, now, done(work)))
        now++;
    assert_in_range(now - last, TICKS * 9 / 10, TICKS * 12 / 10);
}

/* The host stops all CPUs: the first CPU that checks afterwards must not blame the others. */
CASE(time_jumps)
{
    struct allowance a = allowance_counted(BEGIN, TICKS, done(7), US);
    assert_false(allowance_over(&a, BEGIN + 1, done(8)));
    assert_false(allowance_over(&a, BEGIN + 100 * TICKS, done(8)));
    assert_false(allowance_over(&a, BEGIN + 102 * TICKS, done(9)));
    assert_true(allowance_over(&a, BEGIN + 103 * TICKS, done(7 + US)));
}

/* Two CPUs: one waits for the other, which works but does not finish. */
CASE(one_of_two)
{
    struct allowance a = allowance_counted(BEGIN, TICKS, (struct work){1000, 0}, US);
    assert_false(allowance_over(&a, BEGIN + TICKS, (struct work){1000 + US - 1, US - 1}));
    assert_true(allowance_over(&a, BEGIN + 2 * TICKS, (struct work){1000 + US, US}));
    /* Both have used half of the allowance of one. */
    a = allowance_counted(BEGIN, TICKS, (struct work){1000, 0}, US);
    assert_false(allowance_over(&a, BEGIN + TICKS, (struct work){1000 + US, US / 2}));
}

/* Firmware may have set the TSC so that it wraps meanwhile. */
CASE(clock_wraps)
{
    u64 begin = 0 - (u64)TICKS / 2;
    struct allowance a = allowance_in_time(begin, TICKS), counted = allowance_counted(begin, TICKS, done(7), US);
    assert_false(allowance_over(&a, begin, done(0)));
    assert_false(allowance_over(&a, begin + TICKS - 1, done(0)));
    assert_true(allowance_over(&a, begin + TICKS, done(0)));
    for (u64 ticks = 0; ticks < TICKS; ticks++)
        assert_false(allowance_over(&counted, begin + ticks, done(7 + ticks)));
    assert_true(allowance_over(&counted, begin + 2 * TICKS, done(7 + TICKS)));
}

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
    return run_cases();
}
