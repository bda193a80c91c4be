/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/shadow.h"
#include "harness/provoke.h"
#include "harness/whole.h"
#include "pmu/gate/caused.h"

#define SLACK 80      /* HSD143: a fixed counter, up to 32 at each of two starts */
#define GP_SLACK 16   /* two GP counters, also if a PMI stops them */
#define HANDLER 50000 /* more instructions than a PMI's handler has */
#define WIDEST 16     /* no core retires more instructions in a cycle */

/* ---- Writes */

void shadow_begin(struct test *t, struct shadow *s)
{
    *s = (struct shadow){.status = pmu_status()};
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    for_each_gp_counter (t, n)
        s->select[n] = read_msr(t, MSR_PERFEVTSEL(n));
    s->fields = t->caps->fixed_bitmap ? read_msr(t, MSR_FIXED_CTR_CTRL) : 0;
    for_each_counter (t, c)
        s->value[c->bit] = counter_read(*c);
}

/* Its event select, or the register that its field is in. */
static u64 control_of(const struct shadow *s, struct counter c)
{
    return c.fixed ? s->fields : s->select[c.index];
}

unsigned shadow_rings(const struct shadow *s, struct counter c)
{
    u64 control = control_of(s, c);
    bool os = control & (c.fixed ? FIXED_OS(c.index) : EVTSEL_OS),
         usr = control & (c.fixed ? FIXED_USR(c.index) : EVTSEL_USR);
    if (!c.fixed && !(control & EVTSEL_EN))
        return 0;
    return (os ? COUNT_OS : 0) | (usr ? COUNT_USR : 0);
}

static bool counts_branches(const struct shadow *s, struct counter c)
{
    return !c.fixed && (s->select[c.index] & MASK(15, 0)) == EVTSEL_ENCODING(ARCH_EVENT_BRANCHES);
}

u64 shadow_events(const struct shadow *s, struct counter c, u64 k)
{
    if (counts_branches(s, c))
        return workload_branches(&workloads[0], k);
    return counter_can_count(c, ARCH_EVENT_INSTRUCTIONS) ? workload_instructions(&workloads[0], k) : 0;
}

u64 shadow_interrupting(const struct test *t, const struct shadow *s)
{
    u64 bits = 0;
    for_each_counter (t, c)
        bits |= control_of(s, *c) & counter_pmi(*c) ? BIT(c->bit) : 0;
    return bits;
}

u64 shadow_distance(const struct shadow *s, struct counter c)
{
    return counter_preset(c, s->value[c.bit]);
}

void shadow_select(struct test *t, struct shadow *s, unsigned n, u64 select)
{
    s->select[n] = select;
    write_msr(t, MSR_PERFEVTSEL(n), select);
}

void shadow_fields(struct test *t, struct shadow *s, u64 fields)
{
    s->fields = fields;
    write_msr(t, MSR_FIXED_CTR_CTRL, fields);
}

void shadow_value(struct test *t, struct shadow *s, struct counter c, u64 value)
{
    s->value[c.bit] = value;
    if (!counter_write(c, value))
        s->value[c.bit] = read_msr(t, c.msr);
}

void shadow_status_set(struct test *t, struct shadow *s, u64 bits)
{
    s->status |= bits;
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, bits);
}

void shadow_status_clear(struct shadow *s, u64 bits)
{
    s->status &= ~bits;
    pmu_status_clear(bits);
}

void shadow_freezing(struct test *t, struct shadow *s, bool on)
{
    u64 held = read_msr(t, MSR_DEBUGCTL) & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    s->freezing = on;
    write_msr(t, MSR_DEBUGCTL, held | (on ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : 0));
}

/* ---- Comparing */

static void compare_in_use(const struct test *t, struct shadow *s)
{
    static const struct status_causes none;
    struct whole whole;
    u64 value;
    if (t->caps->version < 4 || !whole_register(t->caps, MSR_PERF_GLOBAL_INUSE, &none, rdmsr_try, &whole) ||
        rdmsr_try(MSR_PERF_GLOBAL_INUSE, &value) != NO_FAULT)
        return;
    discord_unless(&s->discord, "in-use", value & whole.mask, whole.want, ASPECT_IN_USE, MSR_PERF_GLOBAL_INUSE);
}

static u64 known_status(const struct test *t)
{
    return caps_counter_bits(t->caps) | STATUS_OVF_BUFFER |
           (t->caps->version >= 4 ? STATUS_CTR_FRZ | STATUS_LBR_FRZ | STATUS_ASCI | STATUS_TRACE_TOPA_PMI : 0);
}

static void compare_status(const struct test *t, struct shadow *s, const char *label, u64 want)
{
    u64 mask = known_status(t), got = pmu_status();
    u64 wrong = (got ^ want) & mask;
    discord_unless(&s->discord, label, got & mask, want & mask,
                   wrong & STATUS_CTR_FRZ ? ASPECT_FREEZE : ASPECT_STATUS_BIT, MSR_PERF_GLOBAL_STATUS);
    s->status = got;
}

void shadow_compare(struct test *t, struct shadow *s)
{
    compare_in_use(t, s);
    for_each_counter (t, c)
        discord_unless(&s->discord, "value-changed", read_msr(t, c->msr), s->value[c->bit], ASPECT_COUNTER_VALUE,
                       c->msr);
    compare_status(t, s, "status-changed", s->status);
}

/* ---- A run */

/* What a run must have added to a counter. */
struct bounds {
    const char *label;
    u64 low, high, aspects;
};

/* Stopped by a PMI, a counter may have counted little; a handler that lets it run on adds its own instructions. */
static struct bounds of_exact(const struct shadow_run *run, unsigned rings, u64 events, bool cut)
{
    bool here = rings & (run->user ? COUNT_USR : COUNT_OS);
    u64 more = run->pmis || run->again ? HANDLER : ON_THE_WAY, least = events > SLACK ? events - SLACK : 0;
    if (!here)
        return (struct bounds){"counts-out-of-ring", 0, more, ASPECT_INSTRUCTIONS};
    if (rings == COUNT_USR) /* around a change of ring it may not count for a brief period */
        return (struct bounds){"counts-amiss", cut ? 0 : least / 2, events + SLACK,
                               ASPECT_INSTRUCTIONS | ASPECT_USR_ALONE};
    return (struct bounds){"counts-amiss", cut ? 0 : least, events + more, ASPECT_INSTRUCTIONS};
}

static struct bounds of_clock(const struct shadow_run *run, struct counter c, unsigned rings, bool cut)
{
    bool here = rings & (run->user ? COUNT_USR : COUNT_OS);
    bool must = here && counts_anything(c) && !overflows_again(c) && !cut;
    u64 least = workload_instructions(&workloads[0], run->k) / WIDEST;
    return (struct bounds){"stands-still", must ? least : 0, counter_preset(c, 1), 0};
}

static struct bounds bounds_of(const struct shadow *s, const struct shadow_run *run, struct counter c, bool cut)
{
    unsigned rings = shadow_rings(s, c);
    if (s->status & STATUS_CTR_FRZ)
        return (struct bounds){"counts-while-frozen", 0, 0, ASPECT_STAYS_FROZEN};
    if (!(run->mask >> c.bit & 1) || !rings)
        return (struct bounds){"counts-unasked", 0, 0, 0};
    if (rings == COUNT_USR && !run->user)
        return (struct bounds){"counts-out-of-ring", 0, 0, 0};
    u64 events = shadow_events(s, c, run->k);
    return events ? of_exact(run, rings, events, cut) : of_clock(run, c, rings, cut);
}

/* The first counter of each event and set of rings: others of the same have counted alike. */
struct alike {
    const struct counter *first[2][4];
    u64 counted[2][4];
};

static void compare_alike(struct shadow *s, struct alike *alike, const struct counter *c, u64 counted)
{
    unsigned rings = shadow_rings(s, *c), event = counts_branches(s, *c);
    const struct counter *first = alike->first[event][rings];
    u64 like = alike->counted[event][rings], slack = first && (first->fixed || c->fixed) ? SLACK : GP_SLACK;
    u64 aspects = ASPECT_INSTRUCTIONS | ASPECT_BRANCHES | (rings == COUNT_USR ? ASPECT_USR_ALONE : 0);
    if (first)
        discord_note(&s->discord, &(struct discord){"counts-amiss", counted, like > slack ? like - slack : 0,
                                                    like + slack, aspects, c->msr});
    alike->first[event][rings] = c;
    alike->counted[event][rings] = counted;
}

/* Compares the counters; returns those that wrapped. */
static u64 compare_counts(struct test *t, struct shadow *s, const struct shadow_run *run, bool cut)
{
    struct alike alike = {.first = {{NULL}}};
    u64 wrapped = 0;
    for_each_counter (t, c) {
        u64 now = read_msr(t, c->msr), counted = (now - s->value[c->bit]) & counter_preset(*c, 1);
        struct bounds b = bounds_of(s, run, *c, cut);
        discord_note(&s->discord, &(struct discord){b.label, counted, b.low, b.high, b.aspects, c->msr});
        if (b.high && shadow_events(s, *c, 1))
            compare_alike(s, &alike, c, counted);
        wrapped |= counted && now < s->value[c->bit] ? BIT(c->bit) : 0;
        s->value[c->bit] = now;
    }
    return wrapped;
}

static void compare_pmis(const struct test *t, struct shadow *s, const struct shadow_run *run, u64 wrapped)
{
    bool due = wrapped & shadow_interrupting(t, s);
    discord_note(&s->discord, &(struct discord){due ? "no-pmi" : "pmi-unasked", run->pmis, due ? 1 : 0,
                                                due ? PMI_STORM : 0, 0, MSR_PERF_GLOBAL_STATUS});
    if (due && run->pmis)
        discord_unless(&s->discord, "global-ctrl-changed", run->ctrl, run->mask, ASPECT_FREEZE, MSR_PERF_GLOBAL_CTRL);
}

void shadow_compare_run(struct test *t, struct shadow *s, const struct shadow_run *run)
{
    bool froze = run->pmis && s->freezing;
    u64 before = s->status, wrapped = compare_counts(t, s, run, froze || (run->pmis && run->stops));
    compare_status(t, s, "status-after-run", before | wrapped | (froze ? STATUS_CTR_FRZ : 0));
    compare_pmis(t, s, run, wrapped);
    compare_in_use(t, s);
}
