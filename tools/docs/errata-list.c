/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * errata-list: prints the table of errata as Markdown. Standard input has a line for each promise of aspect.def: its
 * name there, and the tests that ask for it, separated by a tab. Fails, with a line that says why, if an erratum that
 * excuses has no promise or no test in the table.
 */
#include "tools/docs/errata_table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 4096

#define ASPECT(id, name, promise) [ASPECT_BIT_##id] = {#id, promise, ""},
static struct {
    const char *id, *text;
    char tests[LINE];
} promises[ASPECTS] = {
#include "harness/core/aspect.def"
};
#undef ASPECT

static void read_tests(const char *name, const char *tests)
{
    for (unsigned bit = 0; bit < ASPECTS; bit++)
        if (strcmp(promises[bit].id, name) == 0)
            snprintf(promises[bit].tests, sizeof(promises[bit].tests), "%.*s", (int)strcspn(tests, "\n"), tests);
}

static void read_promises(void)
{
    char line[LINE];
    while (fgets(line, sizeof(line), stdin)) {
        char *tab = strchr(line, '\t');
        if (!tab)
            continue;
        *tab = 0;
        read_tests(line, tab + 1);
    }
}

/* Prints a word of a reason, as a link if it is a test's id or a file's path. */
static void print_word(const char *word)
{
    const char *dot = strchr(word, '.');
    if (strchr(word, '/'))
        printf("[%s](../%s)", word, word);
    else if (dot && dot[1] >= 'a' && dot[1] <= 'z')
        printf("[%s](../tests/%.*s/%s.c)", word, (int)(dot - word), word, dot + 1);
    else
        fputs(word, stdout);
}

static void print_linked(const char *text)
{
    char word[128];
    while (*text) {
        size_t length = strcspn(text, " ,;");
        snprintf(word, sizeof(word), "%.*s", (int)length, text);
        print_word(word);
        text += length;
        length = strspn(text, " ,;");
        printf("%.*s", (int)length, text);
        text += length;
    }
}

/* ---- Sheets */

/* Prints a signature; x stands for any stepping. */
static void print_signature(const struct erratum_cpus *cpus)
{
    if (cpus->hypervisor)
        printf("\"%s\"", cpus->hypervisor);
    else if (cpus->mask == 0x0fff0fff)
        printf("%X", cpus->signature);
    else
        printf("%Xx", cpus->signature >> 4);
    if (cpus->core_type)
        printf(" (%s cores)", cpus->native_model == 2 ? "Crestmont" : "Gracemont");
    fputs(cpus->core ? " (core)" : "", stdout);
}

static unsigned errata_of(unsigned sheet)
{
    unsigned count = 0;
    for (const struct errata_row *row = errata_rows; row < errata_rows + errata_row_count; row++)
        for (const struct erratum_number *number = row->fact.numbers; number->id; number++)
            count += number->sheet == sheet;
    return count;
}

static bool has_cpus(const struct erratum_cpus *cpus)
{
    return cpus->mask || cpus->hypervisor;
}

static void print_sheets(void)
{
    printf("## Sheets\n\nA signature is CPUID.1:EAX; x stands for any stepping. A hypervisor's is the name in "
           "CPUID.40000000H.\n(core): parts with the same core, for which the sheet's errata hold unless a sheet of "
           "their own lists them.\n\n");
    printf("| sheet | document | CPUs | signatures | errata |\n|---|---|---|---|---|\n");
    for (unsigned i = 0; i < ERRATUM_SHEETS; i++) {
        printf("| %s | %s | %s | ", errata_papers[i].name, errata_papers[i].document, errata_papers[i].product);
        for (const struct erratum_cpus *cpus = erratum_sheets[i].cpus; has_cpus(cpus); cpus++) {
            print_signature(cpus);
            fputs(has_cpus(&cpus[1]) ? ", " : "", stdout);
        }
        printf("%s | %u |\n", has_cpus(erratum_sheets[i].cpus) ? "" : "unknown", errata_of(i));
    }
}

/* ---- Errata */

/* Prints the numbers, with the sheet if a number does not begin with the sheet's name. */
static void print_numbers(const struct erratum_fact *fact)
{
    for (const struct erratum_number *number = fact->numbers; number->id; number++) {
        const char *sheet = errata_papers[number->sheet].name;
        size_t length = strlen(sheet);
        bool own = strncmp(number->id, sheet, length) == 0 && strspn(number->id + length, "0123456789");
        printf(own ? "%s%s" : "%s%s (%s)", number == fact->numbers ? "" : ", ", number->id, sheet);
    }
}

static void print_conditions(const struct erratum_fact *fact, const char *when)
{
    const char *between = when[0] ? "; " : "";
    static const char *const texts[] = {"8 GP counters", "hyper-threading",
                                        "RTM, and IA32_TSX_FORCE_ABORT[0] exists and is 0",
                                        "one counter stood still before the tests, all of them on at once"};
    const bool conditions[] = {fact->eight_counters, fact->smt, fact->tsx_takes_pmc3, fact->counter_held};
    fputs(when, stdout);
    for (unsigned i = 0; i < ARRAY_SIZE(texts); i++)
        if (conditions[i] && !strstr(when, texts[i])) {
            printf("%s%s", between, texts[i]);
            between = "; ";
        }
    if (fact->shown_from && !strstr(when, "CPUID shows version"))
        printf("%sCPUID shows version %u or later", between, fact->shown_from);
    if (fact->mended)
        printf("%sbefore Linux %u.%u on the host", between, fact->mended >> 16, fact->mended & 0xffff);
    for (const struct erratum_fix *fix = fact->fixed; fix && fix->signature; fix++)
        printf("%s%X %XH", fix == fact->fixed ? (when[0] ? "; microcode before " : "microcode before ") : ", ",
               fix->signature, fix->microcode);
}

/* Symptoms that must also show in the same run. */
static const struct {
    size_t at; /* in struct erratum_bound */
    const char *words;
} conditions[] = {
    {offsetof(struct erratum_bound, unsteady), "by a different amount in each repeat"},
    {offsetof(struct erratum_bound, after_smi), "after an SMI that was counted"},
    {offsetof(struct erratum_bound, nothing), "nothing at all is counted, or comes"},
    {offsetof(struct erratum_bound, beside_stop), "of a counter that was stopped beside its overflow"},
};

/* Prints the bound of a symptom, of the erratum itself or of one excuse. */
static void print_bound(const struct erratum_bound *bound)
{
    if (bound->msr)
        printf("; register %XH", bound->msr);
    if (bound->gp_from)
        printf("; PMC%u and above", bound->gp_from);
    if (bound->most)
        printf("; off by %llu at most", (unsigned long long)bound->most);
    if (bound->more)
        printf("; too many only");
    if (bound->less)
        printf("; too few only");
    if (bound->cleared)
        printf("; bits clear that should be 1, of %llXH", (unsigned long long)bound->cleared);
    if (bound->bits)
        printf("; bits set that should be 0, of %llXH", (unsigned long long)bound->bits);
    if (bound->written)
        printf("; where all of %llXH was written", (unsigned long long)bound->written);
    for_each_row (conditions, row)
        if (*(const bool *)((const char *)bound + row->at))
            printf("; %s", row->words);
}

/* Prints the tests that ask for one of these promises, each once. False: there is none. */
static bool print_tests(u64 aspects)
{
    static char seen[LINE * 4], tests[LINE];
    char name[128];
    seen[0] = 0;
    for (unsigned bit = 0; bit < ASPECTS; bit++) {
        snprintf(tests, sizeof(tests), "%s", aspects >> bit & 1 ? promises[bit].tests : "");
        for (char *test = strtok(tests, " "); test; test = strtok(NULL, " ")) {
            snprintf(name, sizeof(name), " %s ", test);
            if (strstr(seen, name))
                continue;
            fputs(seen[0] ? ", " : "", stdout);
            print_word(test);
            snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s", name);
        }
    }
    return seen[0];
}

/* Returns the promises. */
static u64 print_excuses(const struct errata_row *row)
{
    u64 aspects = 0;
    for_each_excuse (&row->fact, excuse) {
        for (unsigned bit = 0; bit < ASPECTS; bit++)
            if (excuse->aspects >> bit & 1) {
                printf("%s%s", aspects ? "<br>" : "", promises[bit].text);
                aspects |= 1ull << bit;
            }
        print_bound(&excuse->bound);
        print_bound(&row->fact.bound);
    }
    return aspects;
}

/* False: an erratum has no promise, or no test asks for it. */
static bool print_judged(void)
{
    bool whole = true;
    printf(
        "\n## Errata by which a test is `known`\n\n"
        "A failed check of the promise is `known` by the erratum's number if it fails within the bound. The source of "
        "the test\nshows which of its checks ask for the promise.\n\n"
        "| erratum | what is wrong | when | the promise, and how far it may be broken | tests that ask for it |\n"
        "|---|---|---|---|---|\n");
    for (const struct errata_row *row = errata_rows; row < errata_rows + errata_row_count; row++) {
        if (row->why != JUDGED)
            continue;
        printf("| ");
        print_numbers(&row->fact);
        printf(" | %s | ", row->what);
        print_conditions(&row->fact, row->when);
        printf(" | ");
        u64 aspects = print_excuses(row);
        printf(" | ");
        if (!print_tests(aspects)) {
            fprintf(stderr, "errata-list: %s, %s: no test asks for a promise that it breaks\n", row->fact.numbers[0].id,
                    row->what);
            whole = false;
        }
        printf(" |\n");
    }
    return whole;
}

static void print_other(const struct errata_row *row)
{
    printf("| ");
    print_numbers(&row->fact);
    printf(" | %s | ", row->what);
    print_conditions(&row->fact, row->when);
    printf(" | %s%s", errata_whys[row->why], row->details[0] ? ": " : "");
    print_linked(row->details);
    printf(" |\n");
}

static void print_others(void)
{
    printf("\n## Errata that excuse nothing\n");
    for (const struct errata_area *area = errata_areas; area->area; area++) {
        printf("\n### %s\n\n| erratum | what is wrong | when | why |\n|---|---|---|---|\n", area->heading);
        for (const struct errata_row *row = errata_rows; row < errata_rows + errata_row_count; row++)
            if (row->why != JUDGED && strcmp(row->area, area->area) == 0)
                print_other(row);
    }
}

int main(void)
{
    read_promises();
    print_sheets();
    bool whole = print_judged();
    print_others();
    return whole ? 0 : 1;
}
