/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter mask divides the cycles into two parts: in one the event occurred so often, in the other, which INV counts,
 * it did not. Together they are all cycles. Where one part ends the other begins, so with EDGE there is a rise of the
 * one for each of the other, but for the first or the last.
 *
 * Counted is one block, by counters beside each other. It has pauses, in which nothing retires, between instructions
 * that do: INV without effect counts the few cycles of these once more, and most cycles are missing. More than all
 * cycles are no failure: on many CPUs those with INV include cycles of other threads, and cycles outside C0. So with
 * EDGE as well, where how many more is measured.
 */
#include "harness/test.h"

#define PAUSES 24
#define AT_START 64 /* cycles: the counters need not start at once */
#define ENDS 2
#define INSTRUCTIONS (EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN)

static const u8 masks[] = {1, 3};

struct parts {
    struct counter counter[2], cycles;
    u8 mask;
    u64 edge;
    u64 counted[2], all;
};

static void select_from_0(struct test *t, struct counter c, u64 control)
{
    write_msr(t, MSR_PERFEVTSEL(c.index), 0);
    write_msr(t, c.msr, 0);
    write_msr(t, MSR_PERFEVTSEL(c.index), control);
}

static bool count(struct test *t, void *argument)
{
    struct parts *p = argument;
    u64 control = INSTRUCTIONS | EVTSEL_CMASK(p->mask) | p->edge;
    select_from_0(t, p->counter[0], control);
    select_from_0(t, p->counter[1], control | EVTSEL_INV);
    counter_setup(p->cycles, ARCH_EVENT_CORE_CYCLES, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(p->counter[0].bit) | BIT(p->counter[1].bit) | BIT(p->cycles.bit));
    for (unsigned i = 0; i < PAUSES; i++)
        cpu_pause();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    p->all = counter_read(p->cycles);
    counter_clear(p->cycles);
    for (unsigned i = 0; i < 2; i++) {
        p->counted[i] = counter_read(p->counter[i]);
        counter_clear(p->counter[i]);
    }
    return false;
}

static void check_cycles_complete(struct test *t, struct parts *p)
{
    p->edge = 0;
    repeat_clean(t, count, p);
    u64 least = p->all - p->all / 8, sum = p->counted[0] + p->counted[1];
    check_range(about(t, ASPECT_INSTRUCTIONS), "cycles-missing", sum + AT_START, least, ~0ull, p->counter[1].msr);
}

static void check_changes(struct test *t, struct parts *p)
{
    p->edge = EVTSEL_EDGE;
    repeat_clean(t, count, p);
    u64 rises = p->counted[0], falls = p->counted[1];
    measure(t, "falls-of-100-rises", "falls", rises ? falls * 100 / rises : 0);
    check_range(about(t, ASPECT_INSTRUCTIONS), "falls-missing", falls + ENDS, rises - rises / 8, ~0ull,
                p->counter[1].msr);
}

static void complements(struct test *t)
{
    struct counter fixed = fixed_counter(t->caps, FIXED_CORE_CYCLES);
    bool by_fixed = t->caps->fixed_bitmap & BIT(FIXED_CORE_CYCLES);
    if (t->caps->gp_count < (by_fixed ? 2 : 3) || (!by_fixed && !caps_event_available(t->caps, 0)))
        skip(t, "CPUID.0AH:EAX=0x%08x: no counter of cycles beside two GP counters", t->caps->leaf0a.eax);
    for_each_own_turn (t, n, t->caps->gp_count)
        for_each_row (masks, mask) {
            struct parts p = {.counter = {gp_in_turn(t, n), gp_in_turn(t, n + 1)}, .mask = *mask};
            p.cycles = by_fixed ? fixed : gp_in_turn(t, n + 2);
            check_cycles_complete(t, &p);
            check_changes(t, &p);
        }
}

TEST("gp.complements", .title = "With INV a counter counts exactly the cycles that it does not count without",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-057,B-058",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = complements, .measures = true);
