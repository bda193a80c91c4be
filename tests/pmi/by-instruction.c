/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whichever instruction retires as a counter's last one, the counter overflows: its bit of IA32_PERF_GLOBAL_STATUS is
 * set and its PMI comes. So also with an IRET, a far return, CPUID, RDPMC and a long string instruction, which change
 * what runs or take long, and which blocks whose counts are judged do not contain.
 *
 * Each of them runs in a loop at CPL 0, and the counter begins one further below its end each time, until every
 * instruction of the loop's body has been the last one. Counters and both ways of delivery take turns.
 */
#include "harness/test.h"

#define BEFORE 70 /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */
#define MORE 4    /* turns: the start may not count */

/* tests/pmi/work.asm */
void by_iret(u64 turns);
void by_far_return(u64 turns);
void by_cpuid(u64 turns);
void by_rdpmc(u64 turns);
void by_string(u64 turns);

static const struct kind {
    const char *label;
    void (*loop)(u64 turns);
    u8 body; /* instructions in a turn */
} kinds[] = {
    {"silent-by-iret", by_iret, 10},  {"silent-by-far-return", by_far_return, 6}, {"silent-by-cpuid", by_cpuid, 4},
    {"silent-by-rdpmc", by_rdpmc, 4}, {"silent-by-string", by_string, 6},
};

struct overflow {
    const struct kind *kind;
    struct counter counter;
    enum pmi_delivery delivery;
    u64 events;
    bool came;
    u64 status; /* of the first PMI */
};

static bool overflow(struct test *t, void *argument)
{
    struct overflow *o = argument;
    counter_setup(o->counter, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(o->counter, o->events));
    pmi_listen(o->delivery, PMI_ACK);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(o->counter.bit));
    o->kind->loop(BEFORE / o->kind->body + MORE);
    o->came = pmi_came();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    o->status = o->came ? pmi_log()->record[0].status : 0;
    pmi_close();
    counter_clear(o->counter);
    pmu_status_clear(BIT(o->counter.bit));
    return false;
}

/* Where many CPUs share the turns, each takes one after so many. */
static bool is_mine(const struct test *t, u32 turn)
{
    return turn % budget().share == t->position % budget().share;
}

static void one_place(struct test *t, const struct kind *kind, u32 place, u32 turn)
{
    struct counter list[COUNTERS_MAX];
    u32 n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct overflow o = {.kind = kind, .counter = list[turn % n], .events = BEFORE + place};
    o.delivery = turn % 2 ? PMI_NMI : PMI_FIXED;
    repeat_clean(t, overflow, &o);
    if (check_true(t, kind->label, o.came, o.came, "a PMI", o.counter.msr))
        check_true(t, "no-status-bit", o.status >> o.counter.bit & 1, o.status,
                   "this counter's bit set in IA32_PERF_GLOBAL_STATUS", o.counter.msr);
}

static void by_instruction(struct test *t)
{
    u32 turn = 0;
    for_each_row (kinds, kind)
        for (u32 place = 0; place < kind->body; place++, turn++)
            if (is_mine(t, turn))
                one_place(t, kind, place, turn);
}

TEST("pmi.by-instruction", .title = "A PMI comes, whichever instruction makes the counter overflow",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-046",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .run = by_instruction);
