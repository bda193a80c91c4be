/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/register/gate.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "kernel/register/msr_record.h"
#include "pmu/area/apebs_area.h"
#include "pmu/area/ds_area.h"
#include "pmu/area/trace_area.h"
#include "pmu/area/tracing.h"
#include "pmu/cpu/alias.h"
#include "pmu/cpu/apebs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/microcode.h"
#include "pmu/gate/counted.h"
#include "pmu/gate/dangerous.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/nehalem.h"
#include "pmu/gate/side_effect.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"

static PER_CPU struct gate_refusal refusals;
static PER_CPU struct own owns;
static PER_CPU struct gate_foreign foreigns;
static PER_CPU bool walking;

void gate_walk(bool open)
{
    of_cpu(walking, cpu_index()) = open;
}

/* Asks CPUID directly: these writes are made while CPUs start, before capabilities are known. */
static void know_identity(struct gate_context *context)
{
    struct pmu_caps caps;
    struct caps_dump dump = {.leaf0 = cpuid(0, 0), .leaf1 = cpuid(1, 0)};
    caps_decode(&dump, &caps);
    context->intel = caps.intel;
    context->family = caps.family;
    context->svm = caps.hypervisor && cpuid_has(CPUID_SVM);
}

/* Is no counter on? By IA32_PERF_GLOBAL_CTRL, or on NetBurst by all CCCRs. */
static bool counters_stopped(void)
{
    u64 value;
    if (cpu_class(pmu_caps()) != CLASS_NETBURST)
        return rdmsr_try(MSR_PERF_GLOBAL_CTRL, &value) == NO_FAULT && value == 0;
    for (unsigned n = 0; n < NETBURST_COUNTERS; n++)
        if (rdmsr_try(MSR_CCCR(n), &value) != NO_FAULT || value & CCCR_ENABLE)
            return false;
    return true;
}

/* ---- Processor trace. */

/* A register after a write to `msr`; one that cannot be read leads nowhere that is ours. */
static u64 trace_register_after(u32 number, u32 msr, u64 value)
{
    u64 now;
    if (number == msr)
        return value;
    return rdmsr_try(number, &now) == NO_FAULT ? now : ~0ull;
}

/* Reads registers and table as they are now: a pointer that firmware left could lead past the table. */
static bool trace_kept_in(u32 msr, u64 value)
{
    u64 control;
    if (rdmsr_try(MSR_RTIT_CTL, &control) != NO_FAULT)
        return false;
    if (control & ~own_written(&of_cpu(owns, cpu_index()), MSR_RTIT_CTL) & RTIT_CTL_TRACE_EN)
        return false; /* other software traces */
    if (msr == MSR_RTIT_CTL && !(value & RTIT_CTL_TRACE_EN))
        return true; /* at once: a trace that is still on would show the rest of this check */
    struct trace_registers after = {msr == MSR_RTIT_CTL ? value : control,
                                    trace_register_after(MSR_RTIT_OUTPUT_BASE, msr, value),
                                    trace_register_after(MSR_RTIT_OUTPUT_MASK_PTRS, msr, value)};
    bool by_table = msr == MSR_RTIT_OUTPUT_BASE || msr == MSR_RTIT_CTL;
    return trace_stays_inside(pmu_caps(), msr, &after, by_table && trace_table_owned(after.base));
}

/* ---- Architectural PEBS. */

/* Reads the register that says where records go as it is now: it could still hold firmware's value. */
static bool records_kept_in(u32 msr, u64 value)
{
    if (msr == MSR_PEBS_BASE)
        return !value || apebs_area_owned(value);
    if (msr == MSR_PEBS_INDEX)
        return !value || (apebs_owned_bytes() && apebs_index_within(value, apebs_owned_bytes()));
    return alias_cfg_c_bit(msr) == 64 || !(value & CFG_C_PEBS_EN) || apebs_ready();
}

static bool sampled_to_own_area(const struct own *own)
{
    u64 area;
    if (own_samples(own))
        return apebs_ready();
    return rdmsr_try(MSR_DS_AREA, &area) == NO_FAULT && ds_area_owned(area);
}

static struct gate_context context_of(u32 msr, u64 value, struct gate_wants wants)
{
    struct gate_context context = {.x2apic = apic_x2_or_leaving(), .starting = !cpu_has_index()};
    const struct own *own = &of_cpu(owns, cpu_index());
    context.walking = wants.walk && of_cpu(walking, cpu_index());
    context.unlocked = context.walking && dangerous("matrix");
    if (context.walking)
        wants.current = wants.stopped = true;
    if (wants.identity)
        know_identity(&context);
    if (wants.current)
        context.current_known = rdmsr_try(msr, &context.current) == NO_FAULT;
    if (wants.sampling)
        context.sampling = own_written(own, MSR_PEBS_ENABLE) != 0 || own_samples(own);
    if (context.sampling && value)
        context.own_area = sampled_to_own_area(own);
    if (wants.area)
        context.area_offered = ds_area_owned(value);
    if (wants.trace)
        context.trace_kept_in = trace_kept_in(msr, value);
    if (wants.records)
        context.records_kept_in = records_kept_in(msr, value);
    if (wants.update)
        context.update_offered = microcode_offered(value);
    if (wants.stopped)
        context.counters_stopped = counters_stopped();
    return context;
}

/* A starting CPU has no capabilities yet, and no PMU registers that it may write. */
static const struct register_row *row_of(u32 msr)
{
    return register_row_of(cpu_has_index() ? pmu_caps() : NULL, msr);
}

static bool would_allow(const struct register_row *row, u32 msr, u64 value, const char **rule)
{
    struct gate_wants wants = row ? gate_wants(row) : (struct gate_wants){0};
    const struct pmu_caps *caps = wants.caps ? pmu_caps() : NULL;
    struct gate_context context = context_of(msr, value, wants);
    if (gate_allows(row, caps, &context, msr, value, rule))
        return true;
    if (!wants.handoff)
        return false;
    context.handoff_known = handoff_value(msr, &context.handoff);
    return gate_allows(row, caps, &context, msr, value, rule);
}

/* Skips registers whose RDMSR faults: access tests report them. */
bool gate_changed(unsigned slot, struct gate_foreign *changed)
{
    struct own *own = &of_cpu(owns, cpu_index());
    *changed = (struct gate_foreign){.programmed = own->value[slot].written};
    changed->msr = own->value[slot].known ? own_register(pmu_caps(), slot) : 0;
    return changed->msr && rdmsr_try(changed->msr, &changed->found) == NO_FAULT &&
           !own_agrees(pmu_caps(), own, slot, changed->found);
}

/*
 * Detects a value that other software wrote, before it is overwritten; afterwards nothing would show it. Not for
 * IA32_PERF_GLOBAL_CTRL, which is on in a counted block while `off` is recorded, nor in walks, which try what a CPU
 * drops.
 */
static void look_for_foreign(unsigned slot)
{
    u32 cpu = cpu_index();
    struct gate_foreign changed;
    if (of_cpu(walking, cpu) || slot > OWN_COUNTER_CONTROLS || of_cpu(foreigns, cpu).msr)
        return;
    if (gate_changed(slot, &changed))
        of_cpu(foreigns, cpu) = changed;
}

static void record(u32 msr, u64 value)
{
    unsigned slot = own_slot(msr);
    look_for_foreign(slot);
    side_effect_before_write(msr);
    own_record(&of_cpu(owns, cpu_index()), slot, value);
}

/*
 * The runtime's question before every write (kernel/register/gate.h). Writes that must precede it are made here too, so
 * that no event select is programmed without them. A walk makes only its own write.
 */
bool gate_asked(u32 msr, u64 value, const char **rule)
{
    const struct register_row *row = row_of(msr);
    if (!would_allow(row, msr, value, rule)) {
        of_cpu(refusals, cpu_index()) = (struct gate_refusal){msr, value, *rule};
        return false;
    }
    if (row->keep == OF_THE_MACHINE)
        return true;
    if (!of_cpu(walking, cpu_index()))
        nehalem_before_select(pmu_caps(), msr, value);
    record(msr, value);
    return true;
}

/*
 * After a write that the CPU refused: its register still holds what was written before, and each other one what was
 * written to it. What does not is told, and from now on taken as it is.
 */
void gate_faulted(u32 msr)
{
    if (row_of(msr)->keep == OF_THE_MACHINE)
        return;
    struct own *own = &of_cpu(owns, cpu_index());
    struct gate_foreign changed;
    own_take_back(own, own_slot(msr));
    for (unsigned slot = 0; slot < OWN_REGISTERS; slot++)
        if (gate_changed(slot, &changed)) {
            side_effect_tell(changed.msr, changed.programmed, changed.found, msr);
            own_record(own, slot, changed.found);
        }
    side_effect_after_refusal(msr);
}

bool gate_planned(const struct gate_context *then, u32 msr, u64 value)
{
    const char *rule;
    if (!gate_allows(row_of(msr), pmu_caps(), then, msr, value, &rule)) {
        of_cpu(refusals, cpu_index()) = (struct gate_refusal){msr, value, rule};
        return false;
    }
    record(msr, value);
    return true;
}

/* Repeats a refused write with wrmsr(), which reports the refusal and does not return. */
static void ask(u32 msr, u64 value)
{
    const char *rule;
    if (!would_allow(row_of(msr), msr, value, &rule))
        wrmsr(msr, value);
}

void counted_ask(const struct switch_write *sw)
{
    ask(sw->msr, sw->on);
    ask(sw->msr, sw->off);
    record(sw->msr, sw->off);
    side_effect_before_start();
    msr_record_block(sw->msr);
}

/* Not recorded: it is made after the counters have started, and the gate's answer to that depends on earlier writes. */
void counted_ask_clear(u32 msr)
{
    if (msr)
        ask(msr, 0);
}

struct gate_refusal gate_refusal(void)
{
    return of_cpu(refusals, cpu_index());
}

const struct own *gate_own(void)
{
    return &of_cpu(owns, cpu_index());
}

struct gate_foreign gate_foreign_overwritten(void)
{
    struct gate_foreign foreign = of_cpu(foreigns, cpu_index());
    of_cpu(foreigns, cpu_index()) = (struct gate_foreign){0};
    return foreign;
}

void gate_forget(void)
{
    side_effect_forget();
    of_cpu(foreigns, cpu_index()) = (struct gate_foreign){0};
    of_cpu(refusals, cpu_index()) = (struct gate_refusal){0};
    of_cpu(owns, cpu_index()) = (struct own){0};
}
