/* SPDX-License-Identifier: BSD-2-Clause */
/* The facts as JSON, "schema": "pmucheck-here-1". */
#include "pmu/registers.h"
#include "tools/pmucheck/here/here.h"
#include <string.h>

static void add_hex(json_object *object, struct arena *arena, const char *key, u64 value, unsigned digits)
{
    json_add_text(object, key, arena_print(arena, "%0*llx", digits, (unsigned long long)value));
}

/* A text, or null. */
static void add_reason(json_object *object, const char *key, const char *reason)
{
    json_object_object_add(object, key, reason ? json_object_new_string(reason) : NULL);
}

static void add_words(json_object *array, const char *list)
{
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        json_object_array_add(array, json_object_new_string_len(list, (int)strcspn(list, ",")));
}

/* ---- CPUs */

static void add_leaf(json_object *array, struct arena *arena, const char *name, const struct cpuid_regs *leaf)
{
    json_object *item = json_add_item(array);
    json_add_text(item, "leaf", name);
    add_hex(item, arena, "eax", leaf->eax, 8);
    add_hex(item, arena, "ebx", leaf->ebx, 8);
    add_hex(item, arena, "ecx", leaf->ecx, 8);
    add_hex(item, arena, "edx", leaf->edx, 8);
}

static void add_leaves(json_object *kind, struct arena *arena, const struct caps_dump *dump)
{
    const struct {
        const char *name;
        const struct cpuid_regs *leaf;
    } rows[] = {{"0a", &dump->leaf0a},     {"14", &dump->leaf14},     {"14.1", &dump->leaf14_1},
                {"1c", &dump->leaf1c},     {"23", &dump->leaf23},     {"23.1", &dump->leaf23_1},
                {"23.2", &dump->leaf23_2}, {"23.4", &dump->leaf23_4}, {"23.5", &dump->leaf23_5}};
    json_object *array = json_add_array(kind, "leaves");
    for_each_row (rows, row)
        add_leaf(array, arena, row->name, row->leaf);
}

static void add_errata(json_object *kind, struct arena *arena, const here_errata *errata)
{
    static const char *const states[HERE_ERRATUM_STATES] = {"open", "mendable", "mended", "not-now"};
    json_object *array = json_add_array(kind, "errata");
    for_each_item (*errata, erratum) {
        json_object *item = json_add_item(array);
        json_add_text(item, "number", erratum->number);
        json_add_text(item, "state", states[erratum->state]);
        json_add_text(item, "area", erratum->row->area);
        add_words(json_add_array(item, "uses"), erratum->uses);
        json_add_text(item, "what", erratum->row->what);
        json_add_text(item, "when", erratum->row->when);
        if (erratum->mended_by)
            add_hex(item, arena, "mended_by", erratum->mended_by, 8);
    }
}

static void add_kind(json_object *array, struct here *here, unsigned k)
{
    const struct here_core *core = &here->cores.kinds.item[k];
    struct arena *arena = &here->arena;
    json_object *kind = json_add_item(array);
    json_add_text(kind, "cpus", here_cpus(arena, &core->cpus));
    json_add_text(kind, "class", core->kind);
    add_hex(kind, arena, "signature", core->caps.signature, 8);
    add_hex(kind, arena, "microcode", core->caps.microcode, 8);
    json_add_number(kind, "version", core->caps.version);
    json_add_number(kind, "gp", core->caps.gp_count);
    json_add_number(kind, "gp_width", core->caps.gp_width);
    json_add_number(kind, "fixed", __builtin_popcount(core->caps.fixed_bitmap));
    json_add_number(kind, "fixed_width", core->caps.fixed_width);
    json_add_text(kind, "sampling", here_sampling(arena, &core->caps));
    json_add_text(kind, "branch_records", here_records(arena, &core->caps));
    json_add_text(kind, "trace", here_trace(arena, core));
    add_leaves(kind, arena, &core->dump);
    json_add_bool(kind, "errata_complete", erratum_sheet_complete(&core->caps));
    add_errata(kind, arena, &here->errata[k]);
}

/* ---- Who holds counters */

static void add_linux(json_object *whole, struct here *here)
{
    json_object *object = json_add_object(whole, "linux"), *units, *programs;
    json_add_text(object, "release", here->system.release);
    json_add_text(object, "nmi_watchdog", here->system.watchdog);
    json_add_text(object, "perf_event_paranoid", here->system.paranoid);
    units = json_add_array(object, "units");
    for_each_item (here->system.units, unit)
        json_object_array_add(units, json_object_new_string(*unit));
    programs = json_add_array(object, "programs");
    for_each_item (here->system.processes, process) {
        json_object *item = json_add_item(programs);
        json_add_number(item, "pid", process->pid);
        json_add_text(item, "name", process->name);
        json_add_number(item, "counters", process->counters);
    }
}

static void add_claim(json_object *array, struct arena *arena, const struct here_claim *claim)
{
    json_object *item = json_add_item(array);
    json_add_text(item, "label", claim->meaning->label);
    json_add_text(item, "grade", handoff_grade_name(claim->meaning->grade));
    json_add_text(item, "cpus", here_cpus(arena, &claim->cpus));
    json_add_text(item, "register", claim->reg);
    add_hex(item, arena, "found", claim->found, 1);
    add_words(json_add_array(item, "counters"), here_counters(arena, claim->counters));
    json_add_bool(item, "counting", claim->moving);
    json_add_text(item, "means", here_meaning(arena, claim->meaning, "means"));
    json_add_text(item, "fix", here_meaning(arena, claim->meaning, "fix"));
}

static void add_held(json_object *whole, struct here *here)
{
    json_object *object = json_add_object(whole, "registers");
    json_add_bool(object, "read", here->cores.registers);
    if (here->held.in_use_known)
        add_words(json_add_array(object, "in_use"), here_counters(&here->arena, here->held.in_use & ~INUSE_PMI));
    json_object *claims = json_add_array(object, "claims");
    for_each_item (here->held.claims, claim)
        add_claim(claims, &here->arena, claim);
}

json_object *here_json(struct here *here)
{
    json_object *whole = json_object_new_object(), *kinds, *tests, *start;
    json_add_text(whole, "schema", "pmucheck-here-1");
    add_reason(whole, "verdict", here->verdict);
    json_add_text(whole, "vendor", here->cores.vendor);
    json_add_text(whole, "brand", here->cores.brand);
    json_add_number(whole, "cpus", here->cores.cpus);
    json_add_number(whole, "silent", here->cores.silent);
    if (here->cores.kinds.count && here->cores.kinds.item[0].caps.hypervisor)
        json_add_text(whole, "hypervisor", here->cores.kinds.item[0].caps.hypervisor_name);
    kinds = json_add_array(whole, "kinds");
    for (unsigned k = 0; !here->verdict && k < here->cores.kinds.count; k++)
        add_kind(kinds, here, k);
    add_linux(whole, here);
    add_held(whole, here);
    tests = json_add_object(whole, "tests");
    json_add_number(tests, "all", here->tests.all);
    json_add_number(tests, "run", here->tests.run);
    json_add_number(tests, "unknown", here->tests.unknown);
    start = json_add_object(whole, "start");
    add_reason(start, "kexec", here->start.kexec);
    add_reason(start, "guest", here->start.guest);
    return whole;
}
