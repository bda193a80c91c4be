/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "tools/pmucheck/collect/collect.h"
#include "kernel/firmware/acpi.h"
#include "kernel/qr/qr.h"
#include "tools/text_file.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct collect_places collect_places = {
    .pstore = "/sys/fs/pstore",
    .moved = "/var/lib/systemd/pstore",
    .efivars = "/sys/firmware/efi/efivars",
    .backend = "/sys/module/pstore/parameters/backend",
};

/* The first line of each start of the image, and of its log. */
static const char begins[] = "# pmucheck version=";

#define ATTRIBUTES 4 /* bytes that efivarfs puts before a variable's value */

enum collected collect_kind(const char *text, size_t size)
{
    if (size > ATTRIBUTES + strlen(QR_SERIES_FORM) &&
        memcmp(text + ATTRIBUTES, QR_SERIES_FORM, strlen(QR_SERIES_FORM)) == 0)
        return COLLECTED_VARIABLE;
    return memmem(text, size, begins, strlen(begins)) ? COLLECTED_LOG : COLLECTED_NONE;
}

static bool is_record(const char *name)
{
    return strstr(name, "-ramoops") != NULL;
}

/* Explains a missing record: pstore belongs to its first user, which on UEFI may be efi-pstore. */
static const char *no_record(struct arena *arena, const struct collect_places *places)
{
    char backend[64];
    text_file_start("", places->backend, backend, sizeof(backend));
    if (backend[0] && backend[0] != '(' && strcmp(backend, "ramoops") != 0)
        return arena_print(arena,
                           "%s has no record of ramoops, nor has %s: %s uses pstore; disable that and load ramoops\n",
                           places->pstore, places->moved, backend);
    return arena_print(
        arena,
        "%s has no record of ramoops, nor has %s: load it with the mem_address and mem_size of save=ramoops:; "
        "switching the machine off loses the memory's content\n",
        places->pstore, places->moved);
}

#define DEPTH 3 /* systemd has a folder for each time, and in it one for each record that came in parts */

struct record {
    const char *path;
    time_t time;
};
struct records {
    LIST(struct record) found;
};

static void find_in(struct arena *arena, const char *folder, unsigned depth, struct records *records)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        const char *path = arena_print(arena, "%s/%s", folder, entry->d_name);
        struct stat file;
        if (entry->d_name[0] == '.' || stat(path, &file) != 0)
            continue;
        if (S_ISDIR(file.st_mode) && depth > 1)
            find_in(arena, path, depth - 1, records);
        else if (S_ISREG(file.st_mode) && is_record(entry->d_name))
            *LIST_ADD(arena, &records->found) = (struct record){path, file.st_mtime};
    }
    if (directory)
        closedir(directory);
}

/* The console's record comes before others. */
static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct record *)one)->path, ((const struct record *)other)->path);
}

static int newest_first(const void *one, const void *other)
{
    const struct record *a = one, *b = other;
    return a->time != b->time ? (a->time < b->time ? 1 : -1) : by_name(one, other);
}

static void add_records(struct arena *arena, const char *folder, unsigned depth,
                        int (*order)(const void *one, const void *other), struct collect_files *files)
{
    struct records records = {0};
    find_in(arena, folder, depth, &records);
    LIST_SORT(records.found, order);
    for_each_item (records.found, found)
        *LIST_ADD(arena, &files->paths) = found->path;
}

static const char *find_records(struct arena *arena, const struct collect_places *places, struct collect_files *files)
{
    add_records(arena, places->pstore, 1, by_name, files);
    add_records(arena, places->moved, DEPTH, newest_first, files);
    if (files->paths.count)
        return "";
    if (access(places->pstore, F_OK) != 0)
        return arena_print(arena, "%s does not exist: mount -t pstore pstore %s\n", places->pstore, places->pstore);
    return no_record(arena, places);
}

static const char *find_variable(struct arena *arena, const char *place, struct collect_files *files)
{
    const char *path = arena_print(arena, "%s/%s", place, EFI_VARIABLE_FILE);
    if (access(place, F_OK) != 0)
        return arena_print(arena,
                           "%s does not exist: this machine did not start by UEFI, or mount -t efivarfs efivarfs %s\n",
                           place, place);
    if (access(path, F_OK) != 0)
        return arena_print(arena, "%s has no variable %s: save=efi was not given, or the firmware refused it\n", place,
                           EFI_VARIABLE_FILE);
    *LIST_ADD(arena, &files->paths) = path;
    return "";
}

struct collect_files collect_find(struct arena *arena, const struct collect_places *places)
{
    struct collect_files files = {0};
    const char *records = find_records(arena, places, &files);
    files.missing = arena_print(arena, "%s%s", records, find_variable(arena, places->efivars, &files));
    return files;
}
