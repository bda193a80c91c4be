/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter with a counter mask, plain or inverted, counts cycles, and it overflows like any other: its bit of
 * IA32_PERF_GLOBAL_STATUS is set and its PMI comes. Here each GP counter counts the cycles in which an instruction
 * retired, and then, with INV and the highest mask, all cycles; both happen far more often in the block than is needed
 * for an overflow.
 */
#include "harness/test.h"

#define K 200 /* 2,400 instructions: with 16 in a cycle still 150 cycles */
#define EVENTS 100
#define HIGHEST 255

static const struct row {
    const char *no_bit, *no_pmi;
    u64 condition;
} rows[] = {
    {"no-bit-masked", "not-delivered-masked", EVTSEL_CMASK(1)},
    {"no-bit-inverted", "not-delivered-inverted", EVTSEL_CMASK(HIGHEST) | EVTSEL_INV},
};

static void overflow(struct test *t, const struct row *row, struct counter c)
{
    write_msr(t, MSR_PERFEVTSEL(c.index), 0);
    counter_write(c, counter_preset(c, EVENTS));
    write_msr(t, MSR_PERFEVTSEL(c.index),
              EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN | EVTSEL_INT | row->condition);
    pmi_listen(PMI_FIXED, PMI_STOP);
    run_block(t, BIT(c.bit), K);
    bool came = pmi_came();
    check_bit(t, row->no_bit, MSR_PERF_GLOBAL_STATUS, BIT(c.bit), true);
    check_true(t, row->no_pmi, came, pmi_log()->count, "1 PMI or more", c.msr);
    pmu_status_clear(BIT(c.bit));
    pmi_close();
    counter_clear(c);
}

static bool one_counter(struct test *t)
{
    u32 turn = t->turn + t->position;
    for_each_row (rows, row)
        overflow(t, row, gp_in_turn(t, turn));
    return more_samples_of(t, t->caps->gp_count);
}

TEST("pmi.conditions", .title = "A counter with a counter mask or INV overflows and raises its PMI",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-057",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = one_counter);
