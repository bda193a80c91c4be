/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a system management interrupt does to the state of the PMU. Controls and counters get values that start nothing,
 * the freeze bits of IA32_DEBUGCTL are set, and all are read again after an interval. Firmware must restore what it
 * found (the sharing guide: it must not even turn off the freeze in SMM); some processors themselves lose
 * IA32_DEBUGCTL[12] (HSD52). If the SMI count has changed, a change is a finding about firmware and never judged.
 *
 * Judged is that nothing changes without an SMI, and that the count of SMIs never decreases.
 */
#include "harness/test.h"

#define PATTERN 0x5a5a5a5

struct canary {
    u32 msr;
    u64 value;
};
#define CANARIES 4

/* The last counter whose event select is known to read as written. */
static unsigned last_counter(const struct pmu_caps *caps)
{
    unsigned last = 0;
    for_each_gp (caps, n)
        if (class_evtsel_reads_back(caps, n))
            last = n;
    return last;
}

static unsigned place(struct test *t, struct canary *canaries)
{
    unsigned n = 0, last = last_counter(t->caps);
    canaries[n++] = (struct canary){MSR_PERFEVTSEL(last), EVTSEL_ENCODING(ARCH_EVENT_BRANCHES) | EVTSEL_OS};
    canaries[n++] = (struct canary){MSR_PMC(last), PATTERN};
    if (t->caps->version >= 2)
        canaries[n++] = (struct canary){MSR_PERF_GLOBAL_CTRL, GLOBAL_GP(last)}; /* its event select lacks EN */
    u64 freeze = gate_bits(t->caps, MSR_DEBUGCTL) & (DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM);
    if (freeze)
        canaries[n++] = (struct canary){MSR_DEBUGCTL, read_msr(t, MSR_DEBUGCTL) | freeze};
    for (unsigned i = 0; i < n; i++)
        write_msr(t, canaries[i].msr, canaries[i].value);
    return n;
}

static void note_change(struct test *t, const struct canary *canary, u64 found)
{
    char name[REGISTER_NAME_SIZE], subject[REGISTER_NAME_SIZE + 8];
    format_text(subject, sizeof(subject), "reg=%s", register_name(t->caps, canary->msr, name));
    note(t, "handoff", subject, handoff_meanings[SMI_CHANGES].text, "found=0x%lx written=0x%lx", found, canary->value);
}

static u64 smi_count(struct test *t)
{
    return read_msr(t, MSR_SMI_COUNT);
}

/* With FREEZE_WHILE_SMM, by the manual RSM sets the enables of all counters: then firmware has not changed them. */
static bool by_rsm(const struct test *t, const struct canary *canary, u64 found)
{
    u64 counters = caps_counter_bits(t->caps);
    return canary->msr == MSR_PERF_GLOBAL_CTRL && (found & counters) == counters &&
           gate_bits(t->caps, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_WHILE_SMM;
}

/* The SMI count is read after the registers, so that an SMI between them is not missed. */
static void look(struct test *t, const struct canary *canaries, unsigned n, u64 count_before)
{
    u64 found[CANARIES];
    bool changed = false;
    for (unsigned i = 0; i < n; i++)
        found[i] = read_msr(t, canaries[i].msr);
    u64 came = (smi_count(t) - count_before) & MASK(31, 0);
    bool smi = came;
    check_true(t, "count-runs-back", came < BIT(31), came, "a count that only rises", MSR_SMI_COUNT);
    for (unsigned i = 0; i < n; i++) {
        if (!smi)
            check_equal(t, "changed-without-smi", found[i], canaries[i].value, canaries[i].msr);
        if (!smi || found[i] == canaries[i].value || by_rsm(t, &canaries[i], found[i]))
            continue;
        note_change(t, &canaries[i], found[i]);
        changed = true;
    }
    measure(t, "smi-seen", "cpus", smi);
    if (smi)
        handoff_note_smi(changed);
}

static void put_back(struct test *t, u64 debugctl)
{
    if (t->caps->version >= 2)
        write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    if (gate_bits(t->caps, MSR_DEBUGCTL))
        write_msr(t, MSR_DEBUGCTL, debugctl);
}

static void canary(struct test *t)
{
    struct canary canaries[CANARIES];
    if (!t->caps->smi_count)
        skip(t, "MSR_SMI_COUNT does not answer: a change could not be told from an SMI's (signature %08x)",
             t->caps->signature);
    u64 debugctl = gate_bits(t->caps, MSR_DEBUGCTL) ? read_msr(t, MSR_DEBUGCTL) : 0, before = smi_count(t);
    unsigned n = place(t, canaries);
    time_delay_us(budget().idle_us);
    look(t, canaries, n, before);
    put_back(t, debugctl);
}

TEST("handoff.canary", .title = "The state of the PMU does not change by itself, and what an SMI does to it",
     .spec = "SDM 3B, IA32_DEBUGCTL MSR", .covers = "A-040,B-001", .needs = NEEDS_VERSION(1), .scope = EACH_CPU,
     .run = canary, .measures = true);
