/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/time.h"
#include "tests/host/case.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_alone), cmocka_unit_test(time_and_work), cmocka_unit_test(nothing_done),
        cmocka_unit_test(time_jumps), cmocka_unit_test(one_of_two),    cmocka_unit_test(clock_wraps),
    };
    return cmocka_run_group_tests_name("allowance", tests, NULL, NULL);
}
