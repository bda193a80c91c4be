/* Where Linux shows what the image has left without a serial line: which files there are, and what is missing. */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* Where Linux mounts them; another place in tests. */
struct collect_places {
    const char *pstore;  /* "/sys/fs/pstore" */
    const char *efivars; /* "/sys/firmware/efi/efivars" */
    const char *backend; /* "/sys/module/pstore/parameters/backend" */
};
extern const struct collect_places collect_places;

/* What a file is. */
enum collected {
    COLLECTED_LOG,      /* a log, whole or not */
    COLLECTED_VARIABLE, /* what save=efi wrote */
    COLLECTED_NONE,     /* nothing of the image */
};
enum collected collect_kind(const char *text, size_t size);

struct collect_files {
    LIST(const char *) paths; /* in the order in which they are to be preferred */
    const char *missing;      /* what is not there and how it comes to be there; "" if nothing is */
};
/* Looks through the places. */
struct collect_files collect_find(struct arena *arena, const struct collect_places *places);
