/*
 * mutate [--judgement] [--except=LIST] SEED NUMBER OUTPUT FILE...: draws one of all mutants of the files, writes the
 * changed text to OUTPUT, and prints where: FILE:LINE and the kind of change, then the old line after "-" and the new
 * one after "+". The same SEED, NUMBER and files give the same mutant.
 *
 * --judgement: mutants of what judges, in place of those of any code. LIST names functions and tables that are left
 * alone, "FILE NAME" a line; what follows is why.
 *
 * links: pmu/reference/proof/mutant.c tools/text_file.c
 */
#include "pmu/reference/proof/mutant.h"
#include "tools/text_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const char *path;
    char *text;
    struct mutant *mutants;
    size_t count;
};

/* What the command line says beside the files. */
struct order {
    struct mutant *(*find)(const char *text, size_t *count);
    char *except; /* a text, or NULL */
    unsigned long seed, number;
    const char *output;
};

static void stop(const char *path, const char *reason)
{
    fprintf(stderr, "mutate: %s: %s\n", path, reason);
    exit(1);
}

static char *read_text(const char *path)
{
    size_t size;
    char *read = text_file_read("mutate", path, &size), *text = read ? realloc(read, size + 1) : NULL;
    if (!text)
        stop(path, "no text");
    text[size] = 0;
    return text;
}

/* Is the place in something of this file that the list names? */
static bool excepted(const char *except, const struct source *source, size_t at)
{
    char path[200], name[80];
    for (const char *line = except; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (sscanf(line, "%199s %79s", path, name) == 2 && strcmp(path, source->path) == 0 &&
            mutant_within(source->text, at, name))
            return true;
    return false;
}

static struct source source_read(const char *path, const struct order *order)
{
    struct source source = {.path = path, .text = read_text(path)};
    size_t found, kept = 0;
    source.mutants = order->find(source.text, &found);
    if (!source.mutants)
        stop(path, "out of memory");
    for (size_t i = 0; i < found; i++)
        if (!excepted(order->except, &source, source.mutants[i].at))
            source.mutants[kept++] = source.mutants[i];
    source.count = kept;
    return source;
}

static void print_line(char sign, const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    printf("%c %.*s\n", sign, (int)strcspn(text + at, "\n"), text + at);
}

static void write_mutant(const struct source *source, const struct mutant *mutant, const char *output)
{
    char *text = mutant_apply(source->text, mutant);
    if (!text)
        stop(source->path, "out of memory");
    printf("%s:%u %s\n", source->path, mutant_line(source->text, mutant->at), mutant->kind);
    print_line('-', source->text, mutant->at);
    print_line('+', text, mutant->at);
    FILE *file = fopen(output, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        stop(output, "cannot be written");
    free(text);
}

/* Returns the first file's place among the arguments. */
static int read_order(int argc, char **argv, struct order *order)
{
    int i = 1;
    *order = (struct order){.find = mutants_of};
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++)
        if (strcmp(argv[i], "--judgement") == 0)
            order->find = mutants_of_judgement;
        else if (strncmp(argv[i], "--except=", 9) == 0)
            order->except = read_text(argv[i] + 9);
        else
            stop(argv[i], "no such option");
    if (argc - i < 4)
        stop("usage", "mutate [--judgement] [--except=LIST] SEED NUMBER OUTPUT FILE...");
    order->seed = strtoul(argv[i], NULL, 0);
    order->number = strtoul(argv[i + 1], NULL, 0);
    order->output = argv[i + 2];
    return i + 3;
}

int main(int argc, char **argv)
{
    struct order order;
    int first = read_order(argc, argv, &order);
    size_t files = (size_t)(argc - first), total = 0;
    struct source *sources = calloc(files, sizeof(*sources));
    for (size_t i = 0; sources && i < files; i++) {
        sources[i] = source_read(argv[first + (int)i], &order);
        total += sources[i].count;
    }
    if (!total)
        stop("these files", "nothing to change");
    size_t drawn = mutant_draw(order.seed, order.number, total);
    const struct source *source = sources;
    for (; drawn >= source->count; source++)
        drawn -= source->count;
    write_mutant(source, &source->mutants[drawn], order.output);
    return 0;
}
