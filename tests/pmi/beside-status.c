/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter's PMI comes whatever other overflow bits are set in IA32_PERF_GLOBAL_STATUS: one counter overflows with its
 * interrupt bit clear, or while LVTPC is masked, and keeps its overflow bit, then another with its interrupt bit set.
 * The handler finds both bits. Each two counters take their turn; a quick run draws them.
 *
 * If a program only polls one counter, that must not stop the samples of another.
 */
#include "harness/test.h"

/* Counters that overflow in any code. */
static unsigned overflowing(const struct test *t, struct counter list[COUNTERS_MAX])
{
    unsigned n = 0;
    for_each_counter (t, c)
        if (counts_anything(*c))
            list[n++] = *c;
    return n;
}

static bool one_pair(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = overflowing(t, list);
    u64 random = random_begin(t->position);
    u32 turn = t->turn / 2, step = 1 + (turn / n + random_below(&random, n - 1)) % (n - 1);
    struct counter stands = list[turn % n], asks = list[(turn + step) % n];
    provoke_overflow(t, stands, COUNT_OS | (t->turn & 1 ? COUNT_INT : 0));
    settle();
    pmi_listen(PMI_FIXED, 0);
    pmi_settle();
    bool unmasked = pmi_log()->count; /* a request that was held: then LVTPC is masked again */
    provoke_overflow(t, asks, COUNT_OS | COUNT_INT);
    if (!unmasked && check_delivered(t, asks.msr)) {
        u64 status = pmi_log()->record[0].status;
        check_true(t, "bit-lost", status & BIT(stands.bit), status, "the bit of the counter that overflowed before",
                   stands.msr);
        check_true(t, "bit-missing", status & BIT(asks.bit), status, "the requesting counter's bit", asks.msr);
    }
    pmu_status_clear(BIT(stands.bit) | BIT(asks.bit));
    pmi_close();
    counter_clear(stands);
    counter_clear(asks);
    return more_samples_of(t, 4 * n);
}

static void need_two(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = overflowing(t, list);
    if (n < 2)
        skip(t, "leaves 0AH and 23H: %u counters that count in any code, 2 are needed", n);
}

TEST("pmi.beside-status", .title = "A PMI comes although another counter's overflow bit is set",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-046",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_two, .repeat = one_pair);
