/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A control keeps any combination of the bits that it keeps one by one, whatever the other controls hold, and a write
 * of it changes no other one: event selects, IA32_FIXED_CTR_CTRL, IA32_PEBS_ENABLE, the filters of off-core events. One
 * after the other gets values that are drawn; after each write all are compared with what was written to them. Nothing
 * counts, as IA32_PERF_GLOBAL_CTRL is 0.
 */
#include "harness/cells.h"
#include "harness/core/random.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"

#define ROUNDS 8
#define CONTROLS_MAX (GP_COUNTERS_MAX + 4)

struct control {
    u32 msr;
    u64 bits, value; /* kept one by one; what it holds */
};

struct controls {
    struct control list[CONTROLS_MAX];
    unsigned count;
};

static u64 kept(struct test *t, u32 msr, u64 bits)
{
    u64 all = 0;
    for (; bits; bits &= bits - 1) {
        write_msr(t, msr, bits & -bits);
        all |= read_msr(t, msr) & bits & -bits;
    }
    write_msr(t, msr, 0);
    return all;
}

static void add(struct test *t, struct controls *c, u32 msr, u64 bits)
{
    if (bits)
        c->list[c->count++] = (struct control){msr, kept(t, msr, bits), 0};
}

/* Threads of a core may share the filters: there the other one writes them as well. */
static void add_filters(struct test *t, struct controls *c)
{
    u64 found;
    for (unsigned n = 0; t->caps->threads_per_core == 1 && n < offcore_rsps(t->caps); n++)
        if (rdmsr_try(MSR_OFFCORE_RSP(n), &found) == NO_FAULT)
            add(t, c, MSR_OFFCORE_RSP(n), gate_bits(t->caps, MSR_OFFCORE_RSP(n)));
}

static struct controls all_controls(struct test *t)
{
    struct controls c = {.count = 0};
    for_each_gp_counter (t, n)
        if (class_evtsel_reads_back(t->caps, n))
            add(t, &c, MSR_PERFEVTSEL(n), EVTSEL_DEFINED);
    if (t->caps->fixed_bitmap)
        add(t, &c, MSR_FIXED_CTR_CTRL, gate_bits(t->caps, MSR_FIXED_CTR_CTRL));
    add(t, &c, MSR_PEBS_ENABLE, pebs_counter_bits(t->caps));
    add_filters(t, &c);
    return c;
}

/* What differs is told once. */
static void look(struct test *t, struct controls *c, const struct control *written)
{
    for (unsigned i = 0; i < c->count; i++) {
        struct control *other = &c->list[i];
        u64 now = read_msr(t, other->msr);
        check_equal(t, other == written ? "not-kept" : "changed-by-another", now, other->value, other->msr);
        other->value = now;
    }
}

static void combinations(struct test *t)
{
    struct controls c = all_controls(t);
    u64 random = random_begin(t->position + 1);
    for_each_own_turn (t, turn, ROUNDS * c.count) {
        struct control *control = &c.list[turn % c.count];
        control->value = random_next(&random) & control->bits;
        write_msr(t, control->msr, control->value);
        look(t, &c, control);
    }
    for (unsigned i = 0; i < c.count; i++)
        write_msr(t, c.list[i].msr, 0);
}

TEST("access.combinations", .title = "A control keeps any combination of its bits, beside any in the others",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .needs = NEEDS_VERSION(2), .scope = EACH_CPU,
     .run = combinations);
