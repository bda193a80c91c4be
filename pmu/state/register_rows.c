/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of registers: pmu/registers.def with the conditions that its rows refer to. */
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/state/register.h"

/* ---- Which CPUs: conditions that a number in a row cannot express. */

static bool always(const struct pmu_caps *caps)
{
    (void)caps;
    return true;
}

static bool has_any_thread(const struct pmu_caps *caps)
{
    return caps->version >= 3 && !caps->anythread_deprecated;
}

static bool has_pin_control(const struct pmu_caps *caps)
{
    return caps->version < 6;
}

static bool has_rtm(const struct pmu_caps *caps)
{
    return caps->rtm;
}

static bool hides_from_rdpmc(const struct pmu_caps *caps)
{
    return caps->leaf23_features & LEAF23_RDPMC_USER_DISABLE;
}

static bool has_pt(const struct pmu_caps *caps)
{
    return caps->pt;
}

static bool has_pdcm(const struct pmu_caps *caps)
{
    return caps->pdcm;
}

static bool has_full_width(const struct pmu_caps *caps)
{
    return caps->full_width;
}

static bool has_metrics(const struct pmu_caps *caps)
{
    return caps->metrics;
}

static bool freezes_on_pmi(const struct pmu_caps *caps)
{
    return caps->pdcm && caps->version > 1;
}

/* SDM 4, "Architectural MSRs". */
static bool has_debug_store(const struct pmu_caps *caps)
{
    return caps->ds && !caps->pebs_unavailable;
}

static bool has_trace_cr3(const struct pmu_caps *caps)
{
    return caps->trace_features & TRACE_CR3;
}

static bool samples_values(const struct pmu_caps *caps)
{
    return pebs_format(caps) >= PEBS_FORMAT_VALUES;
}

static bool samples(const struct pmu_caps *caps)
{
    return pebs_counter_bits(caps) != 0;
}

static bool has_call_stack(const struct pmu_caps *caps)
{
    return class_lbr_call_stack(cpu_class(caps));
}

static bool has_top(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) && stack.writable && !stack.architectural;
}

static bool has_architectural_records(const struct pmu_caps *caps)
{
    return caps->lbr_depths != 0;
}

static bool records_by_level(const struct pmu_caps *caps)
{
    return caps->lbr_levels;
}

static bool records_by_filter(const struct pmu_caps *caps)
{
    return caps->lbr_filters;
}

static bool records_calls(const struct pmu_caps *caps)
{
    return caps->lbr_call_stack;
}

static bool has_info(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) && stack.info && !stack.architectural;
}

static bool cycles_in_to(const struct pmu_caps *caps)
{
    return (caps->perf_capabilities & PERF_CAP_LBR_FORMAT) == LBR_FORMAT_CYCLES;
}

static bool flags_in_from(const struct pmu_caps *caps)
{
    return !has_info(caps);
}

/* ---- Bits that depend on what is enumerated. */

static u64 fixed_counters(const struct pmu_caps *caps)
{
    return caps->fixed_bitmap;
}

static u64 offcore_filters(const struct pmu_caps *caps)
{
    return counter_mask(offcore_rsps(caps));
}

static u64 record_numbers(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) ? stack.depth - 1u : 0;
}

static u64 records(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) ? counter_mask(stack.depth) : 0;
}

static u64 gp_values(const struct pmu_caps *caps)
{
    return counter_mask(caps->gp_width);
}

static u64 fixed_values(const struct pmu_caps *caps)
{
    return counter_mask(caps->fixed_width);
}

static u64 reload_causes(const struct pmu_caps *caps)
{
    return caps->reload_causes;
}

static u64 fixed_controls(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for_each_fixed (caps, i)
        bits |= FIXED_FIELD(i) & ~FIXED_ANY(i);
    return bits;
}

static u64 fixed_any_thread(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for (unsigned i = 0; i <= FIXED_REF_CYCLES; i++)
        if (caps->fixed_bitmap >> i & 1)
            bits |= FIXED_ANY(i);
    return bits;
}

static u64 fixed_adaptive(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for_each_fixed (caps, i)
        bits |= FIXED_ADAPTIVE(i);
    return bits;
}

static u64 fixed_hidden(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for_each_fixed (caps, i)
        bits |= FIXED_RDPMC_USER_DISABLE(i);
    return bits;
}

static u64 sampled_counters(const struct pmu_caps *caps)
{
    return caps_gp_bits(caps) << 32 | FIELD(55, 48, caps->fixed_bitmap);
}

/* ---- Which registers of a family exist: bit n stands for the n-th. */

static u64 third_counter(const struct pmu_caps *caps)
{
    (void)caps;
    return BIT(2);
}

static u64 logged(const struct pmu_caps *caps)
{
    return caps->lbr_logged;
}

static u64 trace_ranges(const struct pmu_caps *caps)
{
    return counter_mask(caps->trace_ranges);
}

static u64 named_gp(const struct pmu_caps *caps)
{
    return (u32)aliased_counters(caps);
}

static u64 named_fixed(const struct pmu_caps *caps)
{
    return aliased_counters(caps) >> 32;
}

/* CFG_B and CFG_C exist if CPUID.23H.2 says that a counter can be reloaded, in version 5 as well. */
static u64 reloaded_gp(const struct pmu_caps *caps)
{
    return (u32)caps->reloads;
}

static u64 reloaded_fixed(const struct pmu_caps *caps)
{
    return caps->reloads >> 32;
}

static u64 sampling_gp(const struct pmu_caps *caps)
{
    return (u32)apebs_counter_bits(caps);
}

static u64 sampling_fixed(const struct pmu_caps *caps)
{
    return apebs_counter_bits(caps) >> 32;
}

static u64 configured_gp(const struct pmu_caps *caps)
{
    return reloaded_gp(caps) | sampling_gp(caps);
}

static u64 configured_fixed(const struct pmu_caps *caps)
{
    return reloaded_fixed(caps) | sampling_fixed(caps);
}

/* ---- Values that are checked as a whole. */

/* Not canonical: writing it faults. */
static bool nowhere(u64 value)
{
    return value == DS_AREA_NOWHERE;
}

/* An address of 48 bits, sign-extended: branch records with other contents are not touched. */
static bool canonical(u64 value)
{
    u64 upper = value & MASK(63, 47);
    return !upper || upper == MASK(63, 47);
}

/* Or one that is not canonical: if the CPU takes it, it is removed at once, and no code jumps to a record's address. */
static bool canonical_or_not(u64 value)
{
    return canonical(value) || value == LBR_NOT_CANONICAL;
}

/* Or the origin of a branch as CPUs record it that lose its sign. */
static bool origin(u64 value)
{
    return canonical_or_not(value) || value == LBR_SIGN_LOST;
}

/* One bit that a trace's filter may have, and on which some CPUs fault. */
static bool cr3_probe(u64 value)
{
    return (value & RTIT_CR3_PROBES) == value && value && !(value & (value - 1));
}

/* ---- Which CPUs share a register. */

/* On Nehalem and Westmere the core shares it. SDM 3B, "Filtering of Last Branch Records". */
static enum register_sharing select_scope(const struct pmu_caps *caps)
{
    return cpu_class(caps) == CLASS_NEHALEM ? CORE : THREAD;
}

/* On Silvermont the module shares it. SDM 3B, "Off-core Response Event" of Silvermont. */
static enum register_sharing offcore_scope(const struct pmu_caps *caps)
{
    return cpu_class(caps) == CLASS_SILVERMONT ? MODULE : CORE;
}

/* ---- The table. */

#define BITS(set, ...)             \
    {                              \
        .bits = (set), __VA_ARGS__ \
    }
#define OF(function, ...)           \
    {                               \
        .of = function, __VA_ARGS__ \
    }
#define FIELDS(...)                 \
    (const struct register_field[]) \
    {                               \
        __VA_ARGS__,                \
        {                           \
            .bits = 0               \
        }                           \
    }
#define REGISTER(id, index, members, names, section, ...) {index, {members}, names, section, __VA_ARGS__},

const struct register_row register_rows[] = {
#include "pmu/registers.def"
};
const unsigned register_row_count = ARRAY_SIZE(register_rows);
