/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile-compile FILE...: prints profiles as C source for the image and the host tests: the table that
 * reference/model/profile.h declares, the default profile first. FILE... --dumped FILE...: prints those of the
 * second list, which are like some of the first, packed for reference/dumps/dumps.h. profile-compile --keys: prints
 * the keys of a profile as a Markdown table; --events: the events.
 */
#include "tools/profile/dumped.h"
#include "tools/profile/event.h"
#include "tools/profile/text.h"
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 256
#define SIZE_MAX_TEXT 65536

static struct profile_file *files[FILES_MAX];
static unsigned count;
static bool waits; /* a profile is like one that has not been read yet */

/* Finds a profile that was read, and joins its cores. */
static const struct profile *base(const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(files[i]->core[0].name, name) == 0) {
            for (unsigned core = 1; core < files[i]->cores; core++)
                files[i]->core[core - 1].second = &files[i]->core[core];
            return files[i]->core;
        }
    waits = true;
    return NULL;
}

static void stop(const char *path, unsigned line, const char *reason)
{
    if (line)
        fprintf(stderr, "%s:%u: %s\n", path, line, reason);
    else
        fprintf(stderr, "%s: %s\n", path, reason);
    exit(1);
}

/* Returns NULL if the profile is like one that has not been read yet. With `last` that is an error. */
static struct profile_file *read_path(const char *path, bool last)
{
    static char text[SIZE_MAX_TEXT];
    struct profile_error error;
    struct profile_file *profile = malloc(sizeof(*profile));
    FILE *in = fopen(path, "rb");
    if (!in || !profile)
        stop(path, 0, "cannot be read");
    size_t length = fread(text, 1, sizeof(text), in);
    if (length == sizeof(text) || ferror(in))
        stop(path, 0, "cannot be read, or is longer than 64 KB");
    fclose(in);
    waits = false;
    if (profile_read(text, length, base, profile, &error))
        return profile;
    if (!waits || last)
        stop(path, error.line, error.text);
    free(profile);
    return NULL;
}

/* A file must have its profile's name. */
static void check_name(const char *path, const char *name)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    if (strncmp(base, name, strlen(name)) != 0 || strcmp(base + strlen(name), ".profile") != 0)
        stop(path, 0, "the file's name is not the profile's, NAME.profile");
    for (unsigned i = 0; i < count; i++)
        if (strcmp(files[i]->core[0].name, name) == 0)
            stop(path, 0, "a profile of this name is given twice");
}

static int by_signature(const void *left, const void *right)
{
    const struct profile_file *const *a = left, *const *b = right;
    uint32_t of_a = (*a)->core[0].signature, of_b = (*b)->core[0].signature;
    return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : strcmp((*a)->core[0].name, (*b)->core[0].name);
}

static int by_name(const void *left, const void *right)
{
    const struct profile_file *const *a = left, *const *b = right;
    return strcmp((*a)->core[0].name, (*b)->core[0].name);
}

/* Reads the files; a profile that is like another one after that one. */
static void read_all(char **paths, unsigned n)
{
    unsigned all = count + n;
    for (bool more = true; count < all;) {
        unsigned before = count;
        for (unsigned i = 0; i < n; i++) {
            struct profile_file *file = paths[i] ? read_path(paths[i], !more) : NULL;
            if (!file)
                continue;
            check_name(paths[i], file->core[0].name);
            files[count++] = file;
            paths[i] = NULL;
        }
        more = count > before;
    }
}

static void print_table(void)
{
    printf("\nconst struct profile *const profiles[] = {\n");
    for (int wanted = 1; wanted >= 0; wanted--)
        for (unsigned i = 0; i < count; i++)
            if (files[i]->is_default == wanted) {
                printf("    &");
                profile_print_c_name(stdout, files[i]->core[0].name);
                printf(",\n");
            }
    printf("};\nconst unsigned profile_count = %u;\n", count);
}

/* Escapes "|", which would end a cell of the table. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\%c" : "%c", *text);
}

static int print_keys(void)
{
    printf("| key | value | field of `struct profile` |\n|---|---|---|\n");
    for (unsigned i = 0; i < profile_key_count; i++) {
        const struct key *key = &profile_keys[i];
        printf("| `%s`%s | ", key->name, key->required ? ", required" : "");
        print_cell(key->form->looks);
        if (key->high)
            printf(", %llu to %llu", (unsigned long long)key->low, (unsigned long long)key->high);
        printf(" | `%s` |\n", key->field);
    }
    return 0;
}

static int print_profiles(void)
{
    unsigned defaults = 0;
    for (unsigned i = 0; i < count; i++)
        defaults += files[i]->is_default;
    if (defaults != 1)
        stop("profile-compile", 0, "exactly one profile must say `default yes`");
    qsort(files, count, sizeof(*files), by_name);
    printf("/* Generated from the files in reference/model/profiles. */\n"
           "#include \"reference/model/profile.h\"\n");
    for (unsigned i = 0; i < count; i++)
        profile_print(stdout, files[i]);
    print_table();
    return 0;
}

static int print_dumped(char **paths, unsigned n)
{
    unsigned first = count;
    read_all(paths, n);
    qsort(files + first, n, sizeof(*files), by_signature);
    if (!profile_print_dumped(stdout, files + first, n, base))
        stop("profile-compile", 0, "a dumped profile is not like another, or does not fit into the rows of dumps.h");
    return 0;
}

int main(int argc, char **argv)
{
    int dumped = 1;
    if (argc == 2 && strcmp(argv[1], "--keys") == 0)
        return print_keys();
    if (argc == 2 && strcmp(argv[1], "--events") == 0)
        return profile_print_meanings(stdout);
    if (argc < 2 || argc > FILES_MAX)
        stop("profile-compile", 0, "usage: profile-compile FILE..., FILE... --dumped FILE..., --keys or --events");
    while (dumped < argc && strcmp(argv[dumped], "--dumped") != 0)
        dumped++;
    read_all(argv + 1, (unsigned)dumped - 1);
    return dumped == argc ? print_profiles() : print_dumped(argv + dumped + 1, (unsigned)(argc - dumped - 1));
}
