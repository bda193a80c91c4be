/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run's PMU is beside its capabilities: the identity that errata and profiles key on, and the registers as they
 * were handed over. With the leaves of CPUID it is what turns a log into a profile of the reference PMU.
 */
#include "harness/core/place.h"
#include "harness/report/fold.h"
#include "harness/report/report.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

#define FOUND_LINE 700

static void add(char *line, const char *key, u64 value)
{
    size_t length = strlen(line);
    format_text(line + length, FOUND_LINE - length, " %s=0x%lx", key, value);
}

/* Both tell the package, and neither holds a number of this very piece. SDM 4, "Model-Specific Registers". */
static void print_platform(void)
{
    char line[FOUND_LINE] = "";
    u64 value;
    if (pmu_caps()->intel && rdmsr_try(MSR_PLATFORM_ID, &value) == NO_FAULT)
        add(line, "id", value & PLATFORM_ID);
    if (pmu_caps()->intel && rdmsr_try(MSR_PLATFORM_INFO, &value) == NO_FAULT)
        add(line, "info", value);
    log_line("# platform%s apic=%s smi-count=%s", line, apic_x2() ? "x2apic" : "xapic",
             pmu_caps()->smi_count ? "yes" : "no");
}

/* ---- `# found`: registers that did not hold 0, equal CPUs in one line. */

/* What branches were recorded before is nobody's affair, and differs from CPU to CPU. */
static bool is_logged(const struct snapshot_entry *entry)
{
    return entry->part != SNAPSHOT_RECORDS;
}

static bool same_entry(const struct snapshot_entry *a, const struct snapshot_entry *b)
{
    return a->msr == b->msr && (!is_logged(a) || (a->readable == b->readable && a->value == b->value));
}

static bool same_found(u32 a, u32 b)
{
    const struct snapshot *x = handoff_of(a), *y = handoff_of(b);
    bool same = x && y && x->count == y->count;
    for (unsigned i = 0; same && i < x->count; i++)
        same = same_entry(&x->entry[i], &y->entry[i]);
    return same;
}

static bool found_before(const struct cpu_set *all, u32 cpu)
{
    for (u32 other = 0; other < cpu; other++)
        if (cpu_set_has(all, other) && same_found(other, cpu))
            return true;
    return false;
}

/* Of CPUs that were all found like this one. */
static void print_found(const struct cpu_set *cpus, u32 first)
{
    const struct snapshot *snapshot = handoff_of(first);
    char line[FOUND_LINE] = "", text[CPU_SET_TEXT], name[REGISTER_NAME_SIZE];
    for (unsigned i = 0; i < snapshot->count; i++) {
        const struct snapshot_entry *entry = &snapshot->entry[i];
        if (is_logged(entry) && entry->readable && entry->value)
            add(line, register_name(handoff_caps(first), entry->msr, name), entry->value);
        bool full = strlen(line) > FOUND_LINE - 80;
        if (line[0] && (full || i + 1 == snapshot->count)) {
            log_line("# found cpus=%s%s", cpu_set_text(cpus, text, sizeof(text)), line);
            line[0] = 0;
        }
    }
}

static void print_all_found(const struct cpu_set *all)
{
    for (u32 first = 0; first < cpu_count(); first++) {
        struct cpu_set cpus = {0};
        if (!cpu_set_has(all, first) || !handoff_of(first) || found_before(all, first))
            continue;
        for (u32 cpu = first; cpu < cpu_count(); cpu++)
            if (cpu_set_has(all, cpu) && same_found(first, cpu))
                cpu_set_add(&cpus, cpu);
        print_found(&cpus, first);
    }
}

void machine_print_run(const struct cpu_set *cpus, bool reference)
{
    if (reference)
        machine_print_cpus();
    for (u32 cpu = 0; reference && cpu < cpu_count(); cpu++)
        if (cpu_set_has(cpus, cpu) && topology_group(cpu) == cpu)
            machine_print_other_leaves(cpu);
    if (!pmu_caps()->present)
        return;
    print_platform();
    print_all_found(cpus);
}
