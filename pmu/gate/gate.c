/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/gate/gate.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/register/msr.h"
#include "pmu/gate/caused.h"
#include "pmu/gate/context.h"
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

bool gate_walking(void)
{
    return of_cpu(walking, cpu_index());
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
    struct gate_context context =
        gate_context_of(&of_cpu(owns, cpu_index()), of_cpu(walking, cpu_index()), msr, value, wants);
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
    if (of_cpu(walking, cpu) || !own_selects(slot) || of_cpu(foreigns, cpu).msr)
        return;
    if (gate_changed(slot, &changed))
        of_cpu(foreigns, cpu) = changed;
}

void gate_record(u32 msr, u64 value)
{
    unsigned slot = own_slot(msr);
    if (row_of(msr)->keep == OF_THE_MACHINE)
        return;
    caused_note(msr, value);
    look_for_foreign(slot);
    side_effect_before_write(msr);
    own_record(&of_cpu(owns, cpu_index()), slot, value);
}

bool gate_asked(u32 msr, u64 value, const char **rule)
{
    if (would_allow(row_of(msr), msr, value, rule))
        return true;
    of_cpu(refusals, cpu_index()) = (struct gate_refusal){msr, value, *rule};
    return false;
}

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
    gate_record(msr, value);
    return true;
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
