/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Option states=: what the registers of the PMU hold after a state of the machine in which a CPU forgets some of them.
 * They are filled before and compared afterwards. Measured, never judged: SDM 3A, "Processor State After Reset", tells
 * which an INIT keeps, but firmware and trusted execution may be in the way.
 */
#include "harness/core/place.h"
#include "harness/mode/modes.h"
#include "harness/run/run.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/msr.h"
#include "kernel/serial/serial.h"
#include "kernel/text/text.h"
#include "pmu/area/ds.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/run/bracket.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

OPTION(states, .kind = OPTION_TEXT, .argument = "NAME,...",
       .help =
           "before the tests, what the PMU's registers keep: init (over an INIT of the last CPU; not on a machine that "
           "was started with trusted execution), s3 (over a sleep in ACPI's S3; the screen may stay dark)");

#define STATES_MS 10000
#define PATTERN 0x2a5a5a5aul
#define PATTERN_VECTOR 0x4au
#define NAME_SIZE 16
#define SLEEP_SECONDS 3

static const char init_name[] = "init", s3_name[] = "s3";

/* A CPU's registers as found, as filled, and after the state. */
struct look {
    struct snapshot found, before, after;
    u64 in_use; /* IA32_PERF_GLOBAL_INUSE after it */
    bool in_use_known;
};
static PER_CPU struct look *looks;

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
    u64 fixed = 0, freeze = DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM;
    for_each_fixed (caps, i)
        fixed |= FIXED_OS(i);
    wrmsr_try(MSR_FIXED_CTR_CTRL, fixed);
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, caps_gp_bits(caps));
    wrmsr_try(MSR_DEBUGCTL, gate_bits(caps, MSR_DEBUGCTL) & freeze);
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
    struct look *look = of_cpu(looks, cpu_index());
    (void)argument;
    snapshot_take(caps, SNAPSHOT_ALL, &look->found);
    fill_area(caps); /* while nothing is enabled */
    fill_counters(caps);
    fill_controls(caps);
    snapshot_take(caps, SNAPSHOT_ALL, &look->before);
}

static void compare_here(void *argument)
{
    const struct pmu_caps *caps = pmu_caps();
    struct look *look = of_cpu(looks, cpu_index());
    (void)argument;
    snapshot_take(caps, SNAPSHOT_ALL, &look->after);
    look->in_use_known = caps->version >= 4 && rdmsr_try(MSR_PERF_GLOBAL_INUSE, &look->in_use) == NO_FAULT;
    snapshot_restore(caps, &look->found);
}

static void come_back_here(void *argument)
{
    backend()->comes_back();
    compare_here(argument);
}

/* ---- The log. */

/* What the manual says of it: "keeps" and "clears" after an INIT; nothing of a sleep, in which a CPU has no power. */
static const char *promise(const char *state, u32 msr)
{
    bool cleared = msr == MSR_DS_AREA || msr == MSR_PEBS_ENABLE || msr == REGISTER_LVTPC;
    return state == s3_name ? "open" : cleared ? "clears" : "keeps";
}

static bool as_promised(const char *says, const struct snapshot_entry *before, u64 after)
{
    u64 cleared = before->msr == REGISTER_LVTPC ? LVT_MASKED : 0;
    return !strcmp(says, "open") || after == (strcmp(says, "keeps") ? cleared : before->value);
}

static void log_difference(const char *state, u32 cpu, const struct snapshot_entry *before, u64 after)
{
    char name[REGISTER_NAME_SIZE];
    log_line("# state-differs name=%s cpu=%u reg=%s before=0x%lx after=0x%lx manual=%s", state, cpu,
             register_name(pmu_caps_of(cpu), before->msr, name), before->value, after, promise(state, before->msr));
}

static bool kept(const struct look *look, unsigned i)
{
    return look->after.entry[i].value == look->before.entry[i].value;
}

/* Did this CPU keep what the first of its kind kept? Then that one's lines say it all. */
static bool as_first(u32 cpu)
{
    u32 first = topology_group(cpu);
    const struct look *look = of_cpu(looks, cpu), *other = of_cpu(looks, first);
    if (cpu == first || !other || !other->after.count || look->before.count != other->before.count)
        return false;
    for (unsigned i = 0; i < look->before.count; i++)
        if (kept(look, i) != kept(other, i))
            return false;
    return true;
}

struct sum {
    u32 compared, kept, otherwise;
};

static struct sum compare(const char *state, u32 cpu)
{
    const struct look *look = of_cpu(looks, cpu);
    struct sum sum = {0};
    bool told = as_first(cpu);
    for (unsigned i = 0; i < look->before.count; i++) {
        const struct snapshot_entry *before = &look->before.entry[i], *after = &look->after.entry[i];
        if (!before->readable || !after->readable || before->part == SNAPSHOT_RECORDS)
            continue;
        bool right = as_promised(promise(state, before->msr), before, after->value);
        sum.compared++;
        sum.kept += kept(look, i);
        sum.otherwise += !right;
        if (!told && (!kept(look, i) || !right))
            log_difference(state, cpu, before, after->value);
    }
    return sum;
}

static void log_cpu(const char *state, u32 cpu)
{
    const struct look *look = of_cpu(looks, cpu);
    struct sum sum = compare(state, cpu);
    char in_use[40] = "unknown";
    if (look->in_use_known)
        format_text(in_use, sizeof(in_use), "0x%lx", look->in_use);
    log_line("# state name=%s cpu=%u result=done registers=%u kept=%u unlike-manual=%u in-use=%s", state, cpu,
             sum.compared, sum.kept, sum.otherwise, in_use);
    log_finding("state %s: CPU %u kept %u of %u PMU registers, %u unlike the manual", state, cpu, sum.kept,
                sum.compared, sum.otherwise);
}

static void refuse(const char *state, const char *why)
{
    log_line("# state name=%s result=refused reason=\"%s\"", state, why);
    log_finding("state %s refused: %s", state, why);
}

/* ---- The states. */

static u32 last_cpu(void)
{
    u32 last = 0;
    struct cpu_set cpus = run_cpus();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&cpus, cpu))
            last = cpu;
    return last;
}

static bool has_memory(u32 cpu)
{
    if (!of_cpu(looks, cpu))
        of_cpu(looks, cpu) = pages_alloc((sizeof(struct look) + PAGE_SIZE - 1) / PAGE_SIZE);
    return of_cpu(looks, cpu);
}

/* Fills the registers. False: refused. */
static bool begin(const char *state, const struct cpu_set *cpus)
{
    bool memory = true;
    for (u32 cpu = 0; cpu < cpu_count() && memory; cpu++)
        memory = !cpu_set_has(cpus, cpu) || has_memory(cpu);
    if (!memory)
        refuse(state, "no memory");
    if (!memory || !cpus_run(cpus, prepare_here, NULL, STATES_MS, NULL))
        return false;
    log_line("# state name=%s result=begins", state);
    log_drain();
    return true;
}

static void end(const char *state, const struct cpu_set *cpus, void (*here)(void *))
{
    if (!cpus_run(cpus, here, NULL, STATES_MS, NULL))
        return;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(cpus, cpu))
            log_cpu(state, cpu);
}

static const char *init_state(void)
{
    struct cpu_set one = {{0}};
    u32 cpu = last_cpu();
    cpu_set_add(&one, cpu);
    if (!cpu) {
        refuse(init_name, "there is no CPU beside the boot CPU");
        return NULL;
    }
    if (!begin(init_name, &one))
        return NULL;
    backend()->leaves(cpu);
    if (cpus_restart(&one))
        end(init_name, &one, come_back_here);
    else
        backend()->stays(0); /* and so do all but that one */
    return NULL;
}

static void each_cpu(void (*act)(u32 cpu))
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        act(cpu);
}

static const char *s3_state(void)
{
    struct cpu_set cpus = cpus_all();
    const char *why = suspend_unavailable();
    if (why) {
        refuse(s3_name, why);
        return NULL;
    }
    if (!begin(s3_name, &cpus))
        return NULL;
    each_cpu(backend()->leaves);
    bool slept = suspend(SLEEP_SECONDS);
    serial_resume();
    if (!slept) {
        each_cpu(backend()->stays);
        refuse(s3_name, "the machine did not fall asleep");
        return NULL;
    }
    why = session_arm_again();
    cpus = cpus_all(); /* one may not have come back */
    if (!why)
        end(s3_name, &cpus, compare_here);
    return why;
}

/* ---- The option. */

static const struct {
    const char *name;
    const char *(*make)(void); /* NULL, or why no test can follow */
} states[] = {{init_name, init_state}, {s3_name, s3_state}};

static bool wanted(const char *name)
{
    char item[NAME_SIZE];
    for (const char *list = option_states.text; list_next(&list, item, sizeof(item));)
        if (!strcmp(item, name))
            return true;
    return false;
}

static bool requested(void)
{
    return option_states.given;
}

static bool exists(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(states); i++)
        if (!strcmp(name, states[i].name))
            return true;
    return false;
}

static bool plan(char *error)
{
    char name[NAME_SIZE];
    for (const char *list = option_states.text; list_next(&list, name, sizeof(name));)
        if (!exists(name)) {
            format_text(error, RUN_ERROR_SIZE, "states=%s: there is no such state, only init and s3", name);
            return false;
        }
    return true;
}

/* Goes through the states asked for, and logs what they kept. NULL, or why no test can follow. */
static const char *make_states(void)
{
    const char *why = NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(states) && !why; i++)
        if (wanted(states[i].name))
            why = states[i].make();
    return why;
}

MODE(states, .name = "states=", .asked = requested, .with = "resets=", .one_pmu = true, .plan = plan,
     .armed = make_states);
