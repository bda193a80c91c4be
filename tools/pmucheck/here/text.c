/* SPDX-License-Identifier: BSD-2-Clause */
/* The page for people, and the line for a ticket. */
#include "pmu/cpu/class.h"
#include "tools/pmucheck/help/help.h"
#include "tools/pmucheck/here/here.h"
#include <string.h>

/* "  records          PEBS format 3" */
__attribute__((format(printf, 3, 4))) static void put_row(FILE *out, const char *name, const char *format, ...)
{
    va_list args;
    fprintf(out, "  %-16s ", name);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
}

static const char *hypervisor(const struct pmu_caps *caps)
{
    return !caps->hypervisor ? "none" : caps->hypervisor_name[0] ? caps->hypervisor_name : "without a name";
}

/* ---- The PMU */

static void put_leaf(FILE *out, const char *name, const struct cpuid_regs *leaf)
{
    if (leaf->eax | leaf->ebx | leaf->ecx | leaf->edx)
        put_row(out, name, "%08x-%08x-%08x-%08x", leaf->eax, leaf->ebx, leaf->ecx, leaf->edx);
}

static void put_leaves(FILE *out, const struct caps_dump *dump)
{
    put_leaf(out, "CPUID.0AH", &dump->leaf0a);
    put_leaf(out, "CPUID.14H", &dump->leaf14);
    put_leaf(out, "CPUID.1CH", &dump->leaf1c);
    put_leaf(out, "CPUID.23H", &dump->leaf23);
    put_leaf(out, "CPUID.23H.1", &dump->leaf23_1);
    put_leaf(out, "CPUID.23H.2", &dump->leaf23_2);
    put_leaf(out, "CPUID.23H.4", &dump->leaf23_4);
    put_leaf(out, "CPUID.23H.5", &dump->leaf23_5);
}

/* Linux has no revision to tell of a guest's CPU, or none was recorded. */
static const char *microcode(struct arena *arena, const struct pmu_caps *caps)
{
    return caps->microcode ? arena_print(arena, "%08x", caps->microcode) : "unknown";
}

static void put_core(FILE *out, struct here *here, const struct here_core *core)
{
    const struct pmu_caps *caps = &core->caps;
    fprintf(out, "\nCPUs %s: %s, signature %08x, microcode %s\n", here_cpus(&here->arena, &core->cpus), core->kind,
            caps->signature, microcode(&here->arena, caps));
    put_row(out, "counters", "%s", here_counting(&here->arena, caps));
    put_row(out, "sampling", "%s", here_sampling(&here->arena, caps));
    put_row(out, "branch records", "%s", here_records(&here->arena, caps));
    put_row(out, "trace", "%s", here_trace(&here->arena, core));
    if (caps->hypervisor)
        put_row(out, "under", "the hypervisor %s: this is what it gives to its guest", hypervisor(caps));
    put_leaves(out, &core->dump);
}

/* ---- Errata */

static unsigned count_of(const here_errata *errata, enum here_erratum_state state)
{
    unsigned count = 0;
    for_each_item (*errata, erratum)
        count += erratum->state == state;
    return count;
}

static bool shows(const struct here_erratum *erratum)
{
    return erratum->state == HERE_OPEN || erratum->state == HERE_MENDABLE;
}

static unsigned touching(const here_errata *errata, const char *use)
{
    unsigned count = 0;
    for_each_item (*errata, erratum)
        count += shows(erratum) && here_touches(erratum, use);
    return count;
}

static void put_erratum(FILE *out, struct here *here, const struct here_erratum *erratum)
{
    const char *when = erratum->row->when[0] ? arena_print(&here->arena, " (%s)", erratum->row->when) : "",
               *uses = erratum->uses[0] ? arena_print(&here->arena, "%s: ", erratum->uses) : "",
               *mend = erratum->state == HERE_MENDABLE
                           ? arena_print(&here->arena, "; microcode %08x mends it", erratum->mended_by)
                           : "";
    fill(out, arena_print(&here->arena, "%s %s%s%s%s", erratum->number, uses, erratum->row->what, when, mend), 4,
         FILL_WIDTH);
}

static void put_area(FILE *out, struct here *here, const here_errata *errata, const struct errata_area *area)
{
    bool headed = false;
    for_each_item (*errata, erratum) {
        if (strcmp(erratum->row->area, area->area) != 0 || !shows(erratum))
            continue;
        if (!headed)
            fprintf(out, "  %s\n", area->heading);
        headed = true;
        put_erratum(out, here, erratum);
    }
}

static void put_errata(FILE *out, struct here *here, unsigned kind)
{
    static const char *const uses[] = {"counting", "rr", "sampling", "branch-records", "tracing", "guests"};
    const here_errata *errata = &here->errata[kind];
    const struct here_core *core = &here->cores.kinds.item[kind];
    fprintf(out, "\nErrata of CPUs %s: %u open, %u that newer microcode mends, %u mended, %u not in this state\n",
            here_cpus(&here->arena, &core->cpus), count_of(errata, HERE_OPEN), count_of(errata, HERE_MENDABLE),
            count_of(errata, HERE_MENDED), count_of(errata, HERE_NOT_NOW));
    if (!erratum_sheet_complete(&core->caps))
        fprintf(out, "  No sheet of this CPU was read in full: there may be more.\n");
    const char *touched = "";
    for_each_row (uses, use)
        touched =
            arena_join(&here->arena, touched, ", ", arena_print(&here->arena, "%s %u", *use, touching(errata, *use)));
    put_row(out, "they touch", "%s", touched);
    for (const struct errata_area *area = errata_areas; area->area; area++)
        put_area(out, here, errata, area);
}

/* ---- Who holds counters */

static void put_watchdog(FILE *out, const char *watchdog)
{
    if (!watchdog[0])
        put_row(out, "NMI watchdog", "this Linux has none");
    else if (watchdog[0] == '0')
        put_row(out, "NMI watchdog", "off: it holds no counter");
    else
        put_row(out, "NMI watchdog",
                "on: it holds a counter of cycles on each CPU; sysctl kernel.nmi_watchdog=0 gives it back");
}

/* The kernel's Documentation/admin-guide/sysctl/kernel.rst: perf_event_paranoid. */
static void put_paranoid(FILE *out, const char *paranoid)
{
    static const struct {
        const char *value, *means;
    } rows[] = {{"-1", "everybody may count everything"},
                {"0", "everybody may count the kernel and whole CPUs"},
                {"1", "everybody may count the kernel for their own programs"},
                {"2", "everybody may count their own programs, without the kernel"}};
    for_each_row (rows, row)
        if (strcmp(row->value, paranoid) == 0) {
            put_row(out, "who may count", "%s (kernel.perf_event_paranoid=%s)", row->means, paranoid);
            return;
        }
    if (paranoid[0])
        put_row(out, "who may count", "only root (kernel.perf_event_paranoid=%s)", paranoid);
}

static void put_units(FILE *out, struct here *here)
{
    const char *text = "";
    for_each_item (here->system.units, unit)
        text = arena_join(&here->arena, text, ", ", *unit);
    put_row(out, "Linux offers", "%s", text[0] ? text : "no unit that counts");
}

/* A claim that Linux itself may have made, while its own users are there. */
static const char *owner(struct here *here, const struct here_claim *claim)
{
    const char *told = here_meaning(&here->arena, claim->meaning, "owner");
    if (strcmp(told, "firmware") != 0)
        return told;
    if (here->system.processes.count || here->system.watchdog[0] == '1')
        return "this Linux (its watchdog or the programs above), or firmware before it";
    return "firmware, or a guest of KVM: no program of this Linux has a counter open";
}

static void put_claim(FILE *out, struct here *here, const struct here_claim *claim)
{
    struct arena *arena = &here->arena;
    const char *counters = claim->counters ? arena_print(arena, " %s", here_counters(arena, claim->counters)) : "",
               *moving = claim->moving ? ", counting" : "";
    fprintf(out, "  %s: CPUs %s, %s=0x%llx%s%s\n", claim->meaning->label, here_cpus(arena, &claim->cpus), claim->reg,
            (unsigned long long)claim->found, counters, moving);
    fill(out, arena_print(arena, "%s", here_meaning(arena, claim->meaning, "means")), 4, FILL_WIDTH);
    fill(out, arena_print(arena, "by: %s", owner(here, claim)), 4, FILL_WIDTH);
    fill(out, arena_print(arena, "what helps: %s", here_meaning(arena, claim->meaning, "fix")), 4, FILL_WIDTH);
}

static void put_registers(FILE *out, struct here *here)
{
    unsigned benign = 0;
    if (!here->cores.registers) {
        put_row(out, "registers", "not read: root with the driver msr (modprobe msr) sees who holds what");
        return;
    }
    if (here->held.in_use_known)
        put_row(out, "in use", "%s (IA32_PERF_GLOBAL_INUSE)",
                here->held.in_use ? here_counters(&here->arena, here->held.in_use & ~INUSE_PMI) : "nothing");
    for_each_item (here->held.claims, claim)
        if (claim->meaning->grade >= GRADE_CLAIMS)
            put_claim(out, here, claim);
        else
            benign++;
    put_row(out, "registers", "%u other findings, all harmless (--format=json has them)", benign);
}

static void put_held(FILE *out, struct here *here)
{
    fprintf(out, "\nWho holds counters\n");
    put_watchdog(out, here->system.watchdog);
    for_each_item (here->system.processes, process)
        put_row(out, "program", "%s (%u): %u open", process->name, process->pid, process->counters);
    put_paranoid(out, here->system.paranoid);
    put_units(out, here);
    put_registers(out, here);
}

/* ---- The image */

static void put_way(FILE *out, struct here *here, const char *command, const char *refusal, const char *words)
{
    fill(out,
         arena_print(&here->arena, refusal ? "%s does not work here: %s" : "%s %s", command, refusal ? refusal : words),
         4, FILL_WIDTH);
}

static void put_start(FILE *out, struct here *here)
{
    const struct here_tests *tests = &here->tests;
    fprintf(out, "\nWhat the image would test here\n  %u of its %u tests", tests->run, tests->all);
    fprintf(out, tests->unknown ? ", and %u more if IA32_PERF_CAPABILITIES, which was not read, says so\n" : "\n",
            tests->unknown);
    put_way(out, here, "pmucheck kexec", here->start.kexec, "starts it from this Linux, without a medium");
    put_way(out, here, "pmucheck usb /dev/sdX", NULL, "writes a stick to boot from");
    put_way(out, here, "GRUB's menu", NULL,
            here->start.entry ? "has an entry if GRUB_ENTRY=yes stands in /etc/default/pmucheck"
                              : "gets an entry by the Debian package");
    put_way(out, here, "pmucheck run --accel=kvm", here->start.guest, "tests what KVM gives to guests of this PMU");
}

void here_text(FILE *out, struct here *here)
{
    const struct here_cores *cores = &here->cores;
    fprintf(out, "%s\n", cores->brand[0] ? cores->brand : cores->vendor);
    if (cores->silent)
        fprintf(out, "%u CPUs cannot be asked from here.\n", cores->silent);
    if (here->verdict) {
        fill(out,
             arena_print(&here->arena, "%s. pmucheck run --reference=skylake shows the tests at work.", here->verdict),
             0, FILL_WIDTH);
        return;
    }
    for_each_item (cores->kinds, kind)
        put_core(out, here, kind);
    for (unsigned k = 0; k < cores->kinds.count; k++)
        put_errata(out, here, k);
    put_held(out, here);
    put_start(out, here);
}

/* ---- One line */

static const char *core_words(struct here *here, unsigned kind)
{
    const struct here_core *core = &here->cores.kinds.item[kind];
    return arena_print(&here->arena, "%s %08x, microcode %s, %s; errata: %u open, %u mended by newer microcode",
                       core->kind, core->caps.signature, microcode(&here->arena, &core->caps),
                       here_counting(&here->arena, &core->caps), count_of(&here->errata[kind], HERE_OPEN),
                       count_of(&here->errata[kind], HERE_MENDABLE));
}

void here_line(FILE *out, struct here *here)
{
    unsigned claims = 0;
    if (here->verdict) {
        fprintf(out, "%s\n", here->verdict);
        return;
    }
    for (unsigned k = 0; k < here->cores.kinds.count; k++)
        fprintf(out, "%s; ", core_words(here, k));
    for_each_item (here->held.claims, claim)
        claims += claim->meaning->grade >= GRADE_CLAIMS;
    fprintf(out, "hypervisor %s; NMI watchdog %s; ", hypervisor(&here->cores.kinds.item[0].caps),
            here->system.watchdog[0] == '1' ? "on" : "off");
    fprintf(out, here->cores.registers ? "counters held by registers: %u" : "%.0uregisters not read", claims);
    fprintf(out, "; Linux %s\n", here->system.release);
}
