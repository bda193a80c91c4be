/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMI that interrupts code at CPL 3 is delivered like any other: it masks LVTPC and changes nothing else in it, and
 * its handler finds the counter's bit in IA32_PERF_GLOBAL_STATUS. With fixed and with NMI delivery; the counters take
 * turns, those of cycles included. The counter counts only at CPL 3, in a block that continues there for a thousand
 * instructions or more after the overflow. No manual says how late a PMI may come: one that comes after the block is
 * not judged, only counted.
 *
 * This is how an operating system samples its users' code.
 */
#include "harness/test.h"

#define K 100             /* 1,206 instructions */
#define CYCLES_K 500      /* 6,006 instructions: with 16 in a cycle still hundreds of cycles of any clock */
#define CYCLES_EVENTS 100 /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */

static void check_first(struct test *t, const char *label, u32 programmed, struct counter c)
{
    const struct pmi_record *record = &pmi_log()->record[0];
    u32 lvtpc = record->lvtpc & ~(u32)LVT_STATUS;
    bool interrupted = ring3_code(record->rip);
    measure(t, "late", "bool", !interrupted);
    if (!interrupted)
        return;
    check_true(about(t, ASPECT_PMI_MASKS), label, lvtpc & LVT_MASKED, lvtpc, "bit 16, the mask, set by the PMI",
               REGISTER_LVTPC);
    check_equal(t, "lvtpc-changed", lvtpc & ~(u32)LVT_MASKED, programmed, REGISTER_LVTPC);
    check_true(t, "no-status-bit", record->status >> c.bit & 1, record->status,
               "this counter's bit set in IA32_PERF_GLOBAL_STATUS", c.msr);
}

static void interrupt(struct test *t, enum pmi_delivery delivery, const char *label, struct counter c)
{
    struct switch_write start_stop = counters_switch(t->caps, BIT(c.bit));
    bool exact = counts_exactly(c);
    u64 events = exact ? PROVOKE_EVENTS : CYCLES_EVENTS;
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_USR | COUNT_INT, counter_preset(c, events));
    pmi_listen(delivery, PMI_ACK);
    u32 programmed = apic_read(APIC_LVT_PC) & ~(u32)LVT_STATUS;
    workloads[0].run_user(&start_stop, exact ? K : CYCLES_K);
    if (check_delivered(about(t, ASPECT_USR_ALONE), c.msr))
        check_first(t, label, programmed, c);
    pmi_close();
    counter_clear(c);
}

static bool both_deliveries(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    u32 n = 0;
    for_each_counter (t, c)
        if (counts_anything(*c))
            list[n++] = *c;
    struct counter c = list[(t->turn + t->position) % n];
    interrupt(t, PMI_FIXED, "lvtpc-not-masked", c);
    interrupt(t, PMI_NMI, "lvtpc-not-masked-by-nmi", c);
    return more_samples_of(t, n);
}

TEST("pmi.cpl-3", .title = "A PMI that interrupts CPL 3 is delivered, masks LVTPC and shows its counter's bit",
     .spec = "SDM 3A, Local Vector Table", .covers = "B-040,B-043,A-113",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = both_deliveries, .measures = true);
