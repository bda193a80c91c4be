/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/adopt/evidence.h"
#include "tools/pmucheck/judge/rejudge.h"
#include <stdlib.h>
#include <string.h>

#define CLASS 0x0fff0ff0ul /* the bits of CPUID.1:EAX without the stepping, the same as the image's */

/* ---- Is the run acceptable as evidence? */

static bool is_evidence(const struct log_result *result)
{
    return !result->parent && result->trust == LOG_CHECKED &&
           (result->outcome == LOG_PASS || result->outcome == LOG_KNOWN);
}

static const char *held_of(const struct log_boot *boot, const struct log_result *result)
{
    for_each_record (boot, result, r)
        if (strcmp(r->kind, "held") == 0)
            return log_value(r, "labels");
    return NULL;
}

static bool tells_what_held(const struct facts *facts)
{
    for (unsigned i = 0; i < facts->run->results.count; i++)
        if (held_of(facts->boot, &facts->run->results.item[i]))
            return true;
    return false;
}

/* A hosted reference PMU looks like hardware, but on a board with a virtual machine's firmware. */
bool evidence_is_virtual(const struct log_record *machine)
{
    static const char *const makers[] = {"QEMU", "SeaBIOS", "OVMF", "Bochs", "VirtualBox", "VMware", "innotek"};
    const char *board = machine ? log_value(machine, "board") : NULL,
               *bios = machine ? log_value(machine, "bios") : NULL;
    const char *hypervisor = machine ? log_value(machine, "hypervisor") : NULL;
    for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
        if ((board && strstr(board, makers[i])) || (bios && strstr(bios, makers[i])))
            return true;
    return !hypervisor || strcmp(hypervisor, "none") != 0;
}

unsigned long evidence_class(const struct facts *facts)
{
    return strtoul(facts->signature, NULL, 16) & CLASS;
}

const char *evidence_refusal(const struct facts *facts, bool hosted)
{
    if (strcmp(facts->run->pmu, "hardware") != 0)
        return "this run is not of hardware: only real silicon is evidence";
    if (!facts->boot->ended || facts->boot->problems.count)
        return "the log is not whole: pmucheck report lists its problems";
    if (!hosted && evidence_is_virtual(facts->machine))
        return "the machine is virtual, or the log does not say: only real silicon is evidence";
    if (!facts->signature[0] || !facts->cores.count)
        return "the log does not identify the CPU";
    if (!tells_what_held(facts))
        return "the log does not list the checks that held (# held): it is from an older image, or from photos";
    return NULL;
}

bool evidence_has(const char *lines, const char *name)
{
    char field[80];
    snprintf(field, sizeof(field), "machine=%s ", name);
    return strstr(lines, field);
}

/* ---- The line */

/* The labels that the present test has, separated by commas. */
static char *known_labels(struct arena *arena, const char *test, const char *labels, struct evidence_count *count)
{
    char *known = arena_alloc(arena, strlen(labels) + 1), *all = arena_copy(arena, labels, strlen(labels)), *rest;
    known[0] = 0;
    for (char *label = strtok_r(all, ",", &rest); label; label = strtok_r(NULL, ",", &rest)) {
        if (!rejudge_label_known(test, label)) {
            count->unknown++;
            continue;
        }
        sprintf(known + strlen(known), "%s%s", known[0] ? "," : "", label);
        count->checks++;
    }
    return known;
}

/* Writes a text in quotes, without quotes or backslashes in it. */
static void write_quoted(FILE *out, const char *key, const char *text)
{
    fprintf(out, " %s=\"", key);
    for (; *text; text++)
        fputc(*text == '"' || *text == '\\' ? '\'' : *text, out);
    fputc('"', out);
}

static void write_origin(FILE *out, const struct facts *facts, const char *name, bool counts)
{
    const char *date = facts_date(facts->boot);
    fprintf(out, "machine=%s counts=%s signature=%s microcode=%s", name, counts ? "yes" : "no", facts->signature,
            facts->microcode);
    write_quoted(out, "brand", facts->brand);
    fprintf(out, " pmucheck=%s commit=%s date=%.10s code=%s verdict=%s held=", facts->boot->version,
            facts->boot->commit, date ? date : "unknown", facts->boot->code[0] ? facts->boot->code : "none",
            facts->boot->verdict);
}

static bool is_open(const struct log_result *result)
{
    return !result->parent && result->outcome != LOG_PASS && result->outcome != LOG_KNOWN &&
           result->outcome != LOG_SKIP;
}

struct evidence_count evidence_write(FILE *out, const struct facts *facts, const char *name, bool counts)
{
    struct evidence_count count = {0};
    struct arena arena = {0};
    write_origin(out, facts, name, counts);
    for (unsigned i = 0; i < facts->run->results.count; i++) {
        const struct log_result *result = &facts->run->results.item[i];
        const char *held = is_evidence(result) ? held_of(facts->boot, result) : NULL;
        count.open += is_open(result);
        const char *labels = held ? known_labels(&arena, result->id, held, &count) : "";
        if (!*labels)
            continue;
        fprintf(out, "%s%s:%s", count.tests++ ? ";" : "", result->id, labels);
    }
    fputc('\n', out);
    arena_free(&arena);
    return count;
}
