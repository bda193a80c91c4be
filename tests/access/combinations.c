/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A register keeps any combination of the bits that it keeps one by one, whatever the others hold, and a write of it
 * changes no other one: event selects, IA32_FIXED_CTR_CTRL, IA32_PEBS_ENABLE, MSR_PEBS_DATA_CFG, the bits of
 * IA32_DEBUGCTL that freeze and that record branches, the filters of branch records and of off-core events, and the
 * counters. One after the other gets values that are drawn; after each write all are compared with what was written to
 * them, and with them what only the CPU writes: the bits of IA32_MISC_ENABLE about its PMU, IA32_PERF_CAPABILITIES,
 * IA32_PERF_GLOBAL_STATUS. Nothing counts, as IA32_PERF_GLOBAL_CTRL is 0.
 */
#include "harness/test.h"

#define ROUNDS 8
#define OTHERS 10 /* registers besides those of counters: four controls, three filters, three that are only read */
#define REGISTERS_MAX (GP_COUNTERS_MAX + COUNTERS_MAX + OTHERS)
#define RECORDS_AND_FREEZES \
    (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM)
#define ABOUT_PMU (MISC_ENABLE_PERFMON | MISC_ENABLE_BTS_UNAVAILABLE | MISC_ENABLE_PEBS_UNAVAILABLE)

struct kept {
    u32 msr;
    u64 bits, value;        /* kept one by one; what it holds */
    u64 seen, found;        /* the bits that are compared; what it held at first */
    struct counter counter; /* if msr is a counter's */
    const char *changed;    /* the label, if another's write changes it */
};

struct all {
    struct kept list[REGISTERS_MAX];
    unsigned count, written; /* the first of them are written */
};

/* Without full-width writes a counter's bits above 31 follow that one. */
static void write(struct test *t, struct kept *r)
{
    if (!r->counter.width)
        write_msr(t, r->msr, (r->found & ~r->bits) | r->value);
    else if (!counter_write(r->counter, r->value))
        r->value = read_msr(t, r->msr) & r->seen;
}

static void put(struct test *t, struct kept *r, u64 value)
{
    r->value = value;
    write(t, r);
}

/* Each bit alone, after all of them were clear. */
static void learn(struct test *t, struct kept *r)
{
    u64 all = 0;
    for (u64 left = r->bits; left; left &= left - 1) {
        put(t, r, 0);
        put(t, r, left & -left);
        all |= read_msr(t, r->msr) & left & -left;
    }
    r->bits = r->seen = all;
    put(t, r, r->found & all);
}

static void add(struct test *t, struct all *a, u32 msr, u64 bits)
{
    struct kept *r = &a->list[a->count];
    if (!bits)
        return;
    *r = (struct kept){.msr = msr, .bits = bits, .found = read_msr(t, msr), .changed = "changed-by-another"};
    learn(t, r);
    a->written = ++a->count;
}

/* A PMI that freezes branch records clears the bit that records them: it is written, and not compared. */
static void add_debug_control(struct test *t, struct all *a)
{
    unsigned before = a->count;
    add(t, a, MSR_DEBUGCTL, gate_bits(t->caps, MSR_DEBUGCTL) & RECORDS_AND_FREEZES);
    if (a->count > before)
        a->list[before].seen &= ~DEBUGCTL_LBR;
}

/* Threads of a core may share the filters: there the other one writes them as well. */
static void add_filters(struct test *t, struct all *a)
{
    u64 found;
    for (unsigned n = 0; t->caps->threads_per_core == 1 && n < offcore_rsps(t->caps); n++)
        if (rdmsr_try(MSR_OFFCORE_RSP(n), &found) == NO_FAULT)
            add(t, a, MSR_OFFCORE_RSP(n), gate_bits(t->caps, MSR_OFFCORE_RSP(n)));
}

static void add_counters(struct test *t, struct all *a)
{
    for_each_counter (t, c) {
        u64 whole = counter_mask(c->width);
        a->list[a->count++] = (struct kept){.msr = c->msr,
                                            .bits = whole,
                                            .seen = whole,
                                            .counter = *c,
                                            .value = read_msr(t, c->msr),
                                            .changed = "value-changed-by-another"};
    }
    a->written = a->count;
}

/* Never written. */
static void add_seen(struct test *t, struct all *a, u32 msr, u64 bits)
{
    u64 found = read_msr(t, msr);
    a->list[a->count++] =
        (struct kept){.msr = msr, .seen = bits, .value = found & bits, .changed = "changed-by-a-write"};
}

static struct all all_registers(struct test *t)
{
    struct all a = {.count = 0};
    for_each_gp_counter (t, n)
        if (class_evtsel_reads_back(t->caps, n))
            add(t, &a, MSR_PERFEVTSEL(n), EVTSEL_DEFINED);
    if (t->caps->fixed_bitmap)
        add(t, &a, MSR_FIXED_CTR_CTRL, gate_bits(t->caps, MSR_FIXED_CTR_CTRL));
    add(t, &a, MSR_PEBS_ENABLE, pebs_counter_bits(t->caps));
    add(t, &a, MSR_PEBS_DATA_CFG, gate_bits(t->caps, MSR_PEBS_DATA_CFG));
    if (t->caps->pdcm)
        add_debug_control(t, &a);
    if (has_lbr_select(t->caps))
        add(t, &a, MSR_LBR_SELECT, gate_bits(t->caps, MSR_LBR_SELECT));
    add_filters(t, &a);
    add_counters(t, &a);
    add_seen(t, &a, MSR_MISC_ENABLE, ABOUT_PMU);
    add_seen(t, &a, MSR_PERF_GLOBAL_STATUS, caps_counter_bits(t->caps) | STATUS_OVF_BUFFER);
    if (t->caps->perf_capabilities)
        add_seen(t, &a, MSR_PERF_CAPABILITIES, ~0ul);
    return a;
}

/* What differs is told once. */
static void look(struct test *t, struct all *a, const struct kept *written)
{
    for (unsigned i = 0; i < a->count; i++) {
        struct kept *r = &a->list[i];
        u64 now = read_msr(t, r->msr) & r->seen;
        check_equal(about(t, r->counter.width ? ASPECT_COUNTER_VALUE : 0), r == written ? "not-kept" : r->changed, now,
                    r->value & r->seen, r->msr);
        r->value = now;
    }
}

/* Of four one is 0, and one has all bits: not fixed counter 0, which may set its overflow bit then (Haswell). */
static u64 drawn(u64 *random, const struct kept *r)
{
    u32 kind = random_below(random, r->msr == MSR_FIXED_CTR(FIXED_INSTRUCTIONS) ? 3 : 4);
    return kind == 3 ? r->bits : kind ? random_next(random) & r->bits : 0;
}

static void combinations(struct test *t)
{
    struct all a = all_registers(t);
    u64 random = random_begin(t->position + 1);
    u32 rounds = budget().repeats > QUICK_REPEATS ? 4 * ROUNDS : ROUNDS;
    for_each_own_turn (t, turn, rounds * a.written) {
        struct kept *r = &a.list[random_below(&random, a.written)];
        put(t, r, drawn(&random, r));
        look(t, &a, r);
    }
    for (unsigned i = 0; i < a.written; i++)
        put(t, &a.list[i], a.list[i].found & a.list[i].bits);
}

TEST("access.combinations", .title = "A register keeps any combination of its bits, beside any in the others",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .needs = NEEDS_VERSION(2), .scope = EACH_CPU,
     .run = combinations);
