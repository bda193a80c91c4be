/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that are stopped while a PMI is on its way leave nothing of it behind. Once the overflow bit is cleared and
 * the counter started again, far from its end, no PMI comes; and the next overflow raises one, which must not be
 * missing as if the old one were still pending. The stop comes one instruction to many instructions after the overflow,
 * in turn with interrupts on, off until the counters have stopped, and off with LVTPC masked right after the stop.
 *
 * Whether the PMI on its way still comes is not promised and is measured. A second PMI without an overflow is legal
 * (AAJ119, BV43). CPUs whose status bits may stay set if a counter is stopped as it overflows are left alone.
 *
 * Profilers stop the counters at any moment.
 */
#include "harness/test.h"

#define K 20 /* 246 instructions */

enum way { OPEN, PENDING, MASKED, WAYS };
static const char *const came[WAYS] = {"came-open", "came-pending", "came-masked"};
static const u8 places[] = {2, 1, 3, 4, 8, 16, 32, 64, 128, 200}; /* instructions from the overflow to the stop */

static void stop_on_the_way(struct test *t, struct counter c, u64 place, enum way way)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, 0);
    run_block(t, BIT(c.bit), K);
    u64 all = counter_read(c);
    counter_write(c, counter_preset(c, all > place ? all - place : 1));
    pmi_open(PMI_FIXED, PMI_ACK);
    if (way == OPEN)
        interrupts_on();
    run_block(t, BIT(c.bit), K);
    if (way == MASKED)
        apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) | LVT_MASKED);
    interrupts_on();
    measure(t, came[way], "pmis", pmi_settled());
    pmi_close();
    pmu_status_clear(BIT(c.bit));
}

static void start_again(struct test *t, struct counter c)
{
    u32 shown = 0;
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, 0);
    pmi_listen(PMI_FIXED, PMI_ACK);
    run_block(t, BIT(c.bit), K);
    settle();
    check_equal(t, "at-restart", pmi_log()->count, 0, 0);
    pmi_close();
    pmi_listen(PMI_FIXED, PMI_ACK);
    provoke_overflow(t, c, COUNT_OS | COUNT_INT);
    pmi_wait(1);
    pmi_settled();
    for (u32 i = 0; i < pmi_log()->count && i < PMI_RECORDS; i++)
        shown += pmi_log()->record[i].status >> c.bit & 1;
    check_equal(t, "next", shown, 1, c.msr);
    pmi_close();
    counter_clear(c);
    pmu_status_clear(BIT(c.bit));
}

static bool one_place(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct counter c = list[t->turn % n];
    enum way way = (t->turn + t->turn / n) % WAYS; /* each counter gets each way */
    stop_on_the_way(t, c, places[t->turn / WAYS % ARRAY_SIZE(places)], way);
    start_again(t, c);
    return t->turn + 1 < WAYS || budget().repeats > QUICK_REPEATS;
}

TEST("pmi.stopped-on-the-way", .title = "Counters stopped while a PMI is on its way leave nothing of it behind",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-046,B-050",
     .needs = {.version = 2, .event = 2, .apic = true, .bits_clear = true}, .scope = EACH_CPU, .repeat = one_place,
     .measures = true);
