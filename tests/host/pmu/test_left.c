/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A test cannot leave a changed bit unseen: for every bit that the write gate allows to set, on every kind of core of
 * every profile, a snapshot finds the change. The list of bits is the gate's own.
 */
#include "pmu/cpu/class.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"
#include "reference/test/model/model_rig.h"
#include "tests/host/pmu/gate_question.h"

#define CPUS 4

/* Saved and restored at the end, but a test may leave these bits changed. */
static const struct {
    u32 first, count;
    u64 bits;
    const char *why;
} not_compared[] = {
    {0x38e, 1, 1ull << 63 | 3ull << 60, "others set them: trusted execution, the uncore, an enclave"},
    {0x329, 1, ~0ull, "counts along with fixed counter 3, and is cleared with it"},
    {0x560, 2, ~0ull, "where a trace goes means nothing while there is none, and IA32_RTIT_CTL is compared"},
    {0x1c9, 1, ~0ull, "recording moves it with every branch"},
    {0x680, 32, ~0ull, "a branch record"},
    {0x6c0, 32, ~0ull, "a branch record"},
    {0xdc0, 32, ~0ull, "a branch record"},
    {0x1200, 32, ~0ull, "a branch record"},
    {0x1500, 32, ~0ull, "a branch record"},
    {0x1600, 32, ~0ull, "a branch record"},
    {0x360, 18, 1ull << 31, "NetBurst's overflow flag, which the counter sets"},
};

static u64 excused(u32 msr)
{
    for_each_row (not_compared, row)
        if (msr - row->first < row->count)
            return row->bits;
    return 0;
}

/* The register that shows the effect of a write to `msr`: itself, or the register of which it is an alias or a
 * command. */
static u32 shown_by(const struct pmu_caps *caps, u32 msr)
{
    u32 counter = (msr - 0x1900) / 4, fixed = (msr - 0x1980) / 4;
    if (msr == 0x390 || msr == 0x391)
        return 0x38e;
    if (msr - 0xc1 < 10 && caps->full_width)
        return msr - 0xc1 + 0x4c1;
    if (msr - 0x1900 < 40 && msr % 4 < 2)
        return (msr % 4 ? 0x186 : 0x4c1) + counter;
    return msr - 0x1980 < 28 && msr % 4 == 0 ? 0x309 + fixed : msr;
}

static void list_of(const struct pmu_caps *caps, struct snapshot *snapshot)
{
    snapshot_list(caps, SNAPSHOT_ALL, snapshot);
    assert_in_range(snapshot->count, 1, SNAPSHOT_MAX - 1);
    for (unsigned i = 0; i < snapshot->count; i++)
        snapshot->entry[i].readable = true;
}

/* Does the snapshot find this value, left in a register that held 0? */
static bool seen(const struct pmu_caps *caps, u32 msr, u64 value)
{
    struct snapshot from, to;
    list_of(caps, &from);
    to = from;
    for (unsigned i = 0; i < to.count; i++)
        if (to.entry[i].msr == msr)
            to.entry[i].value = value;
    const struct snapshot_entry *found = snapshot_difference(caps, &from, &to);
    assert_true(!found || (found->msr == msr && found->value == value)); /* it names the register */
    return found;
}

static bool saved(const struct pmu_caps *caps, u32 msr)
{
    struct snapshot all;
    list_of(caps, &all);
    return snapshot_find(&all, msr);
}

static bool allowed(const struct pmu_caps *caps, u32 msr, u64 value)
{
    const struct gate_context any = {.counters_stopped = true,
                                     .area_offered = true,
                                     .own_area = true,
                                     .trace_kept_in = true,
                                     .records_kept_in = true,
                                     .current_known = true};
    const char *rule;
    return row_allows(caps, &any, msr, value, &rule);
}

static unsigned writable; /* registers, of all CPUs */

static void check_register(const char *name, const struct pmu_caps *caps, u32 msr)
{
    u32 shown = shown_by(caps, msr);
    bool any = false;
    for (unsigned bit = 0; bit < 64; bit++) {
        u64 value = 1ull << bit;
        if (!allowed(caps, msr, value))
            continue;
        any = true;
        if (!(excused(shown) & value) && !seen(caps, shown, value))
            fail_msg("%s: bit %u of MSR %xH can be written, and left there unseen", name, bit, msr);
    }
    if (any && !saved(caps, shown))
        fail_msg("%s: MSR %xH can be written, and is not given back", name, msr);
    writable += any;
}

static void check_core(const char *name, const struct pmu_caps *caps)
{
    for_each_register (row)
        for (unsigned n = 0; row->keep != OF_THE_MACHINE && n < row->family.count; n++)
            if (register_row_of(caps, register_index(row, n)) == row)
                check_register(name, caps, register_index(row, n));
}

static struct cpuid_regs leaf(void *rig, u32 number, u32 sub)
{
    const u32 none[4] = {0};
    u32 out[4];
    model_cpuid(((struct rig *)rig)->model, number, sub, none, out);
    return (struct cpuid_regs){out[0], out[1], out[2], out[3]};
}

/* The capabilities, as caps_read() reads them. */
static struct pmu_caps caps_of(struct rig *r)
{
    struct pmu_caps caps;
    struct caps_dump dump = {.trace_answers = true, .microcode = ~0u};
    caps_ask(&dump, leaf, r);
    model_rdmsr(r->model, MSR_PERF_CAPABILITIES, &dump.perf_capabilities);
    model_rdmsr(r->model, MSR_MISC_ENABLE, &dump.misc_enable);
    caps_decode(&dump, &caps);
    return caps;
}

CASE(every_profile)
{
    struct rig r;
    for (unsigned n = 0; model_profile_at(n); n++)
        for (u32 cpu = 0; cpu < CPUS; cpu++) {
            const char *name = model_profile_name(model_profile_at(n));
            rig_open_on(&r, name, NULL, 1, cpu);
            struct pmu_caps caps = caps_of(&r);
            check_core(name, &caps);
            rig_close(&r);
        }
    assert_true(writable > 4000);
}

/* The table has no row without a CPU that needs it, or for a register that is compared anyway. */
CASE(excuses_are_needed)
{
    bool needed[ARRAY_SIZE(not_compared)] = {false};
    struct rig r;
    for (unsigned n = 0; model_profile_at(n); n++) {
        rig_open_on(&r, model_profile_name(model_profile_at(n)), NULL, 1, 0);
        struct pmu_caps caps = caps_of(&r);
        for (unsigned i = 0; i < ARRAY_SIZE(not_compared); i++)
            needed[i] |= saved(&caps, not_compared[i].first) &&
                         !seen(&caps, not_compared[i].first, not_compared[i].bits & -not_compared[i].bits);
        rig_close(&r);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(not_compared); i++)
        if (!needed[i])
            fail_msg("MSR %xH needs no excuse: %s", not_compared[i].first, not_compared[i].why);
}

int main(void)
{
    return run_cases();
}
