/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How often system management interrupts interrupt an idle CPU, and for how long: MSR_SMI_COUNT over an interval, and
 * the gap in the TSC around each. Firmware uses them to emulate keyboards and watch fans; a machine with thousands per
 * second cannot measure anything exactly.
 *
 * Judged is that the count never decreases.
 */
#include "harness/test.h"

#define GAP_US 2 /* a loop of two reads takes far less */

static u64 smi_count(struct test *t)
{
    return read_msr(t, MSR_SMI_COUNT) & MASK(31, 0);
}

/* Reads the count only after a gap in the clock: reading it is slow, and would hide short gaps. */
static void watch(struct test *t, u64 end)
{
    struct deadline deadline = deadline_us(2ul * budget().idle_us);
    u64 last = time_now(), count = smi_count(t);
    while (last < end && !deadline_passed(&deadline)) {
        u64 now = time_now();
        if (time_us(now - last) >= GAP_US) {
            u64 next = smi_count(t);
            if (next != count)
                measure(t, "length", "us", time_us(now - last));
            count = next;
            now = time_now();
        }
        last = now;
    }
}

static void smi(struct test *t)
{
    if (!t->caps->smi_count)
        skip(t, "MSR_SMI_COUNT does not answer: SMIs cannot be counted on signature %08x", t->caps->signature);
    u64 begun = time_now(), before = smi_count(t);
    watch(t, begun + time_ticks(budget().idle_us));
    u64 after = smi_count(t);
    check_true(t, "count-runs-back", ((after - before) & MASK(31, 0)) < BIT(31), after, "a count that only rises",
               MSR_SMI_COUNT);
    measure(t, "interval", "us", time_us(time_now() - begun));
    measure(t, "count", "smis", (after - before) & MASK(31, 0));
}

TEST("handoff.smi", .title = "System management interrupts while idle: how many, how long",
     .spec = "SDM 4, MSR_SMI_COUNT", .covers = "B-001", .needs = {.no_pmu = true}, .scope = EACH_CPU, .run = smi,
     .measures = true);
