/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A record may hold the values of other counters: GP or fixed counters, if the sampling counter asks for these groups,
 * and only counters that allow it by CNTR_ALLOW in their own CFG_C. Three counters count instructions beside the
 * sampling one; one or two of them allow it, and records hold these values. The values rise from record to record and
 * stay below the counters' values at the end. A counter that allows it but is off is also in the records, with its
 * present value: so software must clear CNTR_ALLOW when it is done. That value takes all bits of a fixed counter; and
 * of the counter of slots, if the record's mask says that the metrics group holds it.
 *
 * A counter that did not allow it may belong to another program. If a value is missing, or in the place of another one,
 * a profile shows wrong numbers.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define PLAIN 3
#define HELD 0x5a5a5a           /* value of the counter that is off */
#define HELD_FIXED 0x165a5a5a5a /* of a fixed one */
#define SLOTS BIT(32 + FIXED_TOPDOWN_SLOTS)
#define METRICS_WITH_SLOTS 3 /* the record's mask: the value of the slots comes first, then PERF_METRICS */

/* Which of the counters allow it. OFF: it stands still, and so does a fixed counter, which allows it, too. */
enum { ALL, LOWEST, LOWEST_OFF, LOWEST_AND_SLOTS, KINDS };

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

/* The lowest fixed counter with a CFG_C, except the one that samples; 0: none, or records have no fixed counters. */
static u64 fixed_beside(const struct test *t, const struct sampling_pair *pair)
{
    u64 bits = apebs_counter_bits(t->caps) & ~(MASK(31, 0) | SLOTS | BIT(pair->counter.bit));
    return apebs_config_bits(t->caps) & CFG_C_CNTR_FIXED ? bits & -bits : 0;
}

static bool has_slots(const struct test *t)
{
    return (apebs_config_bits(t->caps) & CFG_C_CNTR_METRICS) && (apebs_counter_bits(t->caps) & SLOTS);
}

static unsigned kind_of(const struct test *t)
{
    return t->turn % (has_slots(t) ? KINDS : LOWEST_AND_SLOTS);
}

static bool turned_off(const struct test *t)
{
    return kind_of(t) == LOWEST_OFF;
}

/* The counters that allow it, and the groups that the sampling counter asks for. */
static u64 choose(const struct test *t, const struct sampling_pair *pair, u64 plain, u64 *groups)
{
    u64 fixed = turned_off(t) ? fixed_beside(t, pair) : 0, slots = kind_of(t) == LOWEST_AND_SLOTS ? SLOTS : 0;
    *groups = CFG_C_CNTR_GP | (fixed ? CFG_C_CNTR_FIXED : 0) | (slots ? CFG_C_CNTR_METRICS : 0);
    return (kind_of(t) == ALL ? plain & ~(1ull << (63 - __builtin_clzll(plain))) : plain & -plain) | fixed | slots;
}

static struct counter at_bit(const struct test *t, unsigned bit)
{
    return bit < 32 ? gp_counter(t->caps, bit) : fixed_counter(t->caps, bit - 32);
}

static u64 held_by(struct counter counter)
{
    return (counter.fixed ? HELD_FIXED : HELD) & counter_mask(counter.width);
}

static void set_up(struct test *t, struct sampling *s, u64 plain, u64 allowed)
{
    u64 off = allowed & (turned_off(t) ? ~0ull : ~MASK(31, 0));
    for (u64 left = plain | off; left; left &= left - 1) {
        unsigned n = (unsigned)__builtin_ctzll(left);
        struct counter counter = at_bit(t, n);
        if (off >> n & 1) {
            counter_clear(counter);
            counter_write(counter, held_by(counter));
        } else
            counter_setup(counter, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
        write_msr(t, alias_cfg_c(n), allowed >> n & 1 ? CFG_C_ALLOW : 0);
    }
    s->setup.start_stop = counters_switch(t->caps, s->setup.start_stop.on | (plain & ~off));
}

/* The fixed counter is the record's last value; the slots are the last one but PERF_METRICS. */
static void look_at_fixed(struct test *t, const struct pebs_record *r, u64 fixed)
{
    unsigned after = fixed & SLOTS ? 2 : 1;
    if (!fixed || r->values <= after || (fixed & SLOTS && r->metrics != METRICS_WITH_SLOTS))
        return;
    struct counter counter = at_bit(t, (unsigned)__builtin_ctzll(fixed));
    check_equal(t, "other-value", quad(r->value + 8 * (r->values - after)), held_by(counter), counter.msr);
}

static void look(struct test *t, const struct sampling *s, u64 allowed)
{
    u32 msr = sampling_config(s);
    u64 last = 0, told = kind_of(t) == LOWEST_AND_SLOTS ? allowed & ~SLOTS : allowed;
    for_each_record (s, record) {
        u64 held = record.gp_mask | record.fixed_mask << 32;
        if (!check_true(t, "no-values", record.has & PEBS_HAS_VALUES, record.head, "the group of counters", msr))
            return;
        check_equal(t, "not-allowed", held & ~allowed, 0, msr);
        check_equal(t, "left-out", told & ~held, 0, msr);
        u64 value = record.values ? quad(record.value) : 0;
        unsigned n = (unsigned)__builtin_ctzll(allowed);
        u64 end = counter_read(gp_counter(t->caps, n));
        check_range(t, "other-value", value, turned_off(t) ? HELD : last + 1, end, MSR_PMC(n));
        /* No document tells whether a record with the metrics group leaves the slots as they are. */
        if (!last)
            look_at_fixed(t, &record, allowed & ~MASK(31, 0));
        last = value;
    }
}

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    u64 plain = plain_counters(t, &pair, PLAIN), groups, allowed = choose(t, &pair, plain, &groups);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->groups = groups;
    s.others = plain | allowed;
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
