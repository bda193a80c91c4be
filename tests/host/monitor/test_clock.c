/* links: pmu/reference/monitor/guest/clock_pure.c */
/* A guest's clock goes by the machine's while it runs, and by the model's ticks always; the timer counts with it. */
#include "boot/cpu.h"
#include "pmu/reference/monitor/guest/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define KHZ 2400000
#define TIMER_KHZ 24000 /* a hundred ticks each */
#define BY_1 0xb
#define PERIODIC BIT(17)

static struct clock started(void)
{
    struct clock c;
    clock_start(&c, KHZ, TIMER_KHZ, 1000, 50);
    return c;
}

/* By itself: the machine's time and what instructions took. Stepped: these alone. */
static void passing(void **state)
{
    struct clock c = started();
    (void)state;
    clock_pass(&c, 5000, 60);
    assert_int_equal(clock_tsc(&c), 10);
    clock_runs(&c, true);
    clock_pass(&c, 6000, 60);
    assert_int_equal(clock_tsc(&c), 1010);
    clock_pass(&c, 5500, 65); /* a machine's clock that goes back is not followed */
    assert_int_equal(clock_tsc(&c), 1015);
    clock_runs(&c, false);
    clock_pass(&c, 1ull << 60, 66);
    assert_int_equal(clock_tsc(&c), 1016);
}

/* Writing either register shifts both; time goes on from there, and the timer does not see it. */
static void shifting(void **state)
{
    struct clock c = started();
    (void)state;
    clock_timer_write(&c, APIC_TIMER_DIVIDE, BY_1);
    clock_timer_write(&c, APIC_TIMER_INITIAL, 10);
    clock_pass(&c, 0, 150);
    clock_set_tsc(&c, 7);
    assert_int_equal(clock_tsc(&c), 7);
    assert_int_equal(c.adjust, (uint64_t)(7 - 100));
    clock_set_adjust(&c, 1000);
    assert_int_equal(clock_tsc(&c), 1100);
    assert_int_equal(clock_timer_read(&c, APIC_TIMER_CURRENT), 9);
}

/* Each divisor of the register. SDM 3A, "APIC Timer". */
static void divisors(void **state)
{
    static const struct {
        u32 divide;
        u64 by;
    } rows[] = {{0, 2}, {1, 4}, {2, 8}, {3, 16}, {8, 32}, {9, 64}, {10, 128}, {11, 1}};
    (void)state;
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        struct clock c = started();
        clock_timer_write(&c, APIC_TIMER_DIVIDE, rows[i].divide);
        clock_timer_write(&c, APIC_TIMER_INITIAL, 3);
        assert_int_equal(clock_timer_left(&c), 300 * rows[i].by);
        assert_int_equal(clock_timer_read(&c, APIC_TIMER_CURRENT), 3);
        clock_pass(&c, 0, 50 + 100 * rows[i].by);
        assert_int_equal(clock_timer_read(&c, APIC_TIMER_CURRENT), 2);
        clock_pass(&c, 0, 50 + 100 * rows[i].by + 1);
        assert_int_equal(clock_timer_read(&c, APIC_TIMER_CURRENT), 1);
    }
}

static void once(void **state)
{
    struct clock c = started();
    (void)state;
    clock_timer_write(&c, APIC_TIMER_DIVIDE, BY_1);
    clock_timer_write(&c, APIC_TIMER_INITIAL, ~0u);
    assert_int_equal(clock_timer_read(&c, APIC_TIMER_CURRENT), ~0u);
    assert_false(clock_timer_awaited(&c)); /* masked, as after a reset */
    clock_timer_write(&c, APIC_LVT_TIMER, 0x30);
    assert_true(clock_timer_awaited(&c));
    clock_timer_write(&c, APIC_TIMER_INITIAL, 5);
    clock_pass(&c, 0, 50 + 499);
    assert_false(clock_timer_reached(&c));
    clock_pass(&c, 0, 50 + 500);
    assert_true(clock_timer_reached(&c));
    assert_int_equal(clock_timer_read(&c, APIC_TIMER_CURRENT), 0);
    clock_timer_over(&c);
    assert_false(clock_timer_reached(&c));
    assert_false(clock_timer_awaited(&c));
    assert_int_equal(clock_timer_read(&c, APIC_TIMER_INITIAL), 5);
    clock_timer_write(&c, APIC_TIMER_INITIAL, 0);
    assert_false(clock_timer_reached(&c));
}

/* It begins anew where it ended, however late that was seen; what has passed meanwhile is one interrupt. */
static void over_and_over(void **state)
{
    struct clock c = started();
    (void)state;
    clock_timer_write(&c, APIC_TIMER_DIVIDE, BY_1);
    clock_timer_write(&c, APIC_LVT_TIMER, PERIODIC | 0x30);
    clock_timer_write(&c, APIC_TIMER_INITIAL, 5);
    clock_pass(&c, 0, 50 + 520);
    assert_true(clock_timer_reached(&c));
    clock_timer_over(&c);
    assert_int_equal(clock_timer_left(&c), 480);
    clock_pass(&c, 0, 50 + 2600);
    clock_timer_over(&c);
    assert_int_equal(clock_timer_left(&c), 400);
    clock_timer_over(&c); /* the machine's own was early */
    assert_int_equal(clock_timer_left(&c), 900);
    clock_timer_write(&c, APIC_TIMER_INITIAL, 0);
    assert_false(clock_timer_awaited(&c));
}

/* With another divisor the count goes on from where it is. The current count takes no write. */
static void changing(void **state)
{
    struct clock c = started();
    (void)state;
    clock_timer_write(&c, APIC_TIMER_DIVIDE, BY_1);
    clock_timer_write(&c, APIC_TIMER_INITIAL, 8);
    clock_pass(&c, 0, 50 + 400);
    clock_timer_write(&c, APIC_TIMER_DIVIDE, 0);
    assert_int_equal(clock_timer_read(&c, APIC_TIMER_CURRENT), 4);
    assert_int_equal(clock_timer_left(&c), 800);
    clock_timer_write(&c, APIC_TIMER_CURRENT, 1);
    assert_int_equal(clock_timer_left(&c), 800);
    assert_int_equal(clock_timer_read(&c, APIC_TIMER_DIVIDE), 0);
    assert_int_equal(clock_timer_read(&c, APIC_LVT_TIMER), LVT_MASKED);
}

static void registers(void **state)
{
    (void)state;
    assert_true(clock_timer_owns(APIC_LVT_TIMER));
    assert_true(clock_timer_owns(APIC_TIMER_CURRENT));
    assert_false(clock_timer_owns(APIC_LVT_PC));
    assert_int_equal(clock_ns(KHZ, KHZ), 1000000);
    assert_int_equal(clock_ns(1ull << 62, KHZ), (1ull << 62) / 12 * 5 + 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(passing),   cmocka_unit_test(shifting),      cmocka_unit_test(divisors),
        cmocka_unit_test(once),      cmocka_unit_test(over_and_over), cmocka_unit_test(changing),
        cmocka_unit_test(registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
