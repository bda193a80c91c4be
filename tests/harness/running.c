#include "harness/running.h"
#include "harness/branches.h"
#include "kernel/cpu/msr.h"
#include "pmu/cpu/class.h"

#define OVERFLOW_AFTER 100 /* more than 64: below that BJ77 and BV35 raise a PMI without an overflow */
#define BRANCHES 37
#define COMPARED 4 /* records */
#define VERSION_STREAMLINED 4

void need_freeze(struct test *t)
{
    if (!freeze_possible(t->caps))
        skip(t, "CPUID.1:ECX[15]=%d: IA32_DEBUGCTL[12] is not there to be set", t->caps->pdcm);
}

void spin(unsigned turns)
{
    for (volatile unsigned i = 0; i < turns; i++)
        ;
}

void read_counters(const struct test *t, struct counter_values *values)
{
    for_each_counter (t, c)
        values->value[c->bit] = counter_read(*c);
}

u64 setup_all(const struct test *t, const struct counter *overflows)
{
    u64 mask = 0;
    for_each_counter (t, c) {
        bool chosen = overflows && overflows->bit == c->bit;
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | (chosen ? COUNT_INT : 0),
                      chosen ? counter_preset(*c, OVERFLOW_AFTER) : 0);
        mask |= BIT(c->bit);
    }
    return mask;
}

void check_moving(struct test *t, const char *label)
{
    struct counter_values before, after;
    read_counters(t, &before);
    spin(SPIN_A_LITTLE);
    read_counters(t, &after);
    for_each_counter (t, c)
        if (counts_exactly(*c))
            check_true(about(t, ASPECT_FREEZE), label, after.value[c->bit] != before.value[c->bit], after.value[c->bit],
                       "a count that moves", c->msr);
}

void check_still(struct test *t, const char *label)
{
    struct counter_values before, after;
    settle(); /* what a counter with a slower clock took from before the stop comes late */
    read_counters(t, &before);
    spin(SPIN_A_LITTLE);
    read_counters(t, &after);
    for_each_counter (t, c)
        check_equal(about(t, ASPECT_STAYS_FROZEN), label, after.value[c->bit], before.value[c->bit], c->msr);
}

bool lbr_frz_promised(const struct test *t)
{
    enum cpu_class class = cpu_class(t->caps);
    return class != CLASS_GOLDMONT && class != CLASS_GOLDMONT_PLUS;
}

void need_lbr_freeze(struct test *t)
{
    need_record_top(t);
    if (t->caps->version < VERSION_STREAMLINED || !freeze_lbrs_possible(t->caps))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: no LBRs that IA32_DEBUGCTL[11] freezes", t->caps->perf_capabilities);
}

/* Their top, and those after the newest one, which errata may spoil (SKL186, BJ94). */
struct snapshot {
    u64 top;
    struct branch_record records[COMPARED];
};

static void take(const struct lbr_stack *stack, struct snapshot *s)
{
    s->top = rdmsr(MSR_LBR_TOS);
    for (u32 i = 0; i < COMPARED; i++)
        s->records[i] = lbr_record(stack, 1 + i);
}

static bool same(const struct snapshot *a, const struct snapshot *b)
{
    bool same = a->top == b->top;
    for (u32 i = 0; i < COMPARED; i++)
        same &= a->records[i].from == b->records[i].from && a->records[i].to == b->records[i].to;
    return same;
}

/* One branch more the second time: not both are as many as bring the top to where it was. */
bool records_move(const struct test *t)
{
    struct lbr_stack stack;
    struct snapshot taken[3];
    lbr_stack(t->caps, &stack);
    take(&stack, &taken[0]);
    spin(BRANCHES);
    take(&stack, &taken[1]);
    spin(BRANCHES + 1);
    take(&stack, &taken[2]);
    return !same(&taken[0], &taken[1]) || !same(&taken[1], &taken[2]);
}
