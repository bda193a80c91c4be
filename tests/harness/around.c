/* SPDX-License-Identifier: BSD-2-Clause */
/* What is around a test on the calling CPU: put up before each repeat, kept in what the test writes, taken away at its
 * end. */
#include "harness/protocol.h"
#include "harness/test.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "pmu/count/counter.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/sampling/pebs_setup.h"
#include "pmu/sampling/trace.h"

static PER_CPU struct counter_vary varying;

static bool has(const struct test *t, enum around_part part)
{
    return t->around && t->around->part[part];
}

static u64 standing(const struct test *t)
{
    const u64 *part = t->around->part;
    return part[AROUND_STANDING] | part[AROUND_FEATURES] | part[AROUND_FROZEN];
}

/* Not every CPU has each bit that is defined: those that fault are left out. */
static void stand(const struct test *t)
{
    u64 bits, all = standing(t);
    for (bits = all; bits; bits &= bits - 1)
        wrmsr_try(MSR_PERF_GLOBAL_STATUS_SET, bits & -bits);
    if (rdmsr_try(MSR_PERF_GLOBAL_STATUS, &bits) == NO_FAULT)
        caused_keep(bits & all);
}

static PER_CPU struct pebs_setup standby;

/* The values of these counters, and what they count, are the test's: none of its tests lets one overflow. */
static void enable_sampling(const struct test *t)
{
    struct pebs_setup *setup = &of_cpu(standby, cpu_index());
    *setup = (struct pebs_setup){.caps = t->caps};
    for_each_counter (t, c)
        if (t->around->part[AROUND_SAMPLED] >> c->bit & 1 && setup->counters < PEBS_COUNTERS_MAX)
            setup->counter[setup->counters++] = (struct pebs_counter){.counter = *c, .period = SAMPLER_FAR};
    pebs_stand_by(setup);
}

static void debug_control(const struct test *t)
{
    u64 bits = t->around->part[AROUND_RECORDING] | t->around->part[AROUND_FREEZING] | t->around->part[AROUND_SMM];
    if (bits)
        wrmsr_try(MSR_DEBUGCTL, rdmsr(MSR_DEBUGCTL) | bits);
}

/* Round and round its regions, without an end. Not if there is no memory for it, or its registers fault: then nothing
 * is around. */
static void trace(const struct test *t)
{
    struct trace_area area;
    bool memory;
    if (trace_prepare(t->caps, 0, 0, &area, &memory) || !memory)
        return;
    trace_put_region(&area, trace_regions(t->caps) - 1, 0);
    trace_on(TRACE_CONTROL | RTIT_CTL_USER);
}

static void enable(const struct test *t)
{
    if (has(t, AROUND_ENABLED))
        wrmsr_try(MSR_PERF_GLOBAL_CTRL, t->around->part[AROUND_ENABLED]);
}

void around_enter(struct test *t)
{
    if (!t->around)
        return;
    if (standing(t))
        stand(t);
    debug_control(t);
    if (has(t, AROUND_SAMPLED))
        enable_sampling(t);
    if (has(t, AROUND_TRACE))
        trace(t);
    enable(t);
    if (has(t, AROUND_ENTRY) && apic_present())
        apic_write(APIC_LVT_PC, around_entry(t->around));
}

static u64 running(const struct test *t)
{
    return t->around->part[AROUND_RUNNING] & t->neighbours;
}

/* A field for each fixed counter: drawn, varied, or as the test says. */
static u64 fixed_controls(const struct test *t, u64 value)
{
    for_each_fixed_counter (t, i) {
        u64 field = value & FIXED_FIELD(i);
        if (t->neighbours & BIT(32 + i))
            field = around_field(t->around, i);
        else if (!(t->as_written & BIT(32 + i)))
            field = around_own_field(t->around, i, field, t->cell.user);
        value = (value & ~FIXED_FIELD(i)) | field;
    }
    return value;
}

static u64 gp_control(const struct test *t, unsigned n, u64 value)
{
    if (t->neighbours & BIT(n))
        return around_select(t->around, n);
    return t->as_written & BIT(n) ? value : around_own_select(t->around, n, value, t->cell.user);
}

static bool varies_controls(const struct test *t)
{
    u64 any = 0;
    for (unsigned part = AROUND_NEIGHBOURS; t->around && part < AROUND_TRACE; part++)
        any |= t->around->part[part];
    return any;
}

u64 around_written(struct test *t, u32 msr, u64 value)
{
    if (!varies_controls(t))
        return value;
    if (msr == MSR_FIXED_CTR_CTRL)
        return fixed_controls(t, value);
    if (msr == MSR_PERF_GLOBAL_CTRL)
        return value ? value | running(t) : 0;
    for_each_gp_counter (t, n)
        if (msr == MSR_PERFEVTSEL(n))
            return gp_control(t, n, value);
    return value;
}

/* A counter that the test sets up is no neighbour any more. */
static u64 own_control(void *argument, struct counter counter, u64 control)
{
    struct test *t = argument;
    t->neighbours &= ~BIT(counter.bit);
    if (t->as_written & BIT(counter.bit))
        return control;
    return counter.fixed ? around_own_field(t->around, counter.index, control, t->cell.user)
                         : around_own_select(t->around, counter.index, control, t->cell.user);
}

static u64 started(void *argument, u64 mask)
{
    const struct test *t = argument;
    return mask ? mask | running(t) : 0;
}

/* From 0, so that none overflows while the test runs. */
static void place(struct test *t)
{
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, 0);
    for_each_counter (t, c) {
        if (!(t->neighbours & BIT(c->bit)))
            continue;
        counter_clear(*c);
        if (!c->fixed)
            wrmsr_try(MSR_PERFEVTSEL(c->index), around_select(t->around, c->index));
    }
    if (t->neighbours & ~caps_gp_bits(t->caps))
        wrmsr_try(MSR_FIXED_CTR_CTRL, fixed_controls(t, rdmsr(MSR_FIXED_CTR_CTRL)));
    enable(t);
}

void under_test(struct test *t, u64 counters, u64 as_written)
{
    if (!varies_controls(t))
        return;
    t->as_written = as_written;
    t->neighbours = t->around->part[AROUND_NEIGHBOURS] & ~counters;
    if (t->neighbours)
        place(t);
}

u64 around_samplers(const struct test *t)
{
    return t->around ? t->around->part[AROUND_SAMPLERS] & t->neighbours : 0;
}

u32 around_bytes(const struct test *t, enum around_part part)
{
    return t->around ? (u32)t->around->part[part] : 0;
}

void around_begin(struct test *t, const struct surroundings *around)
{
    t->around = around;
    t->as_written = t->neighbours = 0;
    if (has(t, AROUND_HISTORY))
        history_make(t);
    struct counter_vary *vary = &of_cpu(varying, cpu_index());
    *vary = (struct counter_vary){.control = own_control, .started = started, .argument = t};
    counter_vary(varies_controls(t) ? vary : NULL);
}

void around_end(struct test *t)
{
    t->around = NULL;
    t->as_written = t->neighbours = 0;
    counter_vary(NULL);
}
