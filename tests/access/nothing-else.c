/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An access affects only the register that it names: a read changes nothing, a write of a register's own value changes
 * nothing, a write of another value changes that register only, and a write that faults changes none.
 *
 * All counters are stopped: each holds a different value, each control selects something, and the overflow bits of
 * those that count exactly are set in IA32_PERF_GLOBAL_STATUS. Then each register is read (a counter also by RDPMC),
 * written with its own value, written with another value and back, and, if the manual says which bits fault, written
 * with such a bit. The filters of off-core events, which threads may share, are written with their own values. After
 * each step all registers are compared with their set values: a failure names the register that was accessed, a note
 * the register that changed.
 */
#include "harness/test.h"

#define SET_UP_MAX (COUNTERS_MAX + OWN_REGISTERS + 1)
#define A_VALUE 0x1234560

struct set_up {
    u32 msr[SET_UP_MAX];
    u64 value[SET_UP_MAX], stands[SET_UP_MAX]; /* the bits that do not change by themselves */
    bool written[SET_UP_MAX]; /* by this test, too; the others lead somewhere: to an area, a trace, records */
    unsigned count;
};

/* Firmware may have locked a register; then it is left out. */
static void add(struct set_up *s, u32 msr, u64 stands, bool written)
{
    if (rdmsr_try(msr, &s->value[s->count]) != NO_FAULT)
        return;
    s->msr[s->count] = msr;
    s->written[s->count] = written;
    s->stands[s->count++] = stands;
}

/* All control registers of the table that no other thread shares, and that read back what was written. */
static void add_controls(struct test *t, struct set_up *s)
{
    for (unsigned slot = 0; slot < OWN_REGISTERS; slot++) {
        u32 msr = own_register(t->caps, slot);
        const struct register_row *row = msr ? register_row_of(t->caps, msr) : NULL;
        if (row)
            add(s, msr, ~(row->moves | row->falls),
                own_selects(slot) || msr == MSR_PERF_GLOBAL_CTRL || msr == MSR_DEBUGCTL);
    }
}

/* Values that differ from each other in more than one bit, all below bit 31, so that any kind of write can set them. */
static struct set_up set_up(struct test *t)
{
    struct set_up s = {.count = 0};
    u64 set = provoke_all(t, COUNT_OS);
    settle();
    for_each_counter (t, c) {
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_USR, A_VALUE + 0x11111 * (c->bit + 1ul));
        add(&s, c->msr, MASK(63, 0), true);
    }
    add_controls(t, &s);
    const struct register_row *status = register_row_of(t->caps, MSR_PERF_GLOBAL_STATUS);
    add(&s, MSR_PERF_GLOBAL_STATUS, ~(status->moves | status->falls), false);
    s.value[s.count - 1] |= set; /* reading the counters may have cleared these bits already */
    return s;
}

/* Is everything as it was set up? Restores what is not, for the next access. */
static void look(struct test *t, struct set_up *s, const char *label, u32 accessed)
{
    char name[REGISTER_NAME_SIZE], by[REGISTER_NAME_SIZE];
    u64 got = 0, want = 0;
    for (unsigned i = 0; i < s->count; i++) {
        u64 now = read_msr(t, s->msr[i]);
        if (!((now ^ s->value[i]) & s->stands[i]))
            continue;
        note(t, "changed", register_name(t->caps, s->msr[i], name), "", "by=%s step=%s from=0x%lx to=0x%lx",
             register_name(t->caps, accessed, by), label, s->value[i], now);
        got = now;
        want = s->value[i];
        s->value[i] = now;
    }
    check_equal(t, label, got, want, accessed);
}

/* A bit that by itself has no other effect while everything is stopped; 0: none is known. */
static u64 other_bit(const struct test *t, u32 msr)
{
    if (msr == MSR_PERF_GLOBAL_CTRL)
        return 0;
    if (msr == MSR_FIXED_CTR_CTRL)
        return gate_bits(t->caps, msr) & BIT(1);
    return msr == MSR_DEBUGCTL ? gate_bits(t->caps, msr) & DEBUGCTL_FREEZE_PERFMON_ON_PMI : BIT(8);
}

static void write_and_look(struct test *t, struct set_up *s, unsigned i)
{
    u32 msr = s->msr[i];
    u64 value = s->value[i], other = value ^ other_bit(t, msr);
    if (!s->written[i])
        return;
    write_msr(t, msr, value);
    look(t, s, "changed-by-same-value", msr);
    if (other == value)
        return;
    s->value[i] = other;
    write_msr(t, msr, other);
    look(t, s, "changed-by-write", msr);
    s->value[i] = value;
    write_msr(t, msr, value);
    look(t, s, "changed-by-write", msr);
}

/* All CPUs write the same values, so threads that share a filter do not disturb each other. */
static void write_filters_and_look(struct test *t, struct set_up *s)
{
    for (unsigned n = 0; n < offcore_rsps(t->caps); n++) {
        u64 value;
        if (rdmsr_try(MSR_OFFCORE_RSP(n), &value) == NO_FAULT && wrmsr_try(MSR_OFFCORE_RSP(n), value) == NO_FAULT)
            look(t, s, "changed-by-same-value", MSR_OFFCORE_RSP(n));
    }
}

static void read_and_look(struct test *t, struct set_up *s)
{
    for_each_counter (t, c) {
        u64 value;
        read_msr(t, c->msr);
        if (!rdpmc_try(c->rdpmc, &value))
            look(t, s, "changed-by-read", c->msr);
    }
}

/* Bits above the width fault in full-width writes; other writes may drop them. */
static void refuse_and_look(struct test *t, struct set_up *s)
{
    for_each_counter (t, c) {
        u64 was = counter_read(*c), above = was ^ BIT(c->width) ^ BIT(9);
        if (c->width >= 64 || (!c->fixed && !t->caps->full_width))
            continue;
        if (wrmsr_try(c->msr, above) == FAULT_GP)
            look(t, s, "changed-by-refused-write", c->msr);
        else
            write_msr(t, c->msr, was);
    }
}

static void nothing_else(struct test *t)
{
    struct set_up s = set_up(t);
    look(t, &s, "changed-by-set-up", MSR_PERF_GLOBAL_STATUS);
    read_and_look(t, &s);
    refuse_and_look(t, &s);
    for (unsigned i = 0; i < s.count; i++)
        write_and_look(t, &s, i);
    write_filters_and_look(t, &s);
    if (t->caps->version >= 2)
        pmu_status_clear(0);
    look(t, &s, "changed-by-write", MSR_PERF_GLOBAL_STATUS_RESET);
    pmu_status_clear(caps_counter_bits(t->caps));
    for_each_counter (t, c)
        counter_clear(*c);
}

TEST("access.nothing-else", .title = "An access affects only the register that it names",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "B-061", .needs = {.version = 2, .event = 2},
     .scope = EACH_CPU, .run = nothing_else);
