#include "tools/pmucheck/adopt/evidence.h"
#include "tools/pmucheck/judge/rejudge.h"
#include <stdlib.h>
#include <string.h>

#define CLASS 0x0fff0ff0ul /* of CPUID.1:EAX: all but the stepping, as EVIDENCE() has it */
#define WIDTH 118          /* of a row */

/* ---- May it be? */

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

/* A reference PMU that is hosted like a guest looks like hardware, on a board that firmware of virtual machines made.
 */
static bool is_virtual(const struct log_record *machine)
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

const char *evidence_refusal(const struct facts *facts)
{
    if (strcmp(facts->run->pmu, "hardware") != 0)
        return "this run is of no hardware: only real silicon is evidence";
    if (!facts->boot->ended || facts->boot->problems.count)
        return "the log is not whole: pmucheck report tells what is wrong with it";
    if (is_virtual(facts->machine))
        return "the machine is virtual, or does not tell: only real silicon is evidence";
    if (!facts->signature[0] || !facts->cores.count)
        return "the log does not tell which CPU it is";
    if (!tells_what_held(facts))
        return "the log does not tell which checks held (# held): it is of an older image, or of photos";
    return NULL;
}

bool evidence_has(const char *rows, const char *name)
{
    char quoted[80];
    snprintf(quoted, sizeof(quoted), "\"%s\"", name);
    return strstr(rows, quoted);
}

/* ---- Rows */

/* The labels that a test of today has, with commas between. */
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

/* As strings side by side where a line would be too long. */
static void write_row(FILE *out, const struct facts *facts, const char *name, const char *test, const char *labels)
{
    unsigned long class = strtoul(facts->signature, NULL, 16) & CLASS;
    int column = fprintf(out, "EVIDENCE(0x%08lx, \"%s\", \"%s\", \"", class, name, test);
    while (*labels) {
        int length = (int)strcspn(labels, ",");
        length += labels[length] == ',';
        if (column + length + 2 > WIDTH)
            column = fprintf(out, "\"\n         \"") - 2;
        column += fprintf(out, "%.*s", length, labels);
        labels += length;
    }
    fprintf(out, "\")\n");
}

/* As words of a comment, which they must not end. */
static void write_origin(FILE *out, const struct facts *facts, const char *name)
{
    struct arena arena = {0};
    const char *date = facts_date(facts->boot);
    char *words =
        arena_print(&arena, "%s: %s, signature %s, microcode %s\n * pmucheck %s, commit %s%s%s, code %s", name,
                    facts->brand, facts->signature, facts->microcode, facts->boot->version, facts->boot->commit,
                    date ? ", " : "", date ? date : "", facts->boot->code[0] ? facts->boot->code : "none");
    for (char *end = words; (end = strstr(end, "*/"));)
        *end = ' ';
    fprintf(out, "\n/*\n * %s\n */\n", words);
    arena_free(&arena);
}

static bool is_open(const struct log_result *result)
{
    return !result->parent && result->outcome != LOG_PASS && result->outcome != LOG_KNOWN &&
           result->outcome != LOG_SKIP;
}

struct evidence_count evidence_write(FILE *out, const struct facts *facts, const char *name)
{
    struct evidence_count count = {0};
    struct arena arena = {0};
    write_origin(out, facts, name);
    for (unsigned i = 0; i < facts->run->results.count; i++) {
        const struct log_result *result = &facts->run->results.item[i];
        const char *held = is_evidence(result) ? held_of(facts->boot, result) : NULL;
        count.open += is_open(result);
        const char *labels = held ? known_labels(&arena, result->id, held, &count) : "";
        if (!*labels)
            continue;
        write_row(out, facts, name, result->id, labels);
        count.tests++;
    }
    arena_free(&arena);
    return count;
}
