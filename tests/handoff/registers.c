/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What firmware and loader left in the PMU of each CPU, captured before anything was written and looked at again after
 * 1 and 100 ms. A reset clears everything but the enable bits of IA32_PERF_GLOBAL_CTRL; after a boot a register may
 * hold any value, so the values are not judged: each register that is not at its reset value, unless its row in
 * pmu/registers.def leaves that out, gets a line that says what that means, how it affects an operating system and how
 * firmware can correct it, and the machine gets a grade. After kexec the values are those that Linux left (its
 * watchdog's counter, branch records), and the log says so. On CPUs other than the first, INIT has reset the local APIC
 * just before, so their LVTPC says nothing about firmware.
 *
 * Judged is that no counter shows bits above its width.
 */
#include "harness/test.h"

static unsigned find(u32 cpu, struct handoff_finding findings[HANDOFF_FINDINGS])
{
    const struct handoff_looks *looks = handoff_looks(cpu);
    struct handoff_view view = {.caps = handoff_caps(cpu),
                                .snapshot = handoff_of(cpu),
                                .in_use = looks->in_use,
                                .in_use_known = looks->in_use_known,
                                .boot_cpu = cpu == 0};
    return view.snapshot ? handoff_find(&view, findings) : 0;
}

static void note_findings(struct test *t)
{
    struct handoff_finding findings[HANDOFF_FINDINGS];
    unsigned count = find(t->cpu, findings);
    for (unsigned i = 0; i < count; i++) {
        char name[REGISTER_NAME_SIZE], subject[REGISTER_NAME_SIZE + 8], text[HANDOFF_TEXT];
        format_text(subject, sizeof(subject), "reg=%s", register_name(handoff_caps(t->cpu), findings[i].msr, name));
        note(t, "handoff", subject, handoff_by_linux() ? findings[i].meaning->by_linux : findings[i].meaning->text,
             "%s", handoff_text(&findings[i], text));
    }
}

/* The effect of an SMI is known once handoff.canary has run. */
static void note_grade(struct test *t)
{
    enum handoff_grade worst = GRADE_CLEAN;
    bool smi_seen = false, smi_changes = false;
    char subject[32];
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        struct handoff_finding findings[HANDOFF_FINDINGS];
        enum handoff_grade grade = handoff_grade(findings, find(cpu, findings));
        worst = grade > worst ? grade : worst;
        smi_seen |= handoff_looks(cpu)->smi_seen;
        smi_changes |= handoff_looks(cpu)->smi_changes;
    }
    format_text(subject, sizeof(subject), "grade=%s", handoff_grade_name(smi_changes ? GRADE_HOSTILE : worst));
    note_machine(t, "handoff", subject, handoff_by_linux() ? "owner=linux" : "", "smi=%s",
                 smi_changes ? "changes-pmu"
                 : smi_seen  ? "harmless"
                             : "not-seen");
}

static bool is_value(u32 msr)
{
    return msr - MSR_PMC(0) < GP_COUNTERS_MAX || msr - MSR_A_PMC(0) < GP_COUNTERS_MAX;
}

static void check_widths(struct test *t)
{
    const struct snapshot *snapshot = handoff_of(t->cpu);
    for (unsigned i = 0; snapshot && i < snapshot->count; i++) {
        const struct snapshot_entry *entry = &snapshot->entry[i];
        if (entry->readable && is_value(entry->msr))
            check_equal(t, "beyond-width", entry->value & ~counter_mask(t->caps->gp_width), 0, entry->msr);
        else if (entry->readable && entry->msr - MSR_FIXED_CTR(0) < FIXED_COUNTERS_MAX)
            check_equal(t, "beyond-width", entry->value & ~counter_mask(t->caps->fixed_width), 0, entry->msr);
    }
}

static void registers(struct test *t)
{
    if (!handoff_of(t->cpu))
        error(t, "nothing was captured on CPU %u", t->cpu);
    measure(t, "second-look", "us", handoff_looks(t->cpu)->soon_us);
    measure(t, "third-look", "us", handoff_looks(t->cpu)->late_us);
    check_widths(t);
    note_findings(t);
    if (t->position == 0)
        note_grade(t);
}

TEST("handoff.registers", .title = "What was left in the PMU, and what it means",
     .spec = "SDM 3A, Processor State After Reset", .covers = "A-032,A-033,A-034,A-035,A-036,A-037,A-038,A-039,B-001",
     .needs = NEEDS_VERSION(1), .scope = EACH_CPU, .run = registers, .measures = true);
