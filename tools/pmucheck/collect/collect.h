/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files in which Linux shows the data that the image left without a serial line, and reports missing ones. */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* Where Linux mounts them; tests use other places. */
struct collect_places {
    const char *pstore;  /* "/sys/fs/pstore" */
    const char *moved;   /* "/var/lib/systemd/pstore", where systemd-pstore moves its files while Linux starts */
    const char *efivars; /* "/sys/firmware/efi/efivars" */
    const char *backend; /* "/sys/module/pstore/parameters/backend" */
};
extern const struct collect_places collect_places;

/* The kind of a file. */
enum collected {
    COLLECTED_LOG,      /* a log, whole or not */
    COLLECTED_VARIABLE, /* written by save=efi */
    COLLECTED_NONE,     /* nothing of the image */
};
enum collected collect_kind(const char *text, size_t size);

struct collect_files {
    LIST(const char *) paths; /* in order of preference */
    const char *missing;      /* missing places, and how to get them; "" if there are files */
};
/* Searches the places. */
struct collect_files collect_find(struct arena *arena, const struct collect_places *places);
