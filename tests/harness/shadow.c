/* SPDX-License-Identifier: BSD-2-Clause */
/* What a PMU must show after any sequence of writes and runs, by what was written and read before. */
#include "harness/test.h"
#include "harness/whole.h"
#include "pmu/gate/gate.h"

#define SLACK 80      /* HSD143: a fixed counter, up to 32 at each of two starts */
#define GP_SLACK 16   /* two GP counters, also if a PMI stops them */
#define HANDLER 50000 /* more instructions than a PMI's handler has */
#define WIDEST 16     /* no core retires more instructions in a cycle */
#define CYCLE_SLACK 64
#define MISS_SLACK 4
#define REF_LEAST 5000 /* instructions, in which the clock of reference cycles moves, if a few times only */

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
    if (t->caps->version >= 4)
        s->debugctl = s->found = read_msr(t, MSR_DEBUGCTL) & SHADOW_DEBUGCTL;
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

/* What a counter counts. Others than GP counters and fixed counter 0 have an event of their own. */
enum kind { INSTRUCTIONS, BRANCHES, MISSES, CORE_CYCLES, REF_CYCLES, OTHERS, KINDS };

static enum kind kind_of(const struct shadow *s, struct counter c)
{
    static const u16 events[] = {[INSTRUCTIONS] = ARCH_EVENT_INSTRUCTIONS,
                                 [BRANCHES] = ARCH_EVENT_BRANCHES,
                                 [MISSES] = ARCH_EVENT_BRANCH_MISSES,
                                 [CORE_CYCLES] = ARCH_EVENT_CORE_CYCLES,
                                 [REF_CYCLES] = ARCH_EVENT_REF_CYCLES};
    if (c.fixed)
        return c.index == FIXED_INSTRUCTIONS ? INSTRUCTIONS : OTHERS;
    for (enum kind kind = 0; kind < ARRAY_SIZE(events); kind++)
        if ((s->select[c.index] & MASK(15, 0)) == EVTSEL_ENCODING(events[kind]))
            return kind;
    return OTHERS;
}

u64 shadow_events(const struct shadow *s, struct counter c, u64 k)
{
    enum kind kind = kind_of(s, c);
    if (kind == BRANCHES)
        return workload_branches(&workloads[0], k);
    return kind == INSTRUCTIONS ? workload_instructions(&workloads[0], k) : 0;
}

bool shadow_clock(const struct shadow *s, struct counter c)
{
    return c.fixed ? c.index != FIXED_INSTRUCTIONS && counts_anything(c) && !overflows_again(c)
                   : kind_of(s, c) == CORE_CYCLES;
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
    discord_wrote(&s->discord, MSR_PERFEVTSEL(n), select);
    write_msr(t, MSR_PERFEVTSEL(n), select);
}

void shadow_fields(struct test *t, struct shadow *s, u64 fields)
{
    s->fields = fields;
    discord_wrote(&s->discord, MSR_FIXED_CTR_CTRL, fields);
    write_msr(t, MSR_FIXED_CTR_CTRL, fields);
}

void shadow_value(struct test *t, struct shadow *s, struct counter c, u64 value)
{
    s->value[c.bit] = value;
    discord_wrote(&s->discord, c.msr, value);
    if (!counter_write(c, value))
        s->value[c.bit] = read_msr(t, c.msr);
}

void shadow_status_set(struct test *t, struct shadow *s, u64 bits)
{
    s->status |= bits;
    discord_wrote(&s->discord, MSR_PERF_GLOBAL_STATUS_SET, bits);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, bits);
}

void shadow_status_clear(struct shadow *s, u64 bits)
{
    s->status &= ~bits;
    discord_wrote(&s->discord, MSR_PERF_GLOBAL_STATUS_RESET, bits);
    pmu_status_clear(bits);
}

void shadow_debugctl(struct test *t, struct shadow *s, u64 bits)
{
    s->debugctl = bits;
    discord_wrote(&s->discord, MSR_DEBUGCTL, bits);
    write_msr(t, MSR_DEBUGCTL, (read_msr(t, MSR_DEBUGCTL) & ~SHADOW_DEBUGCTL) | bits);
}

bool shadow_freezes(const struct shadow *s)
{
    return s->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
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

/* LBR_FRZ may be set by an overflow where IA32_DEBUGCTL says that it freezes branch records, or it may not. */
static void compare_status(const struct test *t, struct shadow *s, const char *label, u64 want, u64 unsure)
{
    u64 mask = known_status(t) & ~unsure, got = pmu_status();
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
    compare_status(t, s, "status-changed", s->status, 0);
}

/* ---- A run */

/* What a run must have added to a counter. */
struct bounds {
    const char *label;
    u64 low, high, aspects;
};

static u64 started(const struct shadow_run *run)
{
    return run->first | run->mask;
}

/* Stopped by a PMI, a counter may have counted little; a handler that lets it run on adds its own instructions. */
static struct bounds of_exact(const struct shadow_run *run, unsigned rings, u64 events, bool cut)
{
    bool here = rings & (run->user ? COUNT_USR : COUNT_OS);
    u64 more = run->pmis || run->first ? HANDLER : ON_THE_WAY, least = events > SLACK ? events - SLACK : 0;
    if (!here)
        return (struct bounds){"counts-out-of-ring", 0, more, ASPECT_INSTRUCTIONS};
    if (rings == COUNT_USR) /* around a change of ring it may not count for a brief period */
        return (struct bounds){"counts-amiss", cut ? 0 : least / 2, events + SLACK,
                               ASPECT_INSTRUCTIONS | ASPECT_USR_ALONE};
    return (struct bounds){"counts-amiss", cut ? 0 : least, events + more, ASPECT_INSTRUCTIONS};
}

static struct bounds of_clock(const struct shadow *s, const struct shadow_run *run, struct counter c, bool cut)
{
    bool here = shadow_rings(s, c) & (run->user ? COUNT_USR : COUNT_OS);
    u64 instructions = workload_instructions(&workloads[0], run->k), least = 0;
    if (here && !cut && shadow_clock(s, c))
        least = instructions / WIDEST;
    if (here && !cut && overflows_again(c))
        least = instructions >= REF_LEAST;
    return (struct bounds){"stands-still", least, counter_preset(c, 1), 0};
}

static struct bounds bounds_of(const struct shadow *s, const struct shadow_run *run, struct counter c, bool cut)
{
    unsigned rings = shadow_rings(s, c);
    if (s->status & STATUS_CTR_FRZ)
        return (struct bounds){"counts-while-frozen", 0, 0, ASPECT_STAYS_FROZEN};
    if (!(started(run) >> c.bit & 1) || !rings)
        return (struct bounds){"counts-unasked", 0, 0, 0};
    if (rings == COUNT_USR && !run->user)
        return (struct bounds){"counts-out-of-ring", 0, 0, 0};
    if (!(run->mask >> c.bit & 1))
        return (struct bounds){"counts-unasked", 0, HANDLER, 0};
    u64 events = shadow_events(s, c, run->k);
    return events ? of_exact(run, rings, events, cut) : of_clock(s, run, c, cut);
}

/* The counter before, of each event and set of rings: others, started and stopped with it, counted alike. */
struct alike {
    struct {
        const struct counter *counter;
        u64 counted;
    } before[2][KINDS][4];
};

static u64 slack(enum kind kind, const struct counter *a, const struct counter *b)
{
    if (a->fixed || b->fixed)
        return SLACK;
    if (kind == MISSES)
        return MISS_SLACK;
    return kind == CORE_CYCLES || kind == REF_CYCLES ? CYCLE_SLACK : GP_SLACK;
}

static void compare_alike(struct shadow *s, struct alike *alike, const struct counter *c, bool early, u64 counted)
{
    unsigned rings = shadow_rings(s, *c);
    enum kind kind = kind_of(s, *c);
    const struct counter *other = alike->before[early][kind][rings].counter;
    u64 like = alike->before[early][kind][rings].counted, off = other ? slack(kind, other, c) : 0;
    u64 aspects = ASPECT_INSTRUCTIONS | ASPECT_BRANCHES | (rings == COUNT_USR ? ASPECT_USR_ALONE : 0);
    if (other)
        discord_range(&s->discord, "counts-amiss", counted, like > off ? like - off : 0, like + off, aspects, c->msr);
    alike->before[early][kind][rings].counter = c;
    alike->before[early][kind][rings].counted = counted;
}

/* Compares the counters; returns those that wrapped. */
static u64 compare_counts(struct test *t, struct shadow *s, const struct shadow_run *run, bool cut)
{
    struct alike alike = {0};
    u64 wrapped = 0;
    for_each_counter (t, c) {
        u64 now = read_msr(t, c->msr), counted = (now - s->value[c->bit]) & counter_preset(*c, 1);
        struct bounds b = bounds_of(s, run, *c, cut);
        discord_range(&s->discord, b.label, counted, b.low, b.high, b.aspects, c->msr);
        if (b.high && run->mask >> c->bit & 1 && kind_of(s, *c) != OTHERS)
            compare_alike(s, &alike, c, run->first >> c->bit & 1, counted);
        wrapped |= counted && now < s->value[c->bit] ? BIT(c->bit) : 0;
        s->value[c->bit] = now;
    }
    return wrapped;
}

static void compare_pmis(const struct test *t, struct shadow *s, const struct shadow_run *run, u64 wrapped)
{
    bool due = wrapped & shadow_interrupting(t, s);
    discord_range(&s->discord, due ? "no-pmi" : "pmi-unasked", run->pmis, due ? 1 : 0, due || run->nmi ? PMI_STORM : 0,
                  0, MSR_PERF_GLOBAL_STATUS);
    if (due && run->pmis && (!run->first || run->ctrl != run->first))
        discord_unless(&s->discord, "global-ctrl-changed", run->ctrl, run->mask, ASPECT_FREEZE, MSR_PERF_GLOBAL_CTRL);
}

void shadow_compare_run(struct test *t, struct shadow *s, const struct shadow_run *run)
{
    u64 unsure = s->debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI ? STATUS_LBR_FRZ : 0;
    if (run->first)
        discord_wrote(&s->discord, MSR_PERF_GLOBAL_CTRL, run->first);
    discord_wrote(&s->discord, MSR_PERF_GLOBAL_CTRL, run->mask);
    u64 before = s->status, wrapped = compare_counts(t, s, run, run->pmis && (shadow_freezes(s) || run->stops));
    bool froze = run->pmis && (wrapped & shadow_interrupting(t, s)) && shadow_freezes(s);
    compare_status(t, s, "status-after-run", before | wrapped | (froze ? STATUS_CTR_FRZ : 0), unsure);
    compare_pmis(t, s, run, wrapped);
    compare_in_use(t, s);
}
