/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* memfd_create() */
#include "tools/pmucheck/profile/hand.h"
#include "kernel/core/image.h"
#include "kernel/text/text.h"
#include "tools/profile/pack.h"
#include "tools/text_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool hand_is_file(const char *reference)
{
    static const char end[] = ".profile";
    size_t length = strlen(reference);
    return strchr(reference, '/') || (length > strlen(end) && strcmp(reference + length - strlen(end), end) == 0);
}

/* Returns -1, with errno, on failure. */
static int keep(const void *bytes, size_t size)
{
    int memory = memfd_create("profile", 0);
    if (memory < 0 || write(memory, bytes, size) == (ssize_t)size)
        return memory;
    close(memory);
    return -1;
}

size_t hand_bytes(struct arena *arena, const char *file, const char **name, void *bytes, const char **error)
{
    static struct profile_file profile;
    struct profile_error wrong;
    size_t size;
    char *text = text_file_read("pmucheck", file, &size);
    if (!text) {
        *error = "no profile was read";
        return 0;
    }
    bool good = profile_read(text, size, model_profile, &profile, &wrong);
    free(text);
    if (!good) {
        *error = arena_print(arena, wrong.line ? "line %u: %s" : "%.0u%s", wrong.line, wrong.text);
        return 0;
    }
    size = hand_pack(&profile, build_layout, bytes);
    *name = arena_copy(arena, profile.core[0].name, strlen(profile.core[0].name));
    *error = "the profile's texts are too long";
    return size;
}

const char *hand_profile(struct arena *arena, const char *file, const char **path, const char **error)
{
    static char bytes[HANDED_BYTES];
    const char *name;
    size_t size = hand_bytes(arena, file, &name, bytes, error);
    int memory = size ? keep(bytes, size) : -1;
    if (memory < 0) {
        *error = size ? strerror(errno) : *error;
        return NULL;
    }
    *path = arena_print(arena, "/dev/fd/%d", memory);
    return name;
}

_Static_assert(PROFILE_CORES <= HANDED_CORES, "every file has room");

size_t hand_pack(const struct profile_file *file, uint32_t layout, void *bytes)
{
    static char texts[HANDED_TEXTS];
    struct handed head = {.magic = HANDED_MAGIC, .layout = layout};
    char *rest = (char *)bytes + sizeof(head);
    struct packing p = {.words = (struct packed_word *)rest,
                        .words_room = HANDED_CORES * PACKED_WORDS,
                        .texts = texts,
                        .texts_room = sizeof(texts)};
    for (unsigned n = 0, before = 0; n < file->cores; before = p.count, n++) {
        profile_pack(&p, NULL, &file->core[n]);
        head.words[n] = p.count - before;
    }
    if (p.full)
        return 0;
    size_t size = p.count * sizeof(*p.words);
    memcpy(rest + size, texts, p.used);
    head.texts = (uint32_t)p.used;
    head.crc = crc32_update(0, rest, size + p.used);
    memcpy(bytes, &head, sizeof(head));
    return sizeof(head) + size + p.used;
}
