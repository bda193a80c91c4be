/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fixed counter 1 counts what a general-purpose counter counts with event 3CH: unhalted core cycles. If one write
 * starts them all and one write stops them, with the same block in between, all hold about the same value.
 *
 * They need not start in the same cycle, and the cost of starting is not promised: values that differ by an eighth and
 * a thousand cycles count as the same. A counter that counts only half of the cycles, or every third, differs more. If
 * the fixed counter stands still there is nothing to compare the others with.
 *
 * Fixed counter 2 and event 013CH count reference cycles, each by a clock that no manual names: their ratio is
 * measured.
 */
#include "harness/test.h"

#define K 2000          /* 24,000 instructions: no core takes fewer than 1,500 cycles for them */
#define K_REFERENCE 500 /* 6,000 more, so that a repeat stays short: an SMI discards it */
#define APART 1000

static void measure_reference(struct test *t)
{
    struct counter fixed = fixed_counter(t->caps, FIXED_REF_CYCLES), gp = gp_counter(t->caps, 0);
    if (!(t->caps->fixed_bitmap & BIT(FIXED_REF_CYCLES)) || !caps_event_available(t->caps, 2))
        return;
    counter_setup(gp, ARCH_EVENT_REF_CYCLES, COUNT_OS, 0);
    counter_setup(fixed, 0, COUNT_OS, 0);
    run_block(t, BIT(gp.bit) | BIT(fixed.bit), K_REFERENCE);
    u64 cycles = counter_read(gp);
    if (cycles)
        measure(t, "fixed-2-of-event-2", "permille", counter_read(fixed) * 1000 / cycles);
    counter_clear(fixed);
}

static bool pairing(struct test *t)
{
    struct counter list[COUNTERS_MAX], fixed = fixed_counter(t->caps, FIXED_CORE_CYCLES);
    unsigned n = gp_counters(t, list);
    u64 mask = BIT(fixed.bit);
    setup_counters(list, n, ARCH_EVENT_CORE_CYCLES, COUNT_OS);
    counter_setup(fixed, 0, COUNT_OS, 0);
    for (unsigned i = 0; i < n; i++)
        mask |= BIT(list[i].bit);
    run_block(t, mask, K);
    u64 cycles = counter_read(fixed), apart = cycles / 8 + APART;
    measure(t, "block", "cycles", cycles);
    bool counts = check_true(t, "no-cycles", cycles, cycles, "a count", fixed.msr);
    for (unsigned i = 0; i < n && counts; i++)
        check_range(t, "differs", counter_read(list[i]), cycles > apart ? cycles - apart : 0, cycles + apart,
                    list[i].msr);
    measure_reference(t);
    return more_samples(t);
}

static void need_fixed_cycles(struct test *t)
{
    if (!(t->caps->fixed_bitmap & BIT(FIXED_CORE_CYCLES)))
        skip(t, "CPUID.0AH:EDX=0x%08x: fixed counter 1 does not exist", t->caps->leaf0a.edx);
}

TEST("fixed.pairing", .title = "Fixed counter 1 and GP counters of event 3CH count the same cycles",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-078",
     .needs = {.version = 2, .event = 1, .fixed = true}, .scope = EACH_CPU, .prepare = need_fixed_cycles,
     .repeat = pairing, .measures = true);
