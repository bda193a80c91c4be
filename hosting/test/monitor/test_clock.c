/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest's clock follows the machine's, unless a CPU is stepped and no other reads the machine's by itself: then it
 * follows the model's ticks. It never goes back, and the timers count with it. */
#include "boot/cpu.h"
#include "hosting/monitor/guest/clock.h"
#include "tests/host/case.h"

#define KHZ 2400000
#define TIMER_KHZ 24000 /* a hundred ticks each */
#define BY_1 0xb
#define PERIODIC BIT(17)

static struct clock_cpu started(void)
{
    struct clock_cpu cpu;
    clock_cpu_start(&cpu, KHZ, TIMER_KHZ);
    return cpu;
}

/* One CPU, unstepped: the machine's time. Stepped: the time of its instructions. */
CASE(passing)
{
    struct clock c;
    struct clock_cpu cpu = started();
    clock_start(&c, 1000);
    clock_pass(&c, &cpu, 5000, 60);
    assert_int_equal(c.now, 4000);
    clock_go(&c, &cpu, CLOCK_ALONE, 5000);
    assert_int_equal(clock_offset(&c, &cpu), (uint64_t)-1000);
    clock_pass(&c, &cpu, 6000, 70);
    assert_int_equal(c.now, 5000);
    clock_pass(&c, &cpu, 5500, 75); /* a machine's clock that goes back is not followed */
    assert_int_equal(c.now, 5000);
    assert_false(clock_withheld(&c));
    clock_go(&c, &cpu, CLOCK_STEPPED, 6001);
    assert_true(clock_withheld(&c));
    assert_int_equal(c.now, 5001);
    clock_pass(&c, &cpu, 1ull << 60, 85);
    assert_int_equal(c.now, 5011);
    clock_go(&c, &cpu, CLOCK_ALONE, 1ull << 60); /* from here on the machine's again */
    assert_int_equal(c.now, 5011);
    clock_pass(&c, &cpu, (1ull << 60) + 9, 85);
    assert_int_equal(c.now, 5020);
    cpu.adjust = 100;
    assert_int_equal((1ull << 60) + 9 + clock_offset(&c, &cpu), 5120);
}

/* Time is withheld only once no CPU reads the machine's clock by itself, and then from all CPUs. */
CASE(withheld)
{
    struct clock c;
    struct clock_cpu stepped = started(), other = started();
    clock_start(&c, 0);
    clock_go(&c, &other, CLOCK_ALONE, 10);
    clock_go(&c, &stepped, CLOCK_STEPPED, 20);
    assert_false(clock_withheld(&c));
    clock_pass(&c, &stepped, 30, 1000);
    assert_int_equal(c.now, 30);
    clock_go(&c, &other, CLOCK_AWAY, 40);
    assert_true(clock_withheld(&c));
    assert_int_equal(c.now, 40); /* and not less than it could read until then */
    clock_go(&c, &other, CLOCK_ASKS, 50);
    clock_pass(&c, &other, 60, 5000);
    assert_int_equal(c.now, 40); /* its instructions do not advance the clock */
    clock_pass(&c, &stepped, 70, 1007);
    assert_int_equal(c.now, 47);
    assert_int_equal(clock_offset(&c, &other), 0);
    clock_go(&c, &stepped, CLOCK_AWAY, 147);
    assert_false(clock_withheld(&c));
    clock_go(&c, &other, CLOCK_ALONE, 148);
    assert_int_equal(c.now, 48);
    assert_int_equal(clock_offset(&c, &other), (uint64_t)-100);
}

/* Of two CPUs the one ahead tells the time, and the other is drawn along: it tells the time when the first one stops.
 * */
CASE(two_stepped)
{
    struct clock c;
    struct clock_cpu fast = started(), slow = started();
    clock_start(&c, 0);
    clock_go(&c, &fast, CLOCK_STEPPED, 0);
    clock_go(&c, &slow, CLOCK_STEPPED, 0);
    clock_pass(&c, &fast, 0, 300);
    clock_pass(&c, &slow, 0, 200);
    assert_int_equal(c.now, 300);
    clock_pass(&c, &slow, 0, 350);
    assert_int_equal(c.now, 350);
    clock_pass(&c, &fast, 0, 1000000);
    clock_pass(&c, &slow, 0, 351);
    assert_int_equal(c.now, 1000000);
    clock_go(&c, &fast, CLOCK_AWAY, 0);
    clock_pass(&c, &slow, 0, 351 + CLOCK_BEHIND_MOST + 4);
    assert_int_equal(c.now, 1000005);
}

/* Time of system management mode cannot be hidden if a CPU could not follow. */
CASE(losing)
{
    struct clock c;
    struct clock_cpu cpu = started(), other = started();
    clock_start(&c, 0);
    assert_true(clock_lose(&c, &cpu, 7));
    clock_pass(&c, &cpu, 3, 0);
    assert_int_equal(c.now, 10);
    clock_go(&c, &cpu, CLOCK_STEPPED, 3);
    assert_true(clock_lose(&c, &cpu, 5));
    clock_pass(&c, &cpu, 9, 1);
    assert_int_equal(c.now, 16);
    clock_go(&c, &other, CLOCK_ALONE, 9);
    assert_false(clock_lose(&c, &cpu, 7));
    clock_pass(&c, &cpu, 10, 1);
    assert_int_equal(c.now, 17);
}

/* Each divisor of the register. SDM 3A, "APIC Timer". */
CASE(divisors)
{
    static const struct {
        u32 divide;
        u64 by;
    } rows[] = {{0, 2}, {1, 4}, {2, 8}, {3, 16}, {8, 32}, {9, 64}, {10, 128}, {11, 1}};
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        struct clock_cpu cpu = started();
        struct clock_timer *t = &cpu.timer;
        u64 now = 0;
        clock_timer_write(t, APIC_TIMER_DIVIDE, rows[i].divide, now);
        clock_timer_write(t, APIC_TIMER_INITIAL, 3, now);
        assert_int_equal(clock_timer_left(t, now), 300 * rows[i].by);
        assert_int_equal(clock_timer_read(t, APIC_TIMER_CURRENT, now), 3);
        now = 100 * rows[i].by;
        assert_int_equal(clock_timer_read(t, APIC_TIMER_CURRENT, now), 2);
        now = 100 * rows[i].by + 1;
        assert_int_equal(clock_timer_read(t, APIC_TIMER_CURRENT, now), 1);
    }
}

CASE(once)
{
    struct clock_cpu cpu = started();
    struct clock_timer *t = &cpu.timer;
    u64 now = 0;
    clock_timer_write(t, APIC_TIMER_DIVIDE, BY_1, now);
    clock_timer_write(t, APIC_TIMER_INITIAL, ~0u, now);
    assert_int_equal(clock_timer_read(t, APIC_TIMER_CURRENT, now), ~0u);
    assert_false(clock_timer_awaited(t)); /* masked, as after a reset */
    clock_timer_write(t, APIC_LVT_TIMER, 0x30, now);
    assert_true(clock_timer_awaited(t));
    clock_timer_write(t, APIC_TIMER_INITIAL, 5, now);
    now = 499;
    assert_false(clock_timer_reached(t, now));
    now = 500;
    assert_true(clock_timer_reached(t, now));
    assert_int_equal(clock_timer_read(t, APIC_TIMER_CURRENT, now), 0);
    clock_timer_over(t, now);
    assert_false(clock_timer_reached(t, now));
    assert_false(clock_timer_awaited(t));
    assert_int_equal(clock_timer_read(t, APIC_TIMER_INITIAL, now), 5);
    clock_timer_write(t, APIC_TIMER_INITIAL, 0, now);
    assert_false(clock_timer_reached(t, now));
}

/* It restarts from where it ended, however late that was noticed; all periods that have passed are one interrupt. */
CASE(over_and_over)
{
    struct clock_cpu cpu = started();
    struct clock_timer *t = &cpu.timer;
    u64 now = 0;
    clock_timer_write(t, APIC_TIMER_DIVIDE, BY_1, now);
    clock_timer_write(t, APIC_LVT_TIMER, PERIODIC | 0x30, now);
    clock_timer_write(t, APIC_TIMER_INITIAL, 5, now);
    now = 520;
    assert_true(clock_timer_reached(t, now));
    clock_timer_over(t, now);
    assert_int_equal(clock_timer_left(t, now), 480);
    now = 2600;
    clock_timer_over(t, now);
    assert_int_equal(clock_timer_left(t, now), 400);
    clock_timer_over(t, now); /* the machine's timer was early */
    assert_int_equal(clock_timer_left(t, now), 900);
    clock_timer_write(t, APIC_TIMER_INITIAL, 0, now);
    assert_false(clock_timer_awaited(t));
}

/* With another divisor the count goes on from its value. The current count cannot be written. */
CASE(changing)
{
    struct clock_cpu cpu = started();
    struct clock_timer *t = &cpu.timer;
    u64 now = 0;
    clock_timer_write(t, APIC_TIMER_DIVIDE, BY_1, now);
    clock_timer_write(t, APIC_TIMER_INITIAL, 8, now);
    now = 400;
    clock_timer_write(t, APIC_TIMER_DIVIDE, 0, now);
    assert_int_equal(clock_timer_read(t, APIC_TIMER_CURRENT, now), 4);
    assert_int_equal(clock_timer_left(t, now), 800);
    clock_timer_write(t, APIC_TIMER_CURRENT, 1, now);
    assert_int_equal(clock_timer_left(t, now), 800);
    assert_int_equal(clock_timer_read(t, APIC_TIMER_DIVIDE, now), 0);
    assert_int_equal(clock_timer_read(t, APIC_LVT_TIMER, now), LVT_MASKED);
}

/* INIT stops the timer, but not the TSC. SDM 3A, "Local APIC State After an INIT Reset". */
CASE(resetting)
{
    struct clock_cpu cpu = started();
    cpu.adjust = 5;
    clock_timer_write(&cpu.timer, APIC_LVT_TIMER, 0x30, 0);
    clock_timer_write(&cpu.timer, APIC_TIMER_DIVIDE, BY_1, 0);
    clock_timer_write(&cpu.timer, APIC_TIMER_INITIAL, 5, 0);
    clock_timer_reset(&cpu);
    assert_false(clock_timer_awaited(&cpu.timer));
    assert_int_equal(clock_timer_read(&cpu.timer, APIC_LVT_TIMER, 0), LVT_MASKED);
    assert_int_equal(clock_timer_read(&cpu.timer, APIC_TIMER_INITIAL, 0), 0);
    assert_int_equal(clock_timer_read(&cpu.timer, APIC_TIMER_DIVIDE, 0), 0);
    clock_timer_write(&cpu.timer, APIC_TIMER_DIVIDE, BY_1, 0);
    clock_timer_write(&cpu.timer, APIC_TIMER_INITIAL, 5, 0);
    assert_int_equal(clock_timer_left(&cpu.timer, 0), 500);
    assert_int_equal(cpu.adjust, 5);
}

CASE(registers)
{
    assert_true(clock_timer_owns(APIC_LVT_TIMER));
    assert_true(clock_timer_owns(APIC_TIMER_CURRENT));
    assert_false(clock_timer_owns(APIC_LVT_PC));
    assert_int_equal(clock_ns(KHZ, KHZ), 1000000);
    assert_int_equal(clock_ns(1ull << 62, KHZ), (1ull << 62) / 12 * 5 + 1);
}

int main(void)
{
    return run_cases();
}
