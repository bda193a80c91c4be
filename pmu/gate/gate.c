/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/gate/gate.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"

/* ---- Walks: a write that changes one bit of the register, with all counters off. Bits that the row allows anyway may
 * ---- change along with it: a write that the CPU refuses must not take them either. */

/* NetBurst has other registers at these numbers; on an unknown class nothing may be tried. */
static bool walk_possible(const struct register_row *row, const struct pmu_caps *caps,
                          const struct gate_context *context, u64 foreign)
{
    bool seen = row->walked_on ? row->walked_on(caps) : walk_tested(caps);
    bool harmless = !(foreign & ~row->harmless) && known_since_version_4(caps);
    return seen || harmless || (context->unlocked && (!caps->intel || caps->family != 15));
}

static bool one_bit(u64 value)
{
    return value && !(value & (value - 1));
}

static bool walk_permits(const struct register_row *row, const struct pmu_caps *caps,
                         const struct gate_context *context, u64 value, u64 own)
{
    u64 changed = value ^ context->current, foreign = changed & ~own;
    return context->walking && context->counters_stopped && context->current_known &&
           (one_bit(changed) || one_bit(foreign)) && walk_possible(row, caps, context, foreign);
}

/* ---- What a row needs to know. */

static bool looks_at(const struct register_row *row, enum register_situation situation)
{
    return row->only_in == situation || row->any_in == situation;
}

/* Registers whose found value is written back, under any of their names. */
static bool given_back(const struct register_row *row)
{
    bool kept = row->keep == KEPT || row->keep == HANDED_BACK || row->keep == ALIAS;
    return (kept && !row->put_by) || row->see == REGISTER_LVTPC;
}

struct gate_wants gate_wants(const struct register_row *row)
{
    return (struct gate_wants){
        .caps = row->keep != OF_THE_MACHINE,
        .svm = looks_at(row, WITH_SVM) || row->changes_with_svm,
        .current = row->as_read || row->same || row->others_as_read || row->changes || row->changes_with_svm,
        .stopped = row->stopped,
        .sampling = row->starts_sampling,
        .area = looks_at(row, OWN_AREA),
        .trace = looks_at(row, OWN_TRACE),
        .records = looks_at(row, OWN_RECORDS),
        .update = looks_at(row, OWN_UPDATE),
        .walk = row->walked,
        .handoff = given_back(row),
    };
}

static bool is_in(const struct gate_context *context, enum register_situation situation)
{
    switch (situation) {
    case OWN_AREA:
        return context->area_offered;
    case OWN_TRACE:
        return context->trace_kept_in;
    case OWN_RECORDS:
        return context->records_kept_in;
    case OWN_UPDATE:
        return context->update_offered;
    case IN_X2APIC_MODE:
        return context->x2apic;
    case WITH_SVM:
        return context->svm;
    default:
        return true;
    }
}

/* ---- What a row allows. */

/* NetBurst has no leaf 0AH; its class implies its registers. */
static bool pmu_known(const struct register_row *row, const struct pmu_caps *caps)
{
    return caps && (caps->present || row->netburst);
}

/* `others`: the bits of the value that are not among the row's own. */
static bool others_as_read(const struct register_row *row, const struct gate_context *context, u64 others, u64 own)
{
    return row->others_as_read && context->current_known && others == (context->current & ~own);
}

/* The clauses that depend on the situation as well as on the value. */
static bool situation_permits(const struct register_row *row, const struct pmu_caps *caps,
                              const struct gate_context *context, u64 value)
{
    bool as_read = context->current_known && value == context->current;
    u64 changes = row->changes | (context->svm ? row->changes_with_svm : 0);
    if (row->as_read && row->as_read(caps) && (!value || as_read))
        return true;
    if (row->same && row->same(caps) && as_read)
        return true;
    if (changes && context->current_known && !((value ^ context->current) & ~changes))
        return true;
    return row->any_in && is_in(context, row->any_in);
}

static bool row_permits(const struct register_row *row, const struct pmu_caps *caps, const struct gate_context *context,
                        unsigned n, u64 value)
{
    if (!register_is_there(row, caps, n) || !is_in(context, row->only_in))
        return false;
    u64 own = register_bits(row, caps, n), others = value & ~own;
    bool by_bits = row->fields || row->keep == ALIAS;
    if (row->walked && walk_permits(row, caps, context, value, by_bits ? own : 0))
        return true;
    return (by_bits && !others) || others_as_read(row, context, others, own) || (row->zero && !value) ||
           (row->value && row->value(value)) || (row->one_more && one_bit(others) && row->one_more(caps)) ||
           situation_permits(row, caps, context, value);
}

bool gate_allows(const struct register_row *row, const struct pmu_caps *caps, const struct gate_context *context,
                 u32 msr, u64 value, const char **rule)
{
    bool mine = row && row->rule;
    *rule = mine ? row->rule : "no row allows a write to this register";
    if (!mine)
        return false;
    if (row->keep != OF_THE_MACHINE && !pmu_known(row, caps)) {
        *rule = "no PMU known on this CPU";
        return false;
    }
    if (row->stopped && value && !context->counters_stopped)
        return false;
    bool handed_over = given_back(row) && context->handoff_known && value == context->handoff;
    if (row->starts_sampling && value && context->sampling && !context->own_area)
        return handed_over;
    return handed_over || row_permits(row, caps, context, register_number_in(row, msr), value);
}

u64 gate_bits(const struct pmu_caps *caps, u32 msr)
{
    const struct register_row *row = register_row_of(caps, msr);
    if (!row || !row->rule || row->keep == OF_THE_MACHINE || !pmu_known(row, caps))
        return 0;
    unsigned n = register_number_in(row, msr);
    return register_is_there(row, caps, n) ? register_bits(row, caps, n) : 0;
}

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

bool gate_allows_now(u32 msr, u64 value, const char **rule)
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
