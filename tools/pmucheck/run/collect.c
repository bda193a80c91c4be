/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "tools/pmucheck/run/collect.h"
#include "kernel/firmware/efi_pure.h"
#include "kernel/qr/qr_series.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct collect_places collect_places = {"/sys/fs/pstore", "/sys/firmware/efi/efivars",
                                              "/sys/module/pstore/parameters/backend"};

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

static int is_record(const struct dirent *entry)
{
    return strstr(entry->d_name, "-ramoops") != NULL;
}

/* Explains a missing record: pstore belongs to its first user, which on UEFI may be efi-pstore. */
static const char *no_record(struct arena *arena, const struct collect_places *places)
{
    char backend[64] = "";
    FILE *file = fopen(places->backend, "r");
    if (file) {
        backend[fread(backend, 1, sizeof(backend) - 1, file)] = 0;
        backend[strcspn(backend, "\n")] = 0;
        fclose(file);
    }
    if (backend[0] && backend[0] != '(' && strcmp(backend, "ramoops") != 0)
        return arena_print(arena, "%s has no record of ramoops: %s uses pstore; disable that and load ramoops\n",
                           places->pstore, backend);
    return arena_print(arena,
                       "%s has no record of ramoops: load it with the mem_address and mem_size of save=ramoops:; "
                       "switching the machine off loses the memory's content\n",
                       places->pstore);
}

static const char *find_records(struct arena *arena, const struct collect_places *places, struct collect_files *files)
{
    const char *place = places->pstore;
    struct dirent **entries;
    int count = scandir(place, &entries, is_record, alphasort);
    if (count < 0)
        return arena_print(arena, "%s does not exist: mount -t pstore pstore %s\n", place, place);
    for (int i = 0; i < count; i++) {
        *LIST_ADD(arena, &files->paths) = arena_print(arena, "%s/%s", place, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return count ? "" : no_record(arena, places);
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
