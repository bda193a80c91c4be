/* SPDX-License-Identifier: BSD-2-Clause */
/* The `# cpuid` lines: of the machine all leaves of each kind of core, of a reference PMU those that it answers. */
#include "harness/core/cpuid_walk.h"
#include "harness/report/report.h"
#include "kernel/cpu/cpus.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"

#define LEAVES_MOST 256
#define WALK_TIMEOUT_MS 2000

struct leaves {
    struct cpuid_entry entry[LEAVES_MOST];
    unsigned count;
};

static struct leaves machine, here; /* of the machine's first CPU; of the CPU that was asked last */

static void ask(u32 leaf, u32 subleaf, u32 value[4])
{
    struct cpuid_regs r = cpuid(leaf, subleaf);
    memcpy(value, (const u32[]){r.eax, r.ebx, r.ecx, r.edx}, 16);
}

static void walk_here(void *argument)
{
    (void)argument;
    here.count = cpuid_walk(ask, here.entry, LEAVES_MOST);
}

static bool walk(u32 cpu)
{
    struct cpu_set one = {0};
    cpu_set_add(&one, cpu);
    here.count = 0;
    return cpus_run(&one, walk_here, NULL, WALK_TIMEOUT_MS, NULL);
}

static bool empty(const struct cpuid_entry *e)
{
    return !(e->value[0] | e->value[1] | e->value[2] | e->value[3]);
}

static void print(u32 cpu, const struct cpuid_entry *e)
{
    log_line("# cpuid core-type=%u leaf=%08x sub=%u eax=%08x ebx=%08x ecx=%08x edx=%08x", cpu, e->leaf, e->subleaf,
             e->value[0], e->value[1], e->value[2], e->value[3]);
}

static const struct cpuid_entry *find(const struct leaves *leaves, const struct cpuid_entry *like)
{
    for (const struct cpuid_entry *e = leaves->entry; e < leaves->entry + leaves->count; e++)
        if (e->leaf == like->leaf && e->subleaf == like->subleaf)
            return e;
    return NULL;
}

/* Kinds of core differ in their leaves, CPUs of one kind only in their APIC id. */
static bool kind_already_logged(u32 cpu)
{
    for (u32 other = 0; other < cpu; other++)
        if (caps_same_kind(pmu_caps_of(other), pmu_caps_of(cpu)))
            return true;
    return false;
}

void machine_print_leaves(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        if (kind_already_logged(cpu) || !walk(cpu))
            continue;
        for (const struct cpuid_entry *e = here.entry; e < here.entry + here.count; e++)
            if (!empty(e))
                print(cpu, e);
        if (cpu == 0)
            machine = here;
    }
}

/* Leaf 0BH holds the CPU's own number: it differs between CPUs, not between machine and reference PMU. */
static bool same(const struct cpuid_entry *a, const struct cpuid_entry *b)
{
    return a->leaf == 0x0b || !memcmp(a->value, b->value, sizeof(a->value));
}

void machine_print_other_leaves(u32 cpu)
{
    static const struct cpuid_entry none;
    if (!walk(cpu))
        return;
    for (const struct cpuid_entry *e = here.entry; e < here.entry + here.count; e++) {
        const struct cpuid_entry *was = find(&machine, e);
        if (!same(e, was ? was : &none))
            print(cpu, e);
    }
}
