/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing a control's present value to it changes nothing: running counters lose no count and continue from their
 * value, and counters that stand still after an overflow keep their values and overflow bits. Neither sets an overflow
 * bit or raises a PMI, although the interrupt bits are set.
 *
 * In each repeat one control, an event select or one of the controls for all counters, is written at both ends of a
 * block that all counters count: their counts are that of the block and not much more. Each control is also written
 * while the counters stand still. It is not promised whether a PMI comes while an overflow bit is set and LVTPC is
 * open, so LVTPC is masked until the bits are cleared. After each repeat the harness checks that the controls read as
 * written.
 *
 * Operating systems rewrite all controls when they start to use one more counter.
 */
#include "harness/test.h"

#define FROM 0x1000000
#define K 10 /* 126 instructions */
#define SAMPLES 2
#define AROUND 20000 /* more instructions than retire around the block, from start to stop */

struct all {
    struct counter counter[COUNTERS_MAX]; /* those that count exactly */
    u32 control[COUNTERS_MAX];
    unsigned counters, controls;
    u64 mask;
};

/* The controls of all counters come first: if time is short, the first few are written while the counters count. */
static struct all all_of(const struct test *t)
{
    struct all a = {0};
    for_each_counter (t, c)
        if (counts_exactly(*c)) {
            a.counter[a.counters++] = *c;
            a.mask |= BIT(c->bit);
        }
    a.control[a.controls++] = MSR_PERF_GLOBAL_CTRL;
    if (t->caps->fixed_bitmap)
        a.control[a.controls++] = MSR_FIXED_CTR_CTRL;
    for_each_gp_counter (t, n)
        a.control[a.controls++] = (u32)MSR_PERFEVTSEL(n);
    if (gate_bits(t->caps, MSR_DEBUGCTL))
        a.control[a.controls++] = MSR_DEBUGCTL;
    return a;
}

static void write_all_again(struct test *t, const struct all *a)
{
    for (unsigned i = 0; i < a->controls; i++)
        write_msr(t, a->control[i], read_msr(t, a->control[i]));
}

static void write_while_counting(struct test *t, const struct all *a, u32 msr)
{
    for (unsigned i = 0; i < a->counters; i++)
        counter_setup(a->counter[i], ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, FROM);
    pmi_listen(PMI_FIXED, PMI_ACK);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, a->mask);
    u64 held = read_msr(t, msr), least = FROM + workload_instructions(&workloads[0], K);
    struct switch_write same = {.msr = msr, .on = held, .off = held};
    workloads[0].run(&same, K);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_equal(t, "pmi-while-counting", pmi_settled(), 0, msr);
    check_bits(t, "set-while-counting", MSR_PERF_GLOBAL_STATUS, a->mask, 0);
    for (unsigned i = 0; i < a->counters; i++)
        check_range(t, "count", counter_read(a->counter[i]), least, least + AROUND, a->counter[i].msr);
    pmi_close();
}

static void write_standing(struct test *t, const struct all *a)
{
    u64 value[COUNTERS_MAX];
    pmi_listen(PMI_FIXED, PMI_STOP);
    provoke_all(t, COUNT_OS | COUNT_INT);
    pmi_wait(1);
    settle();
    apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) | LVT_MASKED);
    u64 status = read_msr(t, MSR_PERF_GLOBAL_STATUS) & a->mask;
    for (unsigned i = 0; i < a->counters; i++)
        value[i] = counter_read(a->counter[i]);
    write_all_again(t, a);
    check_bits(t, "status", MSR_PERF_GLOBAL_STATUS, a->mask, status);
    for (unsigned i = 0; i < a->counters; i++)
        check_equal(t, "value", counter_read(a->counter[i]), value[i], a->counter[i].msr);
}

/* After write_standing(), with the bits cleared. */
static void write_cleared(struct test *t, const struct all *a)
{
    pmu_status_clear(a->mask);
    apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) & ~(u32)LVT_MASKED);
    u32 came = pmi_log()->count;
    write_all_again(t, a);
    check_equal(t, "pmi", pmi_settled() - came, 0, 0);
    pmi_close();
}

static bool both_ways(struct test *t)
{
    struct all a = all_of(t);
    write_while_counting(t, &a, a.control[t->turn % a.controls]);
    write_standing(t, &a);
    write_cleared(t, &a);
    for (unsigned i = 0; i < a.counters; i++)
        counter_clear(a.counter[i]);
    return t->turn + 1 < SAMPLES || budget().repeats > QUICK_REPEATS;
}

TEST("global.same-value", .title = "Writing a control's present value to it changes nothing",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-061,B-068",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = both_ways);
