/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/state/handoff.h"
#include "boot/boot_info.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpu_start.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"
#include "pmu/state/register.h"

const char *handoff_grade_name(enum handoff_grade grade)
{
    static const char *const names[] = {"clean", "benign", "claims", "hidden", "hostile"};
    return names[grade];
}

/* ---- One register at a time. */

static u64 value_of(const struct handoff_view *view, u32 msr)
{
    const struct snapshot_entry *entry = snapshot_find(view->snapshot, msr);
    return entry && entry->readable ? entry->value : 0;
}

static bool is_on(const struct handoff_view *view, unsigned bit)
{
    return view->caps->version < 2 || value_of(view, MSR_PERF_GLOBAL_CTRL) >> bit & 1;
}

static enum handoff_meaning_id event_select(const struct handoff_view *view, unsigned n, u64 value)
{
    bool runs = value & EVTSEL_EN && value & (EVTSEL_OS | EVTSEL_USR) && is_on(view, n);
    if (!value)
        return NOTHING;
    if (value & EVTSEL_EVENT(0xff))
        return runs ? GP_RUNNING : GP_CLAIMED;
    if (runs)
        return GP_HIDDEN;
    return value & EVTSEL_INT ? GP_INTERRUPT : GP_LEFT;
}

/* For a claimed counter the finding about its control is enough. */
static enum handoff_meaning_id value_meaning(u64 value, bool moved, bool claimed)
{
    if (claimed)
        return NOTHING;
    return moved ? VALUE_MOVES : value ? VALUE_LEFT : NOTHING;
}

static u64 enabled_fixed(u64 control)
{
    u64 bits = 0;
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (control & (FIXED_OS(i) | FIXED_USR(i)))
            bits |= GLOBAL_FIXED(i);
    return bits;
}

static u64 interrupting_fixed(u64 control)
{
    u64 bits = 0;
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (control & FIXED_PMI(i))
            bits |= GLOBAL_FIXED(i);
    return bits;
}

/* What firmware of several generations of ProLiants leaves: fixed counters 1 and 2 at all privilege levels, no PMI. */
#define METERED_BY_HP (FIXED_OS(1) | FIXED_USR(1) | FIXED_OS(2) | FIXED_USR(2))

/* Linux' watchdog: fixed counter 1 counts all cycles, with its PMI. No firmware is known to leave that. */
#define WATCHED_BY_LINUX (FIXED_OS(1) | FIXED_USR(1) | FIXED_PMI(1))

static enum handoff_meaning_id fixed_control(const struct handoff_view *view, u64 value)
{
    u64 enabled = enabled_fixed(value), on = enabled & value_of(view, MSR_PERF_GLOBAL_CTRL);
    if (value == WATCHED_BY_LINUX)
        return on ? FIXED_WATCHED : FIXED_WATCHED_OFF;
    if (on)
        return value == METERED_BY_HP ? FIXED_METERED : FIXED_RUNNING;
    if (enabled)
        return FIXED_CLAIMED;
    if (interrupting_fixed(value))
        return FIXED_INTERRUPT;
    return value ? FIXED_LEFT : NOTHING;
}

static enum handoff_meaning_id status(u64 value)
{
    if (value & (STATUS_CTR_FRZ | STATUS_LBR_FRZ))
        return STATUS_FROZEN;
    if (value & ~STATUS_COND_CHGD)
        return STATUS_LEFT;
    return value ? STATUS_CHANGED : NOTHING;
}

static enum handoff_meaning_id debugctl(u64 value)
{
    if (value & (DEBUGCTL_TR | DEBUGCTL_BTS))
        return TRACE_ON;
    if (value & (DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI))
        return PMI_FREEZE;
    if (value & DEBUGCTL_LBR)
        return LBR_ON;
    return value & DEBUGCTL_FREEZE_WHILE_SMM ? SMM_FREEZE : value ? DEBUGCTL_LEFT : NOTHING;
}

static enum handoff_meaning_id lvtpc(const struct handoff_view *view, u64 value)
{
    value &= ~LVT_STATUS;
    if (!view->boot_cpu || value == LVT_MASKED)
        return NOTHING;
    if ((value & LVT_DELIVERY_MASK) == LVT_DELIVERY_SMI)
        return LVTPC_SMI;
    return value & LVT_MASKED ? LVTPC_LEFT : LVTPC_OPEN;
}

static bool in_family(u32 msr, u32 first, unsigned count)
{
    return msr >= first && msr - first < count;
}

/* The counter that a control or value belongs to, as its bit number in IA32_PERF_GLOBAL_CTRL; 64: none. */
static unsigned counter_of(u32 msr)
{
    if (in_family(msr, MSR_PERFEVTSEL(0), GP_COUNTERS_MAX))
        return msr - MSR_PERFEVTSEL(0);
    if (in_family(msr, MSR_PMC(0), GP_COUNTERS_MAX))
        return msr - MSR_PMC(0);
    if (in_family(msr, MSR_A_PMC(0), GP_COUNTERS_MAX))
        return msr - MSR_A_PMC(0);
    return in_family(msr, MSR_FIXED_CTR(0), FIXED_COUNTERS_MAX) ? 32 + msr - MSR_FIXED_CTR(0) : 64;
}

static bool claimed(const struct handoff_view *view, unsigned bit)
{
    return bit < 32 ? value_of(view, MSR_PERFEVTSEL(bit)) & EVTSEL_EVENT(0xff)
                    : enabled_fixed(value_of(view, MSR_FIXED_CTR_CTRL)) >> bit & 1;
}

/* Of a register that is none of those below: what is put back at the end is told, but for what its row leaves out. */
static enum handoff_meaning_id other(const struct snapshot_entry *entry)
{
    bool told = entry->part != SNAPSHOT_RECORDS && !entry->row->untold;
    return told && entry->value & ~entry->row->moves ? REGISTER_LEFT : NOTHING;
}

static enum handoff_meaning_id meaning_of(const struct handoff_view *view, const struct snapshot_entry *entry)
{
    unsigned bit = counter_of(entry->msr);
    if (in_family(entry->msr, MSR_PERFEVTSEL(0), GP_COUNTERS_MAX))
        return event_select(view, bit, entry->value);
    if (bit < 64)
        return value_meaning(entry->value, entry->moved, claimed(view, bit));
    if (alias_cfg_c_bit(entry->msr) < 64 && entry->value & CFG_C_PEBS_EN)
        return APEBS_ON;
    switch (entry->msr) {
    case MSR_FIXED_CTR_CTRL:
        return fixed_control(view, entry->value);
    case MSR_PERF_GLOBAL_CTRL:
        return entry->value == caps_gp_bits(view->caps) ? NOTHING : GLOBAL_VARIANT;
    case MSR_PERF_GLOBAL_STATUS:
        return status(entry->value);
    case MSR_PEBS_ENABLE:
        return entry->value ? PEBS_ON : NOTHING;
    case MSR_PEBS_BASE:
        return entry->value ? PEBS_BASE_LEFT : NOTHING;
    case MSR_DS_AREA:
        return entry->value ? DS_LEFT : NOTHING;
    case MSR_DEBUGCTL:
        return debugctl(entry->value);
    case MSR_ARCH_LBR_CTL:
        return entry->value & LBR_CTL_EN ? LBR_ON : other(entry);
    case REGISTER_LVTPC:
        return lvtpc(view, entry->value);
    default:
        return other(entry);
    }
}

/* ---- All registers. */

static u64 moving_counters(const struct handoff_view *view)
{
    u64 bits = 0;
    for (unsigned i = 0; i < view->snapshot->count; i++) {
        u32 msr = view->snapshot->entry[i].msr;
        if (view->snapshot->entry[i].moved && counter_of(msr) < 64 &&
            !in_family(msr, MSR_PERFEVTSEL(0), GP_COUNTERS_MAX))
            bits |= BIT(counter_of(msr));
    }
    return bits;
}

static u64 concerned(const struct snapshot_entry *entry)
{
    unsigned bit = counter_of(entry->msr);
    if (bit < 64)
        return BIT(bit);
    if (entry->row->first == alias_cfg_b(0) || entry->row->first == alias_cfg_c(0))
        return BIT(register_number_in(entry->row, entry->msr));
    if (entry->row->first == alias_cfg_b(32) || entry->row->first == alias_cfg_c(32))
        return BIT(32 + register_number_in(entry->row, entry->msr));
    if (entry->msr == MSR_FIXED_CTR_CTRL)
        return enabled_fixed(entry->value) | interrupting_fixed(entry->value);
    return 0;
}

static u64 reset_value(const struct handoff_view *view, u32 msr)
{
    return msr == MSR_PERF_GLOBAL_CTRL ? caps_gp_bits(view->caps) : msr == REGISTER_LVTPC ? LVT_MASKED : 0;
}

/* Counters with equal values are one finding; without room the last finding takes the rest. */
static unsigned add(struct handoff_finding *findings, unsigned count, const struct handoff_finding *new)
{
    for (unsigned i = 0; i < count; i++) {
        bool same = findings[i].meaning == new->meaning &&findings[i].found == new->found &&new->counters;
        if (!same && i + 1 < HANDOFF_FINDINGS)
            continue;
        findings[i].counters |= new->counters;
        findings[i].moving |= new->moving;
        return count;
    }
    findings[count] = *new;
    return count + 1;
}

static struct pmu_state state_of(const struct handoff_view *view)
{
    struct pmu_state state = {.fixed_control = value_of(view, MSR_FIXED_CTR_CTRL),
                              .pebs_enable = value_of(view, MSR_PEBS_ENABLE) & pebs_counter_bits(view->caps)};
    for_each_gp (view->caps, n)
        state.evtsel[n] = value_of(view, MSR_PERFEVTSEL(n));
    return state;
}

/* The manual defines INUSE for fixed counters 0 to 2; the bits of others are not compared. */
static bool in_use_disagrees(const struct handoff_view *view, u64 *says)
{
    struct pmu_state state = state_of(view);
    u64 named = caps_gp_bits(view->caps) | MASK(34, 32) | INUSE_PMI;
    *says = in_use_computed(view->caps, &state);
    return view->in_use_known && (view->in_use ^ *says) & named;
}

unsigned handoff_find(const struct handoff_view *view, struct handoff_finding findings[HANDOFF_FINDINGS])
{
    unsigned count = 0;
    u64 moving = moving_counters(view), says;
    for (unsigned i = 0; i < view->snapshot->count; i++) {
        const struct snapshot_entry *entry = &view->snapshot->entry[i];
        enum handoff_meaning_id meaning = entry->readable ? meaning_of(view, entry) : NOTHING;
        if (meaning == NOTHING)
            continue;
        u64 of = concerned(entry);
        struct handoff_finding new = {&handoff_meanings[meaning],    entry->msr, entry->value,
                                      reset_value(view, entry->msr), of,         of & moving};
        count = add(findings, count, &new);
    }
    if (in_use_disagrees(view, &says))
        count = add(findings, count,
                    &(struct handoff_finding){&handoff_meanings[IN_USE_DISAGREES], MSR_PERF_GLOBAL_INUSE, view->in_use,
                                              says, 0, 0});
    return count;
}

enum handoff_grade handoff_grade(const struct handoff_finding *findings, unsigned count)
{
    enum handoff_grade worst = GRADE_CLEAN;
    for (unsigned i = 0; i < count; i++)
        if (findings[i].meaning->grade > worst)
            worst = findings[i].meaning->grade;
    return worst;
}

static void add_counters(char *text, const char *key, u64 counters)
{
    size_t length = strlen(text);
    bool first = true;
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(counters >> bit & 1) || length + 16 > HANDOFF_TEXT)
            continue;
        length += (size_t)format_text(text + length, HANDOFF_TEXT - length, "%s%s%u", first ? key : ",",
                                      bit < 32 ? "gp" : "fixed", bit % 32);
        first = false;
    }
}

const char *handoff_text(const struct handoff_finding *finding, char *text)
{
    format_text(text, HANDOFF_TEXT, "found=0x%lx reset=0x%lx", finding->found, finding->reset);
    add_counters(text, " counters=", finding->counters);
    add_counters(text, " moving=", finding->moving);
    return text;
}

#define SOON_US 1000
#define LATE_US 100000

static PER_CPU struct handoff {
    bool captured, lvtpc_captured, anew; /* anew: captured from another PMU than the machine started with */
    struct pmu_caps caps;
    struct snapshot snapshot;
    struct handoff_looks looks;
    u64 taken;     /* TSC of the first look */
    u32 late_us;   /* time of the third look */
} handoffs, found; /* found: of the machine's own PMU, while another one's is there */

/* Captures once: later calls on the same CPU do nothing. */
static void handoff_capture(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    struct caps_dump dump;
    if (handoff->captured)
        return;
    caps_read(&dump, &handoff->caps);
    snapshot_take(&handoff->caps, SNAPSHOT_ALL, &handoff->snapshot);
    handoff->taken = time_now();
    handoff->late_us = LATE_US;
    if (handoff->caps.version >= 4)
        handoff->looks.in_use_known = rdmsr_try(MSR_PERF_GLOBAL_INUSE, &handoff->looks.in_use) == NO_FAULT;
    handoff->captured = true;
    handoff->lvtpc_captured = apic_present();
}

void handoff_recapture(u32 late_us)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (!handoff->anew)
        of_cpu(found, cpu_index()) = *handoff;
    *handoff = (struct handoff){0};
    handoff->anew = true;
    handoff_capture();
    handoff->late_us = late_us;
}

void handoff_as_found(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (handoff->anew)
        *handoff = of_cpu(found, cpu_index());
}

/* Skips LVTPC, which does not change by itself, and branch records, whose changes mean nothing. */
static void look_again(struct handoff *handoff)
{
    u64 value;
    for (unsigned i = 0; i < handoff->snapshot.count; i++) {
        struct snapshot_entry *entry = &handoff->snapshot.entry[i];
        if (entry->msr != REGISTER_LVTPC && entry->part != SNAPSHOT_RECORDS && entry->readable &&
            rdmsr_try(entry->msr, &value) == NO_FAULT && value != entry->value)
            entry->moved = true;
    }
}

static u32 wait_until(const struct handoff *handoff, u32 us)
{
    u64 passed = time_us(time_now() - handoff->taken);
    if (passed < us)
        time_delay_us(us - passed);
    return (u32)time_us(time_now() - handoff->taken);
}

void handoff_look_again(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    struct handoff_looks *looks = &handoff->looks;
    if (!handoff->captured || !handoff->caps.present || looks->late_us)
        return;
    looks->soon_us = wait_until(handoff, SOON_US);
    look_again(handoff);
    looks->late_us = wait_until(handoff, handoff->late_us);
    look_again(handoff);
}

bool handoff_by_linux(void)
{
    return boot_by_kexec(boot_info()) && !of_cpu(handoffs, cpu_index()).anew;
}

const struct handoff_looks *handoff_looks(u32 cpu)
{
    return &of_cpu(handoffs, cpu).looks;
}

void handoff_note_smi(bool changed)
{
    struct handoff_looks *looks = &of_cpu(handoffs, cpu_index()).looks;
    looks->smi_seen = true;
    looks->smi_changes |= changed;
}

void handoff_capture_lvtpc(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (!handoff->captured || handoff->lvtpc_captured || !apic_present())
        return;
    snapshot_add_lvtpc(&handoff->snapshot);
    handoff->lvtpc_captured = true;
}

bool handoff_value(u32 msr, u64 *value)
{
    const struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (!handoff->captured)
        return false;
    if (msr == MSR_X2APIC_REGISTER(APIC_LVT_PC))
        msr = REGISTER_LVTPC;
    const struct snapshot_entry *entry = snapshot_find(&handoff->snapshot, msr);
    if (!entry || !entry->readable)
        return false;
    *value = entry->value;
    return true;
}

const struct snapshot *handoff_of(u32 cpu)
{
    return of_cpu(handoffs, cpu).captured ? &of_cpu(handoffs, cpu).snapshot : NULL;
}

const struct pmu_caps *handoff_caps(u32 cpu)
{
    return &of_cpu(handoffs, cpu).caps;
}

void cpu_started(void)
{
    handoff_capture();
}
