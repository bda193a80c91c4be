/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/facts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HYPERVISOR_FIRST 0x40000000u
#define EXTENDED_FIRST 0x80000000u

/* ---- Lists of CPUs */

/* Takes "N" or "N-M" and the comma after it. */
static bool take_range(const char **cpus, unsigned *first, unsigned *last)
{
    char *end;
    if (**cpus < '0' || **cpus > '9')
        return false;
    *first = *last = (unsigned)strtoul(*cpus, &end, 10);
    if (*end == '-')
        *last = (unsigned)strtoul(end + 1, &end, 10);
    *cpus = *end == ',' ? end + 1 : end;
    return true;
}

bool facts_cpu_in(const char *cpus, unsigned cpu)
{
    unsigned first, last;
    while (cpus && take_range(&cpus, &first, &last))
        if (cpu >= first && cpu <= last)
            return true;
    return false;
}

bool facts_cpus_meet(const char *a, const char *b)
{
    unsigned first, last, low, high;
    while (a && take_range(&a, &first, &last))
        for (const char *rest = b; rest && take_range(&rest, &low, &high);)
            if (first <= high && low <= last)
                return true;
    return false;
}

/* Compares the ends of ranges only: in every list of the image, core types are whole ranges. */
static bool lies_in(const char *cpus, const char *all)
{
    unsigned first, last;
    bool some = false;
    while (cpus && take_range(&cpus, &first, &last)) {
        if (!facts_cpu_in(all, first) || !facts_cpu_in(all, last))
            return false;
        some = true;
    }
    return some;
}

const struct facts_core *facts_core_of(const struct facts *facts, const char *cpus)
{
    for_each_item (facts->cores, core)
        if (lies_in(cpus, core->cpus))
            return core;
    return NULL;
}

/* ---- Leaves */

static struct facts_leaf *find_leaf(struct facts_core *core, uint32_t leaf, uint32_t subleaf)
{
    for (unsigned i = 0; i < core->leaves.count; i++)
        if (core->leaves.item[i].leaf == leaf && core->leaves.item[i].subleaf == subleaf)
            return &core->leaves.item[i];
    return NULL;
}

const struct facts_leaf *facts_leaf(const struct facts_core *core, uint32_t leaf, uint32_t subleaf)
{
    return find_leaf((struct facts_core *)core, leaf, subleaf);
}

static void set_leaf(struct arena *arena, struct facts_core *core, const struct log_record *r)
{
    static const char *const names[4] = {"eax", "ebx", "ecx", "edx"};
    uint64_t leaf, subleaf, value;
    if (!log_hex(r, "leaf", &leaf) || !log_number(r, "sub", &subleaf))
        return;
    struct facts_leaf *entry = find_leaf(core, (uint32_t)leaf, (uint32_t)subleaf);
    if (!entry)
        entry = LIST_ADD(arena, &core->leaves);
    entry->leaf = (uint32_t)leaf;
    entry->subleaf = (uint32_t)subleaf;
    for (unsigned i = 0; i < 4; i++)
        entry->value[i] = log_hex(r, names[i], &value) ? (uint32_t)value : 0;
}

static bool told_of(const struct log_record *r, unsigned id)
{
    uint64_t of;
    return log_is(r, "cpuid") && log_number(r, "core-type", &of) && of == id;
}

static bool any_told_of(const struct log_record *records, unsigned count, unsigned id)
{
    for (const struct log_record *r = records; r < records + count; r++)
        if (told_of(r, id))
            return true;
    return false;
}

static void read_leaves(struct arena *arena, struct facts_core *core, const struct log_record *records, unsigned count,
                        unsigned id)
{
    for (const struct log_record *r = records; r < records + count; r++)
        if (told_of(r, id))
            set_leaf(arena, core, r);
}

/*
 * The lines before the first run have all leaves of each kind of core of the machine. A reference PMU may have kinds
 * that the machine lacks: then all CPUs are of the machine's first kind, and the run's lines have the differences.
 */
static void read_leaves_of_machine(struct arena *arena, struct facts_core *core, const struct log_boot *boot)
{
    unsigned before = boot->runs.item[0].first_record;
    unsigned id = any_told_of(boot->records.item, before, core->id) ? core->id : 0;
    read_leaves(arena, core, boot->records.item, before, id);
}

/* Removes leaves above the highest leaf of their range: they are the machine's, under a reference PMU with fewer
 * leaves. */
static void drop_beyond(struct facts_core *core)
{
    const struct facts_leaf *basic = facts_leaf(core, 0, 0), *extended = facts_leaf(core, EXTENDED_FIRST, 0);
    const struct facts_leaf *features = facts_leaf(core, 1, 0);
    uint32_t last_basic = basic ? basic->value[0] : 0, last_extended = extended ? extended->value[0] : 0;
    bool hypervisor = features && features->value[2] >> 31;
    unsigned kept = 0;
    for (unsigned i = 0; i < core->leaves.count; i++) {
        uint32_t leaf = core->leaves.item[i].leaf;
        bool beyond = leaf >= EXTENDED_FIRST     ? leaf > last_extended
                      : leaf >= HYPERVISOR_FIRST ? !hypervisor
                                                 : leaf > last_basic;
        if (!beyond)
            core->leaves.item[kept++] = core->leaves.item[i];
    }
    core->leaves.count = kept;
}

/* ---- Core types */

/* The machine's "# cpu" lines stand before the run's own, which override them. */
static const struct log_record *cpu_record(const struct log_boot *boot, const struct log_run *run, unsigned cpu)
{
    const struct log_record *found = NULL;
    unsigned end = run->first_record + run->records;
    for (unsigned i = 0; i < end && i < boot->records.count; i++) {
        const struct log_record *r = &boot->records.item[i];
        bool of_machine = i < boot->runs.item[0].first_record + boot->runs.item[0].records;
        if (log_is(r, "cpu") && (of_machine || i >= run->first_record) && facts_cpu_in(log_value(r, "cpus"), cpu))
            found = r;
    }
    return found;
}

static void add_core(struct arena *arena, struct facts *facts, const struct log_record *r)
{
    const struct log_boot *boot = facts->boot;
    struct facts_core *core = LIST_ADD(arena, &facts->cores);
    uint64_t id = 0;
    log_number(r, "id", &id);
    core->record = r;
    core->id = (unsigned)id;
    core->kind = log_value_or(r, "kind", "core");
    core->cpus = log_word(r, "cpus");
    core->cpu = cpu_record(boot, facts->run, core->id);
    read_leaves_of_machine(arena, core, boot);
    if (facts->run->records)
        read_leaves(arena, core, &boot->records.item[facts->run->first_record], facts->run->records, core->id);
    drop_beyond(core);
}

static const char *class_of(const struct facts_core *core)
{
    return log_word(core->record, "class");
}

/* Arrow Lake-H has two kinds of Atom cores, whose names must differ. */
static void tell_kinds_apart(struct arena *arena, struct facts *facts)
{
    unsigned count = facts->cores.count;
    const char **kinds = arena_alloc(arena, (count + 1) * sizeof(*kinds));
    for (unsigned i = 0; i < count; i++) {
        const struct facts_core *core = &facts->cores.item[i];
        bool alone = true;
        for (unsigned k = 0; k < count; k++)
            alone &= strcmp(core->kind, facts->cores.item[k].kind) != 0 ||
                     strcmp(class_of(core), class_of(&facts->cores.item[k])) == 0;
        kinds[i] = alone ? core->kind : arena_print(arena, "%s %s", core->kind, class_of(core));
    }
    for (unsigned i = 0; i < count; i++)
        facts->cores.item[i].kind = kinds[i];
}

static void read_brand(struct facts *facts, const struct facts_core *core)
{
    char spelt[49] = "", *out = facts->brand;
    for (unsigned i = 0; i < 3; i++) {
        const struct facts_leaf *leaf = facts_leaf(core, EXTENDED_FIRST + 2 + i, 0);
        if (leaf)
            memcpy(spelt + 16 * i, leaf->value, 16);
    }
    for (const char *c = spelt; *c; c++)
        if (*c > ' ' ? *c <= '~' : *c == ' ' && out > facts->brand && out[-1] != ' ')
            *out++ = *c;
    while (out > facts->brand && out[-1] == ' ')
        out--;
    *out = 0;
}

static void copy(char *to, size_t size, const struct log_record *r, const char *key)
{
    snprintf(to, size, "%s", log_word(r, key));
}

void facts_read(struct arena *arena, const struct log_boot *boot, const struct log_run *run, struct facts *facts)
{
    *facts = (struct facts){.boot = boot,
                            .run = run,
                            .machine = log_find(boot, NULL, "machine"),
                            .platform = log_find(boot, run, "platform")};
    for_each_record (boot, run, r)
        if (log_is(r, "core-type"))
            add_core(arena, facts, r);
    if (facts->cores.count == 0)
        return;
    tell_kinds_apart(arena, facts);
    const struct facts_core *first = &facts->cores.item[0];
    read_brand(facts, first);
    /* Without leaves the value is the machine's, unless the run has a CPU of its own. */
    if (!facts->brand[0] && strncmp(run->pmu ? run->pmu : "", "reference:", strlen("reference:")) != 0)
        copy(facts->brand, sizeof(facts->brand), facts->machine, "brand");
    copy(facts->signature, sizeof(facts->signature), first->record, "signature");
    copy(facts->microcode, sizeof(facts->microcode), first->cpu, "microcode");
    copy(facts->threads, sizeof(facts->threads), first->cpu, "threads-per-core");
}

/* ---- Conditions of the tests */

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; at && (at = strstr(at, word)); at++)
        if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

const char *facts_conditions(struct arena *arena, const struct facts *facts)
{
    const struct log_record *budget = log_find(facts->boot, facts->run, "budget");
    const struct log_record *options = log_find(facts->boot, NULL, "options");
    bool quick = has_word(log_value(options, "boot"), "quick") || has_word(log_value(options, "qemu"), "quick");
    if (!budget)
        return quick ? "quick" : "";
    return arena_print(arena, "%s%s us and %s repeats a test, %s CPUs", quick ? "quick, " : "",
                       log_value_or(budget, "us", "?"), log_value_or(budget, "repeats", "?"),
                       log_value_or(budget, "cpus", "?"));
}

bool facts_chosen(const char *test, const char *measurement)
{
    static const char *const lengths[][2] = {{"handoff.registers", "second-look"},
                                             {"handoff.registers", "third-look"},
                                             {"handoff.smi", "interval"},
                                             {"pebs.reconfigure-in-a-row", "reconfigurations"}};
    for (size_t i = 0; measurement && i < sizeof(lengths) / sizeof(lengths[0]); i++)
        if (strcmp(test, lengths[i][0]) == 0 && strcmp(measurement, lengths[i][1]) == 0)
            return true;
    return false;
}

/* ---- Dates and times */

static bool took(const struct log_record *r, const char *subject, uint64_t *us)
{
    return log_is(r, "took") && strcmp(r->subject, subject) == 0 && log_number(r, "us", us);
}

bool facts_took(const struct log_boot *boot, const struct log_run *run, const struct log_result *result, uint64_t *us)
{
    if (result) {
        for_each_record (boot, result, r)
            if (took(r, result->id, us))
                return true;
        return false;
    }
    for (unsigned i = run ? run->first_record : 0; i < boot->records.count; i++) {
        const struct log_record *r = &boot->records.item[i];
        bool here = !run || !run->last_line || r->line <= run->last_line;
        if (here && took(r, run ? "run" : "boot", us))
            return true;
    }
    return false;
}

const char *facts_date(const struct log_boot *boot)
{
    const char *date = log_value(log_find(boot, NULL, "date"), "rtc");
    return date && strlen(date) == strlen("2026-01-31T12:00:00") ? date : NULL;
}

const char *facts_options(struct arena *arena, const struct log_boot *boot)
{
    const struct log_record *options = log_find(boot, NULL, "options");
    const char *line = log_word(options, "boot"), *qemu = log_word(options, "qemu");
    return arena_print(arena, "%s%s%s", line, line[0] && qemu[0] ? " " : "", qemu);
}

const char *facts_bits(uint64_t mask, char text[FACTS_BITS])
{
    size_t used = 0;
    text[0] = 0;
    for (int high = 63, low; high >= 0; high = low - 1) {
        low = high;
        if (!(mask >> high & 1))
            continue;
        while (low > 0 && mask >> (low - 1) & 1)
            low--;
        used += (size_t)snprintf(text + used, FACTS_BITS - used, high == low ? "%s%d" : "%s%d:%d", used ? " " : "",
                                 high, low);
    }
    return text;
}
