/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/adopt/evidence.h"
#include "tools/pmucheck/judge/judge.h"
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
        if (log_is(r, "held"))
            return log_value(r, "labels");
    return NULL;
}

static bool tells_what_held(const struct facts *facts)
{
    for_each_item (facts->run->results, result)
        if (held_of(facts->boot, result))
            return true;
    return false;
}

/* A hosted reference PMU looks like hardware, but on a board with a virtual machine's firmware. */
bool evidence_is_virtual(const struct log_record *machine)
{
    static const char *const makers[] = {"QEMU", "SeaBIOS", "OVMF", "Bochs", "VirtualBox", "VMware", "innotek"};
    const char *board = log_word(machine, "board"), *bios = log_word(machine, "bios");
    for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
        if (strstr(board, makers[i]) || strstr(bios, makers[i]))
            return true;
    return strcmp(log_word(machine, "hypervisor"), "none") != 0;
}

/* ---- What the build reads: a line of tests/evidence becomes C code, so that only these characters get into one. */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
static const char word_characters[] = LETTERS "-._+", brand_characters[] = LETTERS "-._ ()@,/+";

static bool is_of(const char *text, const char *characters)
{
    return text[strspn(text, characters)] == 0;
}

/* Has a field that goes into the line other characters? */
static bool is_strange(const struct facts *facts)
{
    const char *const fields[] = {facts->signature,    facts->microcode,  facts->boot->version,
                                  facts->boot->commit, facts->boot->code, facts->boot->verdict};
    bool strange = false;
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        strange |= !is_of(fields[i], word_characters);
    for_each_item (facts->run->results, result)
        strange |= !is_of(result->id, word_characters);
    return strange;
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
    if (is_strange(facts))
        return "its version, commit, signature, microcode, code, verdict or a test's name has a character that the "
               "image never writes there: somebody has changed the log";
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

/* Other characters become question marks. */
static void write_characters(FILE *out, const char *text, const char *characters)
{
    for (; *text; text++)
        fputc(strchr(characters, *text) ? *text : '?', out);
}

static void write_field(FILE *out, const char *key, const char *text, const char *characters)
{
    fprintf(out, " %s=", key);
    write_characters(out, text, characters);
}

static void write_origin(FILE *out, const struct facts *facts, const char *name, bool counts)
{
    const char *date = facts_date(facts->boot), *code = facts->boot->code;
    char day[11];
    snprintf(day, sizeof(day), "%s", date ? date : "unknown");
    fprintf(out, "machine=%s counts=%s", name, counts ? "yes" : "no");
    write_field(out, "signature", facts->signature, word_characters);
    write_field(out, "microcode", facts->microcode, word_characters);
    fprintf(out, " brand=\"");
    write_characters(out, facts->brand, brand_characters);
    fputc('"', out);
    write_field(out, "pmucheck", facts->boot->version, word_characters);
    write_field(out, "commit", facts->boot->commit, word_characters);
    write_field(out, "date", day, word_characters);
    write_field(out, "code", code[0] ? code : "none", word_characters);
    write_field(out, "verdict", facts->boot->verdict, word_characters);
    fprintf(out, " held=");
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
    for_each_item (facts->run->results, result) {
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
