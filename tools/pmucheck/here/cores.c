/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPUs of a machine, by kinds of core, asked as the image asks them. */
#include "pmu/cpu/class.h"
#include "pmu/registers.h"
#include "tools/pmucheck/here/here.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Registers */

/* What the capabilities depend on (caps_read_by), and counters that only leaf 23H enumerates. */
static bool of_capabilities(const struct pmu_caps *caps, u32 msr)
{
    static const u32 known[] = {MSR_MISC_ENABLE, MSR_PERF_CAPABILITIES, MSR_TSX_FORCE_ABORT,
                                MSR_RTIT_CTL,    MSR_PERF_METRICS,      MSR_SMI_COUNT};
    for_each_row (known, row)
        if (*row == msr)
            return true;
    for_each_gp (caps, n)
        if (msr == MSR_PERFEVTSEL(n) || msr == MSR_PMC(n) || msr == MSR_A_PMC(n))
            return true;
    return msr >= MSR_FIXED_CTR(0) && msr < MSR_FIXED_CTR(FIXED_COUNTERS_MAX);
}

bool here_may_read(const struct pmu_caps *caps, u32 msr)
{
    struct snapshot list;
    if (!caps->intel || msr == REGISTER_LVTPC)
        return false;
    if (of_capabilities(caps, msr))
        return true;
    snapshot_list(caps, SNAPSHOT_OWN | SNAPSHOT_SHARED, &list);
    return caps->present && (msr == MSR_PERF_GLOBAL_INUSE || snapshot_find(&list, msr));
}

enum here_answer here_msr(const struct here_source *source, const struct pmu_caps *caps, unsigned cpu, u32 msr,
                          u64 *value)
{
    return here_may_read(caps, msr) ? source->msr(source->context, cpu, msr, value) : HERE_CLOSED;
}

/* ---- One CPU */

struct asked {
    const struct here_source *source;
    struct arena *arena;
    unsigned cpu;
    u32 max_leaf, max_extended;
    struct pmu_caps caps; /* by CPUID alone: they choose the registers */
    bool closed;          /* its registers cannot be read */
};

static struct cpuid_regs ask_leaf(void *context, u32 leaf, u32 subleaf)
{
    struct asked *asked = context;
    u32 highest = leaf >= 0x80000000u ? asked->max_extended : asked->max_leaf;
    if (leaf > highest && leaf != CAPS_LEAF_HYPERVISOR)
        return (struct cpuid_regs){0};
    return asked->source->cpuid(asked->source->context, asked->cpu, leaf, subleaf);
}

static bool ask_msr(void *context, u32 msr, u64 *value)
{
    struct asked *asked = context;
    enum here_answer answer = here_msr(asked->source, &asked->caps, asked->cpu, msr, value);
    asked->closed |= answer == HERE_CLOSED;
    return answer == HERE_READ;
}

/* Linux gives the revision to everybody, in /proc/cpuinfo: of all CPUs the first one's, which is enough if /sys has
 * none. */
static u32 ask_microcode(void *context)
{
    struct asked *asked = context;
    char text[4096];
    const char *own = arena_print(asked->arena, "/sys/devices/system/cpu/cpu%u/microcode/version", asked->cpu);
    if (here_file(asked->source, own, text, sizeof(text))[0])
        return (u32)strtoul(text, NULL, 16);
    const char *line = strstr(here_file(asked->source, "/proc/cpuinfo", text, sizeof(text)), "\nmicrocode");
    const char *colon = line ? strchr(line, ':') : NULL;
    return colon ? (u32)strtoul(colon + 1, NULL, 16) : 0;
}

#define CPUS_MOST 8192 /* of Linux */

/* The CPUs of a list "0,4" or "0-3,8", one after another; false at its end. */
static bool next_cpu(const char **list, unsigned *cpu, unsigned *last)
{
    if (*cpu < *last) {
        ++*cpu;
        return true;
    }
    *list += strspn(*list, ",");
    if (!isdigit((unsigned char)**list))
        return false;
    char *end;
    *cpu = *last = (unsigned)strtoul(*list, &end, 10);
    if (*end == '-' && isdigit((unsigned char)end[1]))
        *last = (unsigned)strtoul(end + 1, &end, 10);
    *list = end;
    return *cpu < CPUS_MOST && *last < CPUS_MOST;
}
#define for_each_cpu_of(text, cpu) for (unsigned cpu = 1, last_##cpu = 0; next_cpu(&(text), &cpu, &last_##cpu);)

/* Threads that are switched off are not in Linux's list, nor are they in firmware's. */
static u8 ask_siblings(void *context, u8 thread_bits)
{
    struct asked *asked = context;
    char text[256];
    unsigned count = 0;
    const char *path =
        arena_print(asked->arena, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", asked->cpu);
    const char *list = here_file(asked->source, path, text, sizeof(text));
    (void)thread_bits;
    for_each_cpu_of (list, cpu)
        count++;
    return count < UINT8_MAX ? (u8)count : UINT8_MAX;
}

static void identify(struct asked *asked)
{
    struct caps_dump dump = {0};
    asked->max_leaf = asked->max_extended = ~0u;
    struct cpuid_regs basic = ask_leaf(asked, 0, 0), extended = ask_leaf(asked, 0x80000000u, 0);
    asked->max_leaf = basic.eax;
    asked->max_extended = extended.eax >= 0x80000000u ? extended.eax : 0x80000000u;
    caps_ask(&dump, ask_leaf, asked);
    caps_decode(&dump, &asked->caps);
}

/*
 * Without rights nobody reads IA32_MISC_ENABLE. Linux uses the PMU, so its bits are as they are wherever there is one;
 * whether records are available Linux tells by the precision that it offers.
 */
static void assume(const struct here_source *source, struct here_core *core)
{
    char text[16];
    if (!core->dump.misc_enable_unread || !core->caps.present)
        return;
    core->dump.misc_enable_unread = false;
    core->dump.misc_enable = MISC_ENABLE_PERFMON;
    if (strcmp(here_file(source, "/sys/bus/event_source/devices/cpu/caps/max_precise", text, sizeof(text)), "0") == 0)
        core->dump.misc_enable |= MISC_ENABLE_PEBS_UNAVAILABLE;
    caps_decode(&core->dump, &core->caps);
}

static void read_core(struct asked *asked, struct here_core *core)
{
    const struct caps_asker asker = {asked, ask_leaf, ask_msr, ask_microcode, ask_siblings};
    identify(asked);
    caps_read_by(&asker, &core->dump, &core->caps);
    core->kind = class_name(cpu_class(&core->caps));
    if (asked->closed)
        assume(asked->source, core);
}

/* ---- All CPUs */

static bool same_core(const struct here_core *a, const struct here_core *b)
{
    return caps_same_kind(&a->caps, &b->caps) && a->caps.microcode == b->caps.microcode &&
           memcmp(&a->caps.leaf0a, &b->caps.leaf0a, sizeof(a->caps.leaf0a)) == 0 &&
           a->caps.gp_bitmap == b->caps.gp_bitmap && a->caps.fixed_bitmap == b->caps.fixed_bitmap;
}

static struct here_core *kind_of(struct here *here, const struct here_core *core)
{
    struct here_cores *cores = &here->cores;
    for (unsigned i = 0; i < cores->kinds.count; i++)
        if (same_core(&cores->kinds.item[i], core))
            return &cores->kinds.item[i];
    struct here_core *kind = LIST_ADD(&here->arena, &cores->kinds);
    *kind = *core;
    return kind;
}

/* Leaf 0: the vendor's name, in an order of its own. */
static const char *vendor(struct arena *arena, const struct cpuid_regs *leaf0)
{
    const u32 words[] = {leaf0->ebx, leaf0->edx, leaf0->ecx};
    char *name = arena_alloc(arena, sizeof(words) + 1);
    for (unsigned i = 0; i < sizeof(words); i++)
        name[i] = (char)(words[i / 4] >> i % 4 * 8);
    for (char *c = name; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    return name;
}

/* Leaves 80000002H to 80000004H, without the blanks around it. */
static const char *brand(struct asked *asked)
{
    char *text = arena_alloc(asked->arena, 49);
    for (u32 leaf = 0; leaf < 3; leaf++) {
        struct cpuid_regs regs = ask_leaf(asked, 0x80000002u + leaf, 0);
        const u32 words[] = {regs.eax, regs.ebx, regs.ecx, regs.edx};
        for (unsigned i = 0; i < sizeof(words); i++)
            text[16 * leaf + i] = (char)(words[i / 4] >> i % 4 * 8);
    }
    for (char *c = text; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    for (size_t length = strlen(text); length && text[length - 1] == ' ';)
        text[--length] = 0;
    return text + strspn(text, " ");
}

static void look_at(struct here *here, struct asked *asked)
{
    struct here_core core = {0};
    struct here_cores *cores = &here->cores;
    read_core(asked, &core);
    if (!core.dump.leaf0.ebx) {
        cores->silent++;
        return;
    }
    if (!cores->cpus++) {
        cores->vendor = vendor(&here->arena, &core.dump.leaf0);
        cores->brand = brand(asked);
        cores->registers = core.caps.intel && !asked->closed;
    }
    *LIST_ADD(&here->arena, &kind_of(here, &core)->cpus) = asked->cpu;
}

void here_look_cores(struct here *here, const struct here_source *source)
{
    char text[4096];
    const char *online = here_file(source, "/sys/devices/system/cpu/online", text, sizeof(text));
    here->cores.brand = here->cores.vendor = "";
    online = online[0] ? online : "0";
    for_each_cpu_of (online, cpu)
        look_at(here, &(struct asked){.source = source, .arena = &here->arena, .cpu = cpu});
}

const char *here_cpus(struct arena *arena, const here_cpu_list *cpus)
{
    const char *text = "";
    for (unsigned i = 0, first; i < cpus->count; i++) {
        for (first = i; i + 1 < cpus->count && cpus->item[i + 1] == cpus->item[i] + 1;)
            i++;
        text = arena_print(arena, i > first ? "%s%s%u-%u" : "%s%s%u", text, first ? "," : "", cpus->item[first],
                           cpus->item[i]);
    }
    return text;
}
