/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that lie: each leaves something changed that it should have restored. They are linked into a kernel of their
 * own (make lies). tools/check/kinds/lies.py checks that the harness reports each by name and value, and that the next
 * one finds everything restored. Each row of pmu/registers.def makes one such test.
 */
#include "harness/test.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

/* ---- Before each lie: is everything restored? */

static struct snapshot first;
static struct pmu_caps whose;

static struct snapshot taken(const struct test *t)
{
    struct snapshot now;
    snapshot_take(t->caps, SNAPSHOT_OWN | SNAPSHOT_SHARED, &now);
    return now;
}

/* Compares with the registers that the first lie found on this CPU. All lies run on CPU 0 alone. */
static void nothing_left(struct test *t)
{
    static struct snapshot now;
    char name[REGISTER_NAME_SIZE];
    if (!caps_same_kind(&whose, t->caps)) {
        whose = *t->caps;
        first = taken(t);
    }
    now = taken(t);
    const struct snapshot_entry *left = snapshot_difference(t->caps, &first, &now);
    if (left)
        error(t, "%s=0x%lx: left by the lie before", register_name(t->caps, left->msr, name), left->value);
}

/* ---- One register. */

/* The harness clears these before it compares: a test need not restore controls, counters and areas. */
static const u32 cleared[] = {
    MSR_PERFEVTSEL(0),   MSR_PMC(0),          MSR_A_PMC(0),      MSR_FIXED_CTR(0), MSR_FIXED_CTR_CTRL,
    MSR_PEBS_ENABLE,     MSR_DS_AREA,         MSR_PEBS_DATA_CFG, MSR_RTIT_CTL,     MSR_PERF_GLOBAL_STATUS,
    MSR_PMC_GP_CFG_C(0), MSR_PMC_FX_CFG_C(0),
};

static const char *expected(const struct register_row *row, const struct pmu_caps *caps)
{
    enum register_keep keep = register_keep_on(row, caps);
    const struct register_row *shows = keep == ALIAS || keep == COMMAND ? register_row_of(caps, row->see) : row;
    for_each_row (cleared, msr)
        if (shows->first == *msr)
            return "expect=cleared";
    return keep == HANDED_BACK || shows->moves == ~0ull ? "expect=handed-back" : "expect=told";
}

/* The register that shows the effect of a write to the row's n-th register. */
static u32 shown_by(const struct register_row *row, const struct pmu_caps *caps, unsigned n)
{
    enum register_keep keep = register_keep_on(row, caps);
    if (keep != ALIAS && keep != COMMAND)
        return register_index(row, n);
    return register_index(register_row_of(caps, row->see), row->family.count > 1 ? n : 0);
}

static bool leave_value(struct test *t, const struct register_row *row, unsigned n, u64 value)
{
    u32 msr = register_index(row, n), shown = shown_by(row, t->caps, n);
    char name[REGISTER_NAME_SIZE], subject[REGISTER_NAME_SIZE + 8];
    u64 before, now;
    if (rdmsr_try(shown, &before) != NO_FAULT || wrmsr_try(msr, value) != NO_FAULT)
        return false;
    if (rdmsr_try(shown, &now) != NO_FAULT || !((now ^ before) & ~register_row_of(t->caps, shown)->moves))
        return false;
    check_bits(t, "not-left", shown, ~register_row_of(t->caps, shown)->moves,
               now & ~register_row_of(t->caps, shown)->moves);
    format_text(subject, sizeof(subject), "reg=%s", register_name(t->caps, shown, name));
    note(t, "lie", subject, expected(row, t->caps), "value=0x%lx", now);
    return true;
}

static bool leave_in(struct test *t, const struct register_row *row, unsigned n)
{
    u64 now = 0, bits = register_bits(row, t->caps, n) & ~row->moves;
    if (!register_is_there(row, t->caps, n) || (row->keep != COMMAND && rdmsr_try(register_index(row, n), &now)))
        return false;
    for (; bits; bits &= bits - 1)
        if (leave_value(t, row, n, now ^ (bits & -bits)) || leave_value(t, row, n, bits & -bits))
            return true;
    return (row->value && leave_value(t, row, n, 0x5000));
}

/* Of a family of registers, changes the last that can be changed: a harness that looked at the first alone would miss
 * it. */
static void leave(struct test *t, unsigned index)
{
    const struct register_row *row = &register_rows[index];
    bool changeable = row->rule && row->keep != ONLY_READ && row->keep != OF_THE_MACHINE;
    nothing_left(t);
    if (!changeable)
        skip(t, "keep=%u: not for a test to change", row->keep);
    for (unsigned n = row->family.count; n--;)
        if (leave_in(t, row, n))
            return;
    skip(t, "signature=%08x: nothing of this row can be left changed", t->caps->signature);
}

#define DECLARE(name, title_text)                                                                        \
    static void lie_##name(struct test *t);                                                              \
    static const struct test_declaration declared_##name = {.id = "lies." #name,                         \
                                                            .title = title_text,                         \
                                                            .spec = "SDM 4, Architectural MSRs",         \
                                                            .needs = {.no_pmu = true},                   \
                                                            .scope = EACH_CORE,                          \
                                                            .run = lie_##name};                          \
    static const struct test_declaration *const pointer_##name __attribute__((section("tests"), used)) = \
        &declared_##name;                                                                                \
    static void lie_##name(struct test *t)

#define REGISTER(name, ...) ROW_##name,
enum {
#include "pmu/registers.def"
};
#undef REGISTER

#define REGISTER(name, ...)                            \
    DECLARE(name, "Leaves a register changed: " #name) \
    {                                                  \
        leave(t, ROW_##name);                          \
    }
#include "pmu/registers.def"

/* ---- Others. */

#define NOBODYS_VECTOR 0x70
#define READS 1000 /* reads of the local APIC, which take longer than an interrupt */

#define LIE(name, title_text) DECLARE(name, title_text)

LIE(open_entry, "Leaves the performance counters' entry of the local APIC open")
{
    nothing_left(t);
    apic_write(APIC_LVT_PC, 0xfe);
    check_equal(t, "not-left", apic_read(APIC_LVT_PC), 0xfe, 0);
    note(t, "lie", "reg=LVTPC", "expect=unmasked", "value=0x%x", 0xfe);
}

LIE(raised_priority, "Leaves the task priority raised")
{
    nothing_left(t);
    apic_write(APIC_TPR, 0xf0);
    check_equal(t, "not-left", apic_read(APIC_TPR), 0xf0, 0);
    note(t, "lie", "reg=TPR", "expect=priority", "value=0x%x", 0xf0);
}

/* The harness restores the registers of a test that ended early without a further report. */
LIE(ended_early, "Ends early, and leaves a register changed")
{
    nothing_left(t);
    if (!leave_in(t, &register_rows[ROW_debugctl], 0))
        skip(t, "signature=%08x: no IA32_DEBUGCTL", t->caps->signature);
    error(t, "ended early, of its own");
}

/* The harness clears STATUS before it compares. A bit that cannot be cleared, as under the defect status-bit-stays,
 * asks for review. */
LIE(stuck_status, "Leaves every counter's overflow in IA32_PERF_GLOBAL_STATUS")
{
    u64 status, bits = caps_counter_bits(t->caps);
    nothing_left(t);
    if (t->caps->version < 4)
        skip(t, "version=%u: no IA32_PERF_GLOBAL_STATUS_SET", t->caps->version);
    wrmsr(MSR_PERF_GLOBAL_STATUS_SET, bits);
    if (rdmsr_try(MSR_PERF_GLOBAL_STATUS, &status) == NO_FAULT)
        check_bits(t, "not-left", MSR_PERF_GLOBAL_STATUS, bits, status);
    note(t, "lie", "reg=IA32_PERF_GLOBAL_STATUS", "expect=cleared", "value=0x%lx", bits);
}

/* The harness counts the interrupt and reports it with the test in which it came. */
LIE(stray_interrupt, "Sends itself an interrupt that nobody expects")
{
    nothing_left(t);
    u64 flags = interrupts_off();
    interrupts_on();
    apic_send(apic_id(), NOBODYS_VECTOR);
    for (unsigned n = 0; n < READS && apic_requested(NOBODYS_VECTOR); n++)
        ;
    interrupts_restore(flags);
    check_equal(t, "not-taken", apic_requested(NOBODYS_VECTOR), 0, 0);
    note(t, "lie", "reg=vector", "expect=stray", "value=0x%x", NOBODYS_VECTOR);
}

/* ---- A test that never ends. */

static bool sleep_for_ever(struct test *t)
{
    interrupts_off();
    apic_tick(false);
    sti_hlt();
    check_equal(t, "woken", 1, 0, 0);
    return false;
}

TEST("endless.sleep", .title = "Sleeps, and nothing is there to wake it", .spec = "SDM 4, Architectural MSRs",
     .needs = {.no_pmu = true}, .scope = EACH_CPU, .repeat = sleep_for_ever);
