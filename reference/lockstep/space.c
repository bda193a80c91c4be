/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a walk on a CPU may consist of: the registers that its capabilities enumerate, the bits that the write gate lets
 * through, and how careful it has to be.
 */
#include "kernel/text/text.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"
#include "reference/lockstep/walk.h"
#include "reference/model/model.h"

#define SETTLE_TURNS 400 /* of two instructions each: some legal variations of the reference PMU are late by 500 */
#define SETTLE_TURNS_CAREFUL 20000
#define SETTLE_TURNS_RECORD 4000 /* the record comes after some time, and most of a loop is executed at once */

static void changes(struct space *s, u32 msr, u64 rest)
{
    if (s->changed_count < SPACE_REGISTERS)
        s->changed[s->changed_count++] = (struct space_register){msr, rest};
}

static void reads(struct space *s, u32 msr)
{
    if (s->read_count < SPACE_REGISTERS)
        s->read[s->read_count++] = msr;
}

static void both(struct space *s, u32 msr, u64 rest)
{
    changes(s, msr, rest);
    reads(s, msr);
}

bool space_rest(const struct space *s, u32 msr, u64 *rest)
{
    for (u32 i = 0; i < s->changed_count; i++)
        if (s->changed[i].msr == msr) {
            *rest = s->changed[i].rest;
            return true;
        }
    return false;
}

static void add_counters(struct space *s)
{
    const struct pmu_caps *caps = s->caps;
    for_each_gp (caps, n) {
        both(s, MSR_PERFEVTSEL(n), 0);
        changes(s, caps->full_width ? MSR_A_PMC(n) : MSR_PMC(n), 0);
        reads(s, MSR_PMC(n));
        if (caps->full_width)
            reads(s, MSR_A_PMC(n));
    }
    if (caps->version < 2)
        return;
    for_each_fixed (caps, i)
        both(s, MSR_FIXED_CTR(i), 0);
    if (caps->fixed_bitmap)
        both(s, MSR_FIXED_CTR_CTRL, 0);
    reads(s, MSR_PERF_GLOBAL_STATUS);
    reads(s, MSR_PERF_GLOBAL_STATUS_RESET);
    if (caps->version >= 4) {
        reads(s, MSR_PERF_GLOBAL_STATUS_SET);
        reads(s, MSR_PERF_GLOBAL_INUSE);
    }
}

/* Registers that never change, and whose values are the profile's. On silicon the model may have others. */
static void add_constants(struct space *s, register_reader read, void *context)
{
    static const u32 constants[] = {MSR_BIOS_SIGN_ID, MSR_PERF_CAPABILITIES};
    u64 value;
    for (u32 i = 0; i < ARRAY_SIZE(constants) && !s->careful; i++)
        if (read(context, constants[i], &value))
            reads(s, constants[i]);
}

static void add_records(struct space *s)
{
    const struct lbr_stack *lbr = &s->lbr;
    s->records = lbr_stack(s->caps, &s->lbr) && lbr->writable && !s->caps->tracing; /* a trace may exclude them */
    if (!s->records)
        return;
    if (lbr->architectural)
        both(s, MSR_ARCH_LBR_CTL, 0);
    else if (lbr->select)
        both(s, MSR_LBR_SELECT, 0);
    if (!lbr->architectural) {
        reads(s, MSR_LBR_TOS);
        s->further[s->further_count++] = MSR_LBR_TOS;
    }
    for (u32 n = 0; n < lbr->depth; n++) {
        reads(s, lbr->from + n);
        reads(s, lbr->to + n);
    }
}

/* ---- Other writable registers of the table of registers. */

static bool known(const struct space *s, u32 msr)
{
    u64 rest;
    for (u32 i = 0; i < s->read_count; i++)
        if (s->read[i] == msr)
            return true;
    return space_rest(s, msr, &rest);
}

static void add_further(struct space *s, const struct register_row *row, u32 msr, u64 found)
{
    if (s->further_count == SPACE_REGISTERS)
        return;
    s->further[s->further_count++] = msr;
    if (register_keep_on(row, s->caps) == KEPT)
        changes(s, msr, found & register_bits(row, s->caps, register_number_in(row, msr)));
}

/* Not if threads share it: another thread's walk would change it. On NetBurst it makes none meanwhile. */
static bool may_change(const struct space *s, const struct register_row *row)
{
    enum register_keep keep = register_keep_on(row, s->caps);
    return row->rule && (row->only_in != OWN_TRACE || s->places.trace) && row->only_in != IN_X2APIC_MODE &&
           (keep == KEPT || keep == HANDED_BACK || keep == ALIAS) &&
           (register_scope_on(row, s->caps) == THREAD || row->netburst);
}

/* May registers fault for a reason that CPUID does not tell? On silicon firmware may have locked them, and a trace that
 * was found on may exclude branch records. */
static bool locked(const struct space *s)
{
    return s->careful || s->caps->tracing;
}

/* If a register cannot be read, the model judges whether that is right. */
static void add_row(struct space *s, const struct register_row *row, register_reader read, void *context)
{
    u64 found = 0;
    for (unsigned n = 0; n < row->family.count; n++) {
        u32 msr = register_index(row, n);
        if (register_row_of(s->caps, msr) != row || !register_is_there(row, s->caps, n))
            continue;
        if (row->as_read && row->as_read(s->caps) && s->refusing_count < ARRAY_SIZE(s->refusing))
            s->refusing[s->refusing_count++] = msr;
        else if (may_change(s, row) && !known(s, msr) && (read(context, msr, &found) || !locked(s)))
            add_further(s, row, msr, found);
    }
}

void walk_memory_rest(const struct walk_places *places, u8 *records, u8 *trace)
{
    u64 first = places->trace + TRACE_REGION_OFFSET, back = places->trace | TOPA_END;
    if (records)
        memset(records, 0, LOCKSTEP_AREA);
    if (!trace)
        return;
    memset(trace, 0, LOCKSTEP_TRACE);
    for (u32 i = 0; i < TRACE_ENTRIES; i++)
        memcpy(trace + i * sizeof(u64), i ? &back : &first, sizeof(u64));
}

/* A trace is turned off before its other registers are written. */
static void add_trace(struct space *s)
{
    if (!caps_can_trace(s->caps))
        s->places.trace = s->areas.trace = 0;
    if (s->places.trace)
        both(s, MSR_RTIT_CTL, 0);
}

/* Stopped first, as other registers may only be written then. */
static void add_netburst(struct space *s)
{
    for (unsigned n = 0; n < NETBURST_SAMPLERS; n++)
        both(s, MSR_CCCR(NETBURST_IQ_COUNTER(4) + n), 0);
    for (unsigned n = 0; n < NETBURST_SAMPLERS; n++)
        both(s, MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4) + n), 0);
}

/* On silicon not NetBurst: wraps do not always set OVF, writes carry, and what retires is tagged by chance. */
static bool supported(const struct pmu_caps *caps, bool careful)
{
    if (cpu_class(caps) == CLASS_NETBURST)
        return !careful && netburst_pebs_usable(caps);
    return caps->present && caps->intel && caps->gp_bitmap;
}

bool space_of(const struct pmu_caps *caps, bool careful, const struct walk_places *places, register_reader read,
              void *context, struct space *s)
{
    u64 debugctl = 0;
    static const struct walk_places nowhere;
    *s = (struct space){.caps = caps,
                        .places = *(careful ? &nowhere : places),
                        .areas = *(careful ? places : &nowhere),
                        .careful = careful,
                        .settle = careful ? SETTLE_TURNS_CAREFUL : SETTLE_TURNS,
                        .settle_record = careful ? SETTLE_TURNS_CAREFUL : SETTLE_TURNS_RECORD};
    if (!supported(caps, careful))
        return false;
    add_trace(s);
    s->netburst = cpu_class(caps) == CLASS_NETBURST;
    if (s->netburst)
        add_netburst(s);
    u64 own = DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM;
    if (caps->version >= 2)
        both(s, MSR_PERF_GLOBAL_CTRL, 0);
    if (caps_has_debugctl(caps) && read(context, MSR_DEBUGCTL, &debugctl))
        both(s, MSR_DEBUGCTL, debugctl & ~own);
    add_records(s);
    add_counters(s);
    add_constants(s, read, context);
    for_each_register (row)
        add_row(s, row, read, context);
    return true;
}

u64 space_info_told(const struct space *s)
{
    return lbr_info_kept(s->caps) | (s->caps->lbr_logged ? LBR_INFO_COUNTS : 0);
}

/* Other counters write records some occurrences late, and no manual says by how many. */
u64 space_precise(const struct space *s, u16 event)
{
    bool any = pebs_adaptive(s->caps) || event == EVENT_CODE_PREC_DIST;
    if (s->apebs)
        return apebs_precise_bits(s->caps);
    return pebs_precise_bits(s->caps) & (any ? ~0ull : MASK(63, 32));
}

/* ---- Before the first walk. */

/* Copies a register's value from the CPU to the model. */
static void copy(const struct space_cpu *cpu, struct model *model, u32 msr)
{
    u64 value;
    if (cpu->read(cpu->context, msr, &value))
        model_wrmsr(model, msr, value);
}

void space_calm(const struct space *s, const struct space_cpu *cpu)
{
    u64 status;
    if (s->areas.trace)
        cpu->write(cpu->context, MSR_RTIT_CTL, 0);
    for (u32 i = 0; i < s->changed_count; i++)
        cpu->write(cpu->context, s->changed[i].msr, s->changed[i].rest);
    if (s->caps->version >= 2 && cpu->read(cpu->context, MSR_PERF_GLOBAL_STATUS, &status))
        cpu->write(cpu->context, MSR_PERF_GLOBAL_STATUS_RESET,
                   status & gate_bits(s->caps, MSR_PERF_GLOBAL_STATUS_RESET));
}

void space_begin(const struct space *s, const struct space_cpu *cpu, struct model *model)
{
    for (u32 i = 0; i < s->changed_count; i++)
        model_wrmsr(model, s->changed[i].msr, s->changed[i].rest);
    if (s->places.trace)
        copy(cpu, model, MSR_RTIT_CTL); /* some bits may read 1 always */
    if (!s->records)
        return;
    if (!s->lbr.architectural)
        copy(cpu, model, MSR_LBR_TOS);
    for (u32 n = 0; n < s->lbr.depth; n++) {
        copy(cpu, model, s->lbr.from + n);
        copy(cpu, model, s->lbr.to + n);
        if (s->lbr.info)
            copy(cpu, model, s->lbr.infos + n);
    }
}
