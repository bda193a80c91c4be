#include "harness/mode/states.h"
#include "harness/run/run.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/msr.h"
#include "kernel/text/glob.h"
#include "kernel/text/string.h"
#include "pmu/area/ds_area.h"
#include "pmu/gate/gate.h"
#include "pmu/reference/monitor/monitor.h"
#include "pmu/run/restore.h"
#include "pmu/state/register_names.h"
#include "pmu/state/snapshot.h"

OPTION(states, .kind = OPTION_TEXT, .argument = "init",
       .help =
           "before the tests: what the PMU's registers keep over an INIT of the last CPU (not on a machine that was "
           "started with trusted execution)");

#define STATES_MS 10000
#define PATTERN 0x2a5a5a5aul
#define PATTERN_VECTOR 0x4au
#define NAME_SIZE 16

/* A CPU's registers as found, as filled, and after the state. */
struct look {
    struct snapshot found, before, after;
    u64 in_use; /* IA32_PERF_GLOBAL_INUSE after it */
    bool in_use_known;
};
static struct look *looks;

/* ---- On the CPU. */

static void fill_counters(const struct pmu_caps *caps)
{
    for_each_gp (caps, n) {
        wrmsr_try(MSR_PMC(n), PATTERN + n);
        wrmsr_try(MSR_PERFEVTSEL(n), EVTSEL_ENCODING(ARCH_EVENT_CORE_CYCLES) | EVTSEL_OS); /* without EN */
    }
    for_each_fixed (caps, i)
        wrmsr_try(MSR_FIXED_CTR(i), PATTERN + i);
}

/* Nothing counts: no event select has EN, and no fixed counter is enabled in IA32_PERF_GLOBAL_CTRL. */
static void fill_controls(const struct pmu_caps *caps)
{
    u64 fixed = 0;
    for_each_fixed (caps, i)
        fixed |= FIXED_OS(i);
    wrmsr_try(MSR_FIXED_CTR_CTRL, fixed);
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, caps_gp_bits(caps));
    wrmsr_try(MSR_DEBUGCTL,
              gate_bits(caps, MSR_DEBUGCTL) & (DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM));
    wrmsr_try(MSR_LBR_SELECT, gate_bits(caps, MSR_LBR_SELECT) & LBR_SELECT_CPL_0);
    if (apic_present())
        apic_write(APIC_LVT_PC, (u32)LVT_MASKED | PATTERN_VECTOR);
}

/* Sampling stays off. */
static void fill_area(const struct pmu_caps *caps)
{
    struct ds_area area;
    if (ds_area_get(caps, 0, &area))
        wrmsr_try(MSR_DS_AREA, (u64)area.management);
}

static void prepare_here(void *argument)
{
    const struct pmu_caps *caps = pmu_caps();
    (void)argument;
    snapshot_take(caps, SNAPSHOT_ALL, &looks->found);
    fill_area(caps); /* while nothing is enabled */
    fill_counters(caps);
    fill_controls(caps);
    snapshot_take(caps, SNAPSHOT_ALL, &looks->before);
}

static void compare_here(void *argument)
{
    const struct pmu_caps *caps = pmu_caps();
    (void)argument;
    monitor_comes_back();
    snapshot_take(caps, SNAPSHOT_ALL, &looks->after);
    looks->in_use_known = caps->version >= 4 && rdmsr_try(MSR_PERF_GLOBAL_INUSE, &looks->in_use) == NO_FAULT;
    snapshot_restore(caps, &looks->found);
}

/* ---- The log. */

static bool cleared_by_init(u32 msr)
{
    return msr == MSR_DS_AREA || msr == MSR_PEBS_ENABLE || msr == REGISTER_LVTPC;
}

static bool as_promised(const struct snapshot_entry *before, u64 after)
{
    if (before->msr == REGISTER_LVTPC)
        return after == LVT_MASKED;
    return after == (cleared_by_init(before->msr) ? 0 : before->value);
}

static void log_difference(u32 cpu, const struct snapshot_entry *before, u64 after)
{
    char name[REGISTER_NAME_SIZE];
    log_line("# state-differs name=init cpu=%u reg=%s before=0x%lx after=0x%lx manual=%s", cpu,
             register_name(pmu_caps_of(cpu), before->msr, name), before->value, after,
             cleared_by_init(before->msr) ? "clears" : "keeps");
}

static void log_all(u32 cpu)
{
    u32 compared = 0, kept = 0, otherwise = 0;
    for (unsigned i = 0; i < looks->before.count; i++) {
        const struct snapshot_entry *before = &looks->before.entry[i], *after = &looks->after.entry[i];
        if (!before->readable || !after->readable || before->part == SNAPSHOT_RECORDS)
            continue;
        compared++;
        kept += after->value == before->value;
        otherwise += !as_promised(before, after->value);
        if (after->value != before->value || !as_promised(before, after->value))
            log_difference(cpu, before, after->value);
    }
    log_line("# state name=init cpu=%u result=done registers=%u kept=%u unlike-manual=%u", cpu, compared, kept,
             otherwise);
    if (looks->in_use_known)
        log_line("# state-in-use name=init cpu=%u in-use=0x%lx", cpu, looks->in_use);
    log_finding("INIT of CPU %u: %u of %u PMU registers kept, %u unlike the manual", cpu, kept, compared, otherwise);
}

static void refuse(const char *why)
{
    log_line("# state name=init result=refused reason=\"%s\"", why);
    log_finding("INIT refused: %s", why);
}

/* ---- INIT */

static u32 last_cpu(void)
{
    u32 last = 0;
    struct cpu_set cpus = run_cpus();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&cpus, cpu))
            last = cpu;
    return last;
}

static void init(u32 cpu)
{
    struct cpu_set one = {{0}};
    cpu_set_add(&one, cpu);
    if (!cpus_run(&one, prepare_here, NULL, STATES_MS, NULL))
        return;
    if (!looks->before.count) {
        refuse("the CPU has no PMU");
        return;
    }
    log_line("# state name=init cpu=%u result=begins", cpu);
    log_drain();
    monitor_leaves(cpu);
    if (cpus_restart(&one) && cpus_run(&one, compare_here, NULL, STATES_MS, NULL))
        log_all(cpu);
}

static bool wanted(const char *name)
{
    char item[NAME_SIZE];
    for (const char *list = option_states.text; list_next(&list, item, sizeof(item));)
        if (!strcmp(item, name))
            return true;
    return false;
}

bool states_asked(void)
{
    return option_states.given;
}

const char *states_unknown(char *text, u32 size)
{
    for (const char *list = option_states.text; option_states.given && list_next(&list, text, size);)
        if (strcmp(text, "init"))
            return text;
    return NULL;
}

void states_make(void)
{
    u32 cpu = last_cpu();
    looks = pages_alloc((sizeof(*looks) + PAGE_SIZE - 1) / PAGE_SIZE);
    if (!wanted("init"))
        return;
    if (!looks || !cpu)
        refuse(cpu ? "no memory" : "there is no CPU beside the boot CPU");
    else
        init(cpu);
}
