/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/profile/make.h"
#include "pmu/registers.h"
#include "tools/pmucheck/log/facts.h"
#include "tools/profile/text.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_INSTRUCTIONS 6 /* instructions of the empty block of global.start-stop, between the two writes */
#define BUS_CLOCK_LEAST 8.0  /* core cycles per tick of event 013CH if that is a bus clock's */

/* ---- Can a profile be made? */

const char *profile_refusal(const struct facts *facts)
{
    if (facts->cores.count == 0)
        return "the run has no # core-type line";
    if (!facts_leaf(&facts->cores.item[0], 0x0a, 0))
        return "the CPU has no leaf 0AH: profiles of CPUs without an architectural PMU are written by hand";
    if (strncmp(facts->run->pmu, "virtual:", 8) == 0)
        return "the PMU is a hypervisor's, and no model of any CPU";
    if (facts->cores.count > PROFILE_CORES)
        return "a profile has at most three kinds of core";
    return NULL;
}

bool profile_name_fits(const char *name)
{
    return name[0] && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name) && strlen(name) < 32;
}

static void write_bits(const struct maker *m, const char *key, uint32_t value)
{
    char text[256];
    if (value)
        profile_line(m, key, "dump", "%s", profile_mask(value, text));
}

static void write_words(const struct maker *m, const char *key, const struct facts_leaf *leaf)
{
    profile_line(m, key, "dump", "%08x-%08x-%08x-%08x", leaf->value[0], leaf->value[1], leaf->value[2], leaf->value[3]);
}

/* ---- Identity and leaves: feature bits that the PMU or its users look at */

static void write_identity(const struct maker *m, const char *name)
{
    uint64_t platform;
    profile_line(m, "name", NULL, "%s", name);
    profile_line(m, "brand", "dump", "%s", m->facts->brand[0] ? m->facts->brand : "unnamed CPU");
    profile_line(m, "signature", "dump", "%s", m->facts->signature);
    profile_line(m, "microcode", "dump", "%s", m->facts->microcode[0] ? m->facts->microcode : "00000000");
    if (log_hex(m->facts->platform, "id", &platform))
        profile_line(m, "platform-id", "dump", "%016" PRIx64, platform);
    if (log_hex(m->facts->platform, "info", &platform))
        profile_line(m, "platform-info", "dump", "%016" PRIx64, platform);
}

static void write_leaves(const struct maker *m)
{
    static const uint32_t whole[] = {0x14, 0x1a, 0x1c, 0x23};
    profile_line(m, "max-leaf", "dump", "%x", profile_leaf_value(m, 0, 0, FIELD_EAX));
    write_bits(m, "leaf 01 ecx", profile_leaf_value(m, 1, 0, FIELD_ECX) & (1u << 2 | 1u << 4 | 1u << 15));
    write_bits(m, "leaf 01 edx", profile_leaf_value(m, 1, 0, FIELD_EDX) & 1u << 21);
    write_bits(m, "leaf 06 eax", profile_leaf_value(m, 6, 0, FIELD_EAX) & (1u << 0 | 1u << 6));
    write_bits(m, "leaf 06 ecx", profile_leaf_value(m, 6, 0, FIELD_ECX) & 1u << 0);
    write_bits(m, "leaf 07 ebx", profile_leaf_value(m, 7, 0, FIELD_EBX) & (1u << 2 | 1u << 4 | 1u << 11 | 1u << 25));
    write_bits(m, "leaf 07 edx", profile_leaf_value(m, 7, 0, FIELD_EDX) & (1u << 13 | 1u << 15 | 1u << 19));
    write_bits(m, "leaf 07.1 eax", profile_leaf_value(m, 7, 1, FIELD_EAX) & 1u << 8);
    write_words(m, "leaf 0a", facts_leaf(m->core, 0x0a, 0));
    for_each_item (m->core->leaves, leaf)
        for (size_t k = 0; k < sizeof(whole) / sizeof(whole[0]); k++)
            if (leaf->leaf == whole[k]) {
                char key[32];
                snprintf(key, sizeof(key),
                         leaf->subleaf || whole[k] == 0x14 || whole[k] == 0x23 ? "leaf %02x.%u" : "leaf %02x", whole[k],
                         leaf->subleaf);
                write_words(m, key, leaf);
            }
}

/* ---- Counters */

/* The count includes all counters up to the highest: a profile has no gaps. */
static unsigned gp_count(const struct maker *m)
{
    unsigned told = 0;
    while (profile_gp_bitmap(m) >> told)
        told++;
    unsigned beyond = (unsigned)profile_measured(m, "enum.registers", "gp-beyond", "max", 0);
    return told + beyond > 10 ? 10 : told + beyond;
}

/* Bitmap or number, whichever has more; the core-type line corrects known understatements. */
static unsigned fixed_bitmap(const struct maker *m)
{
    uint64_t bitmap = 0;
    log_hex(m->core->record, "fixed-bitmap", &bitmap);
    return (unsigned)bitmap & 0x7f;
}

static unsigned fixed_width(const struct maker *m)
{
    const char *text = log_value(m->core->record, "fixed"), *x = text ? strchr(text, 'x') : NULL;
    return x ? (unsigned)strtoul(x + 1, NULL, 10) : 0;
}

/* "0-2 4-6", with the prefix before each. */
static void write_indices(char *text, size_t size, const char *prefix, unsigned bits)
{
    size_t used = 0;
    text[0] = 0;
    for (unsigned low = 0, high; low < 32; low = high + 1) {
        high = low;
        if (!(bits >> low & 1))
            continue;
        while (high < 31 && bits >> (high + 1) & 1)
            high++;
        used += (size_t)snprintf(text + used, size - used, low == high ? "%s%s%u" : "%s%s%u-%u", used ? " " : "",
                                 prefix, low, high);
    }
}

/* Events that are enumerated and that counted. Misses and mispredicts may have been rare. */
static unsigned events(const struct maker *m)
{
    static const struct {
        unsigned index;
        const char *name;
    } proven[] = {{0, "core-cycles"}, {1, "instructions"}, {2, "ref-cycles"}, {5, "branches"}};
    unsigned length = profile_leaf_value(m, 0x0a, 0, FIELD_EAX) >> 24;
    unsigned live = length >= 31 ? 0x7fffffff : (1u << length) - 1;
    live &= ~profile_leaf_value(m, 0x0a, 0, FIELD_EBX);
    for (size_t i = 0; i < sizeof(proven) / sizeof(proven[0]); i++)
        if (profile_measured(m, "enum.events-count", proven[i].name, "max", 1) == 0)
            live &= ~(1u << proven[i].index);
    return live;
}

/* Events by which this generation samples loads, stores and branches, known from the records' format. */
static void write_pebs_events(const struct maker *m, unsigned format, bool baseline)
{
    bool atom = strncmp(m->core->kind, "atom", 4) == 0;
    if (!baseline) {
        profile_line(m, "event-prec-dist", "assumed", "01c0");
        profile_line(m, "event", "assumed", "04c4 BR_INST_RETIRED.ALL_BRANCHES_PEBS");
    }
    profile_line(m, "event", "assumed",
                 format == 1 ? "010b MEM_INST_RETIRED.LOADS" : "81d0 MEM_INST_RETIRED.ALL_LOADS");
    profile_line(m, "event", "assumed",
                 format == 1 ? "020b MEM_INST_RETIRED.STORES" : "82d0 MEM_INST_RETIRED.ALL_STORES");
    profile_line(m, "event-load-latency", "assumed", "%s", format == 1 ? "100b" : atom ? "05d0" : "01cd");
}

/* From Sandy Bridge to Comet Lake unit masks tell kinds of branches apart: errata.branch-kinds counts them. */
static void write_branch_kinds(const struct maker *m)
{
    static const char *const classes[] = {"sandy-bridge", "haswell", "broadwell", "skylake"};
    const char *class = log_value(m->core->record, "class");
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (!class || strcmp(class, classes[i]) != 0)
            continue;
        profile_line(m, "event", "published events", "10c4 BR_INST_RETIRED.NOT_TAKEN");
        profile_line(m, "event", "published events", "20c4 BR_INST_RETIRED.NEAR_TAKEN");
        profile_line(m, "event", "published events", "40c4 BR_INST_RETIRED.FAR_BRANCH");
    }
}

/* The event that counts conditional branches, if a test knew it. */
static void write_branches(const struct maker *m)
{
    uint64_t select = 0;
    write_branch_kinds(m);
    for_each_record_of_run (m->facts->boot, m->facts->run, r) {
        const char *of = log_value(r, "of");
        if (log_is(r, "event") && of && strcmp(of, "conditional-branches") == 0 &&
            facts_cpu_in(log_value(r, "cpus"), m->core->id) && log_hex(r, "select", &select))
            profile_line(m, "event", "as it was tested", "%04" PRIx64 " BR_INST_RETIRED.COND",
                         (select >> 40 & 0xff) << 16 | (select & 0xffff));
    }
}

/*
 * No line has the counters and events that write records. Assumes all of them with the baseline; else four counters, or
 * the first of two, and the events of most CPUs with such records.
 */
static void write_pebs(const struct maker *m, unsigned gp)
{
    unsigned format = (unsigned)FIELD_GET(profile_perfcap(m), 11, 8);
    bool baseline = profile_perfcap(m) & PERF_CAP_PEBS_BASELINE, several = baseline || gp >= 4;
    char fixed[64], counters[64];
    if (!(profile_leaf_value(m, 1, 0, FIELD_EDX) >> 21 & 1) || !gp)
        return;
    unsigned most = baseline ? gp : several ? 4 : 1;
    write_indices(counters, sizeof(counters), "pmc", (1u << most) - 1);
    write_indices(fixed, sizeof(fixed), "fixed", baseline ? fixed_bitmap(m) : 0);
    profile_line(m, "pebs", "format: dump; the rest: assumed", "format %u, %s%s%s%s%s%s", format, counters,
                 fixed[0] ? " " : "", fixed,
                 baseline  ? ", precise fixed0"
                 : several ? ", precise pmc1"
                           : "",
                 several ? ", latency " : "", several ? counters : "");
    profile_line(m, "pebs-events", "assumed", "%s",
                 baseline      ? "all"
                 : format == 0 ? "00c0 fec1 00c5 1fc7"
                               : "c0 c2 c3 c4 c5 c6 c7 c8 ca cb cd d0 d1 d2 d3");
    if (several)
        write_pebs_events(m, format, baseline);
    if (baseline)
        profile_line(m, "pebs-tells-skips", "assumed", "yes");
    profile_line(m, "pebs-shadow", "assumed", "3");
    profile_line(m, "pebs-residual", "assumed", "2000");
}

static void write_counters(const struct maker *m)
{
    unsigned gp = gp_count(m), bitmap = fixed_bitmap(m), width = profile_leaf_value(m, 0x0a, 0, FIELD_EAX) >> 16 & 0xff;
    unsigned version = profile_leaf_value(m, 0x0a, 0, FIELD_EAX) & 0xff;
    char text[128];
    unsigned lbr = (unsigned)(profile_perfcap(m) & PERF_CAP_LBR_FORMAT);
    bool any = version >= 3 && version < 5 && !(profile_leaf_value(m, 0x0a, 0, FIELD_EDX) >> 15 & 1);
    if (gp)
        profile_line(m, "gp", "dump", "%u x %u", gp, width);
    else
        profile_line(m, "gp", "dump", "none");
    write_indices(text, sizeof(text), "", bitmap);
    if (bitmap)
        profile_line(m, "fixed", "dump", "%s x %u%s", text, fixed_width(m),
                     profile_drops_upper(m, "IA32_FIXED_CTR0", fixed_width(m)) ? ", drops upper" : "");
    else
        profile_line(m, "fixed", "dump", "none");
    write_indices(text, sizeof(text), "", events(m));
    profile_line(m, "events", "dump and measured", "%s", text[0] ? text : "none");
    write_branches(m);
    profile_line(m, "any-thread", "dump: version, EDX[15]", "%s", any ? "yes" : "no");
    profile_line(m, "freeze", "manual: by version", "%s",
                 version >= 4   ? "streamlined"
                 : version >= 2 ? "legacy"
                                : "none");
    write_pebs(m, gp);
    const char *depth = log_value(m->core->record, "lbr");
    if (depth ? strcmp(depth, "0") != 0 : lbr != 0)
        profile_line(m, "lbr", depth ? "dump" : "assumed", "%s", depth ? depth : lbr >= 5 ? "32" : "16");
    if (lbr >= 3 && lbr < 0x3f) /* format 3 came with Nehalem, format 4 with Haswell's call stacks */
        profile_line(m, "lbr-select", "assumed", "accepts %s", lbr >= 4 ? "9:0" : "8:0");
    if (version >= 4)
        profile_line(m, "inuse", "manual: since version 4", "yes");
    if (version >= 6)
        profile_line(m, "aliases", "manual: version 6", "yes");
}

/* ---- Errata that the log shows */

static void write_errata(const struct maker *m)
{
    char text[400] = "";
    size_t used = 0;
    for_each_item (m->facts->run->results, result) {
        int length = (int)strcspn(result->reason, " ,");
        char name[32];
        snprintf(name, sizeof(name), "%.*s", length < 30 ? length : 30, result->reason);
        if (result->outcome == LOG_KNOWN && name[0] && !strstr(text, name) && used + sizeof(name) < sizeof(text))
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? " " : "", name);
    }
    if (used)
        profile_line(m, "errata", "the ones that the log shows", "%s", text);
}

/* ---- Clocks and rates of the model */

/* Core clock, TSC and event 013CH from the counts of one block: the event ticks with a bus clock or with the TSC. */
static void write_clocks(const struct maker *m)
{
    uint64_t info = 0;
    double core = profile_measured(m, "enum.events-count", "core-cycles", "median", 0);
    double reference = profile_measured(m, "enum.events-count", "ref-cycles", "median", 0);
    double ratio = core > 0 && reference > 0 ? core / reference : 1;
    unsigned tsc = log_hex(m->facts->platform, "info", &info) && info >> 8 & 0xff ? (unsigned)(info >> 8 & 0xff) : 100;
    bool bus = ratio >= BUS_CLOCK_LEAST;
    unsigned cycles = (unsigned)lround(bus ? (ratio > 100 ? tsc : ratio) : ratio * tsc);
    profile_line(m, "clock", reference > 0 ? "measured" : "assumed", "%u:%u",
                 cycles < 1      ? 1
                 : cycles > 1000 ? 1000
                                 : cycles,
                 tsc);
    profile_line(m, "event-013c", reference > 0 ? "measured: a bus clock, or 0: the TSC" : "assumed", "%u",
                 !bus          ? 0
                 : ratio > 100 ? (unsigned)lround(ratio)
                               : tsc);
}

#define RARE 1000 /* what was not seen in a few short blocks happens all the same: gp.provoked counts it */

static void write_every(const struct maker *m, const char *key, const char *all, const char *some)
{
    double whole = profile_measured(m, "enum.events-count", all, "median", 0);
    double part = profile_measured(m, "enum.events-count", some, "median", 0);
    if (part <= 0) /* too rare: half of the blocks had none */
        part = profile_measured(m, "enum.events-count", some, "max", 0);
    profile_line(m, key, part > 0 ? "measured" : "assumed", "%.0f", part > 0 ? fmin(round(whole / part), 65535) : RARE);
}

static void write_simulated(const struct maker *m)
{
    static const char *const counted[] = {"none", "start", "both"};
    double low = profile_measured(m, "pmi.latency", "skid", "min", 1);
    double high = profile_measured(m, "pmi.latency", "skid", "max", 4);
    double empty = profile_measured(m, "global.start-stop", "gp-instructions", "median", BLOCK_INSTRUCTIONS + 1);
    unsigned slots = profile_leaf_value(m, 0x23, 0, FIELD_ECX) & 0xff;
    int writes = (int)empty - BLOCK_INSTRUCTIONS;
    write_clocks(m);
    profile_line(m, "ref-step", "assumed", "1");
    profile_line(m, "slots", slots ? "dump: leaf 23H" : "assumed", "%u", slots ? slots : 4);
    write_every(m, "llc-reference-every", "instructions", "llc-references");
    write_every(m, "llc-miss-every", "instructions", "llc-misses");
    write_every(m, "branch-miss-every", "branches", "branch-misses");
    profile_line(m, "skid", "measured", "%.0f to %.0f", fmin(low, 1000), fmin(fmax(low, high), 1000));
    profile_line(m, "start-stop", writes >= 0 && writes <= 2 ? "measured" : "assumed", "%s",
                 counted[writes >= 0 && writes <= 2 ? writes : 1]);
}

/* ---- The whole profile */

static void write_core(const struct maker *m)
{
    uint64_t threads = 0;
    const char *smi = log_value(m->facts->platform, "smi-count");
    write_leaves(m);
    profile_line(m, "perfcap", "dump", "%" PRIx64, profile_perfcap(m));
    profile_line(m, "x2apic", "dump", "%s", profile_leaf_value(m, 1, 0, FIELD_ECX) >> 21 & 1 ? "yes" : "no");
    profile_line(m, "smi-count", "probed", "%s", smi ? smi : "no");
    if (log_number(m->core->cpu, "threads-per-core", &threads) && threads >= 1 && threads <= 4)
        profile_line(m, "threads", "dump", "%" PRIu64, threads);
    write_counters(m);
    write_errata(m);
    fputc('\n', m->out);
    profile_registers(m);
    fputc('\n', m->out);
    write_simulated(m);
}

/* A file's name may have line ends; the comment must not end there. */
static void write_from(FILE *out, const char *from)
{
    for (; *from; from++)
        fputc(*from >= ' ' && *from <= '~' ? *from : '?', out);
}

void profile_make(FILE *out, const struct facts *facts, const char *name, const char *from)
{
    static const char *const sections[PROFILE_CORES] = {"p", "e", "l"};
    struct maker m = {out, facts, &facts->cores.item[0]};
    fprintf(out, "# Made by pmucheck profile from ");
    write_from(out, from);
    fprintf(out, ", a run on %s by pmucheck %s, commit %s.\n", facts->run->pmu, facts->boot->version,
            facts->boot->commit);
    fprintf(out, "# Values that the log lacks are assumed, and marked so.\n\n");
    write_identity(&m, name);
    for (unsigned i = 0; i < facts->cores.count; i++) {
        m.core = &facts->cores.item[i];
        fprintf(out, facts->cores.count > 1 ? "\n[%s]\n" : "\n", sections[i]);
        write_core(&m);
    }
}
