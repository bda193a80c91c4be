/*
 * mutate SEED NUMBER FILE...: draws one of all mutants of the files, changes its file, and prints where: FILE:LINE,
 * then the old line after "-" and the new one after "+". The same SEED, NUMBER and files give the same mutant.
 *
 * links: tools/proof/mutant.c tools/text_file.c
 */
#include "tools/proof/mutant.h"
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

static void stop(const char *path, const char *reason)
{
    fprintf(stderr, "mutate: %s: %s\n", path, reason);
    exit(1);
}

static struct source source_read(const char *path)
{
    size_t size;
    struct source source = {.path = path, .text = text_file_read("mutate", path, &size)};
    char *text = source.text ? realloc(source.text, size + 1) : NULL;
    if (!text)
        stop(path, "no text");
    text[size] = 0;
    source.text = text;
    source.mutants = mutants_of(text, &source.count);
    if (!source.mutants)
        stop(path, "out of memory");
    return source;
}

static void print_line(char sign, const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    printf("%c %.*s\n", sign, (int)strcspn(text + at, "\n"), text + at);
}

static void write_mutant(const struct source *source, const struct mutant *mutant)
{
    char *text = mutant_apply(source->text, mutant);
    if (!text)
        stop(source->path, "out of memory");
    printf("%s:%u\n", source->path, mutant_line(source->text, mutant->at));
    print_line('-', source->text, mutant->at);
    print_line('+', text, mutant->at);
    FILE *file = fopen(source->path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        stop(source->path, "cannot be written");
    free(text);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        stop("usage", "mutate SEED NUMBER FILE...");
    size_t files = (size_t)argc - 3, total = 0;
    struct source *sources = calloc(files, sizeof(*sources));
    for (size_t i = 0; sources && i < files; i++) {
        sources[i] = source_read(argv[3 + i]);
        total += sources[i].count;
    }
    if (!total)
        stop("these files", "nothing to change");
    size_t drawn = mutant_draw(strtoul(argv[1], NULL, 0), strtoul(argv[2], NULL, 0), total);
    const struct source *source = sources;
    for (; drawn >= source->count; source++)
        drawn -= source->count;
    write_mutant(source, &source->mutants[drawn]);
    return 0;
}
