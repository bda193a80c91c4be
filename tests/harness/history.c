/* SPDX-License-Identifier: BSD-2-Clause */
/* Uses of the PMU before a test that leave everything as they found it. */
#include "harness/core/around.h"
#include "harness/core/random.h"
#include "harness/protocol.h"
#include "harness/test.h"
#include "kernel/interrupt/apic.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"

#define BEFORE 20 /* instructions or cycles up to an overflow */
#define TURNS 60  /* far more than these, and than a counter needs that is stopped soon after its overflow (BJ58) */

static struct counter any_counter(const struct test *t, u64 *random)
{
    struct counter list[COUNTERS_MAX];
    return list[random_below(random, counters(t->caps, list))];
}

static void run(u64 mask)
{
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, mask);
    for (volatile unsigned i = 0; i < TURNS; i++)
        ;
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, 0);
}

static void counts_from(struct counter c, u64 value)
{
    u64 rings = c.fixed ? FIXED_OS(c.index) | FIXED_USR(c.index) : EVTSEL_OS | EVTSEL_USR;
    counter_write(c, value);
    if (c.fixed)
        wrmsr_try(MSR_FIXED_CTR_CTRL, rings);
    else
        wrmsr_try(MSR_PERFEVTSEL(c.index), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_EN | rings);
    run(BIT(c.bit));
    counter_clear(c);
}

static void has_counted(const struct test *t, u64 *random)
{
    counts_from(any_counter(t, random), 0);
}

static void has_overflowed(const struct test *t, u64 *random)
{
    struct counter c = any_counter(t, random);
    counts_from(c, counter_preset(c, BEFORE));
    pmu_status_clear(BIT(c.bit));
}

static void flips(u32 msr, u64 bits)
{
    u64 value;
    if (!bits || rdmsr_try(msr, &value) != NO_FAULT)
        return;
    wrmsr_try(msr, value | bits);
    wrmsr_try(msr, value);
}

static void had_selects(const struct test *t, u64 *random)
{
    u32 msr = MSR_PERFEVTSEL(any_counter(t, random).index);
    flips(msr, random_next(random) & gate_bits(t->caps, msr) & ~EVTSEL_EN & MASK(31, 0));
}

static void had_fixed_controls(const struct test *t, u64 *random)
{
    flips(MSR_FIXED_CTR_CTRL, random_next(random) & gate_bits(t->caps, MSR_FIXED_CTR_CTRL));
}

static void was_enabled(const struct test *t, u64 *random)
{
    flips(MSR_PERF_GLOBAL_CTRL, random_next(random) & caps_counter_bits(t->caps));
}

static void had_status(const struct test *t, u64 *random)
{
    u64 bits = random_next(random) & caps_counter_bits(t->caps);
    if (t->caps->version < VERSION_STREAMLINED)
        return;
    wrmsr_try(MSR_PERF_GLOBAL_STATUS_SET, bits);
    pmu_status_clear(bits);
}

static void was_frozen(const struct test *t, u64 *random)
{
    (void)random;
    if (!(gate_bits(t->caps, MSR_PERF_GLOBAL_STATUS_SET) & STATUS_CTR_FRZ))
        return;
    wrmsr_try(MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    pmu_status_clear(STATUS_CTR_FRZ);
}

static void was_to_freeze(const struct test *t, u64 *random)
{
    (void)random;
    flips(MSR_DEBUGCTL, gate_bits(t->caps, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_PERFMON_ON_PMI);
}

static void had_entries(const struct test *t, u64 *random)
{
    (void)t;
    u32 found = apic_present() ? apic_read(APIC_LVT_PC) : 0;
    if (!apic_present())
        return;
    apic_write(APIC_LVT_PC, (u32)(LVT_MASKED | LVT_VECTOR(32 + random_below(random, 224))));
    apic_write(APIC_LVT_PC, found);
}

static void was_to_sample(const struct test *t, u64 *random)
{
    (void)random;
    if (pebs_counter_bits(t->caps))
        flips(MSR_PEBS_ENABLE, pebs_counter_bits(t->caps) & -pebs_counter_bits(t->caps));
}

static void (*const uses[HISTORY_KINDS])(const struct test *t, u64 *random) = {
    has_counted, has_overflowed, had_selects,   had_fixed_controls, was_enabled,
    had_status,  was_frozen,     was_to_freeze, had_entries,        was_to_sample,
};

void history_make(struct test *t)
{
    u64 kinds = t->around->part[AROUND_HISTORY], random = random_begin(t->around->seed);
    for (u32 left = 1 + random_below(&random, HISTORY_MOST); left; left--) {
        u32 kind = random_below(&random, HISTORY_KINDS);
        if (kinds >> kind & 1)
            uses[kind](t, &random);
        else
            random_next(&random);
    }
    caused_begin(); /* nothing of it may show later */
}
