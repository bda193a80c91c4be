/*
 * A record may hold the values of other counters: GP or fixed counters, if the sampling counter asks for these groups,
 * and only counters that allow it by CNTR_ALLOW in their own CFG_C. Three counters count instructions beside the
 * sampling one; one or two of them allow it, and records hold these values. The values rise from record to record and
 * stay below the counters' values at the end. A counter that allows it but is off is also in the records, with its
 * present value: so software must clear CNTR_ALLOW when it is done.
 *
 * A counter that did not allow it may belong to another program. If a value is missing, or in the place of another one,
 * a profile shows wrong numbers.
 */
#include "harness/chapter/sampling.h"
#include "pmu/cpu/alias.h"
#include "pmu/cpu/apebs.h"

#define RECORDS 3
#define PLAIN 3
#define HELD 0x5a5a5a /* value of the counter that is off */

enum { ALL, LOWEST, LOWEST_OFF, KINDS }; /* which of the counters allow it */

static u64 quad(const u8 *at)
{
    u64 value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (u64)at[i] << 8 * i;
    return value;
}

/* The n lowest GP counters with a CFG_C for sampling, except the one that samples. */
static u64 plain_counters(const struct test *t, const struct sampling_pair *pair, unsigned n)
{
    u64 bits = 0;
    for_each_gp (t->caps, i) {
        if (pair->counter.bit == i || !(apebs_counter_bits(t->caps) >> i & 1) || !n)
            continue;
        bits |= BIT(i);
        n--;
    }
    return bits;
}

static bool turned_off(const struct test *t)
{
    return t->turn % KINDS == LOWEST_OFF;
}

static void set_up(struct test *t, struct sampling *s, u64 plain, u64 allowed)
{
    u64 off = turned_off(t) ? allowed : 0;
    for (u64 left = plain; left; left &= left - 1) {
        unsigned n = (unsigned)__builtin_ctzll(left);
        struct counter counter = gp_counter(t->caps, n);
        if (off >> n & 1) {
            counter_clear(counter);
            counter_write(counter, HELD);
        } else
            counter_setup(counter, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
        write_msr(t, alias_cfg_c(n), allowed >> n & 1 ? CFG_C_ALLOW : 0);
    }
    s->setup.start_stop = counters_switch(t->caps, s->setup.start_stop.on | (plain & ~off));
}

static void look(struct test *t, const struct sampling *s, u64 allowed)
{
    u32 msr = sampling_config(s);
    u64 last = 0;
    for_each_record (s, record) {
        if (!check_true(t, "no-values", record.has & PEBS_HAS_VALUES, record.head, "the group of counters", msr))
            return;
        check_equal(t, "not-allowed", record.gp_mask & ~allowed, 0, msr);
        check_equal(t, "left-out", allowed & ~record.gp_mask, 0, msr);
        u64 value = record.values ? quad(record.value) : 0;
        unsigned n = (unsigned)__builtin_ctzll(allowed);
        u64 end = counter_read(gp_counter(t->caps, n));
        check_range(t, "other-value", value, turned_off(t) ? HELD : last + 1, end, MSR_PMC(n));
        last = value;
    }
}

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    u64 plain = plain_counters(t, &pair, PLAIN);
    u64 allowed = t->turn % KINDS == ALL ? plain & ~(1ull << (63 - __builtin_clzll(plain))) : plain & -plain;
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->groups = CFG_C_CNTR_GP;
    sampling_begin(t, &s);
    set_up(t, &s, plain, allowed);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    look(t, &s, allowed);
    sampling_end(&s);
    check_recorded(t, &s);
    return sampling_more(t, KINDS);
}

static void need_values(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    u64 wanted = CFG_C_ALLOW | CFG_C_CNTR_GP, plain = plain_counters(t, &pair, PLAIN);
    if ((apebs_config_bits(t->caps) & wanted) != wanted)
        skip(t, "CPUID.23H.4:EBX=0x%x: no group of GP counters", t->caps->pebs_groups);
    if (!(plain & (plain - 1)))
        skip(t, "CPUID.23H.5:EAX=0x%x: too few counters", (u32)t->caps->pebs_counters);
}

TEST("apebs.counters", .title = "Records hold the counters that allow it, and no others",
     .spec = "SDM 3B, Architectural PEBS", .covers = "A-129,B-093", .needs = {.apebs = true, .event = 2},
     .scope = EACH_CPU, .prepare = need_values, .repeat = one_sample);
