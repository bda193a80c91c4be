#include "tools/pmucheck/run/pack.h"
#include "kernel/text/crc32.h"
#include <string.h>

struct packing {
    char *texts;
    size_t used;
    bool full;
};

/* 1 plus where the text stands; the kinds of core of a hybrid share most of theirs. */
static uint64_t place_of(struct packing *p, const char *text)
{
    size_t size = strlen(text) + 1;
    for (size_t at = 0; at < p->used; at += strlen(p->texts + at) + 1)
        if (strcmp(p->texts + at, text) == 0)
            return at + 1;
    if (size > HANDED_TEXTS - p->used) {
        p->full = true;
        return 0;
    }
    memcpy(p->texts + p->used, text, size);
    p->used += size;
    return p->used - size + 1;
}

static void pack_core(struct packing *p, const struct profile *core, char *to)
{
    struct profile copy = *core;
    copy.second = NULL;
    for (unsigned i = 0; i < HANDED_POINTERS; i++) {
        char *field = (char *)&copy + handed_pointers[i];
        const char *text;
        memcpy(&text, field, sizeof(text));
        uint64_t place = text ? place_of(p, text) : 0;
        memcpy(field, &place, sizeof(place));
    }
    memcpy(to, &copy, sizeof(copy));
}

_Static_assert(PROFILE_CORES <= HANDED_CORES, "every file fits");
_Static_assert(sizeof(char *) == sizeof(uint64_t), "the image's pointers are as wide");

size_t profile_pack(const struct profile_file *file, uint32_t layout, void *bytes)
{
    char *cores = (char *)bytes + sizeof(struct handed);
    struct packing p = {.texts = cores + file->cores * sizeof(struct profile)};
    struct handed head = {.magic = HANDED_MAGIC, .layout = layout, .cores = file->cores};
    for (unsigned n = 0; n < file->cores; n++)
        pack_core(&p, &file->core[n], cores + n * sizeof(struct profile));
    if (p.full)
        return 0;
    size_t rest = file->cores * sizeof(struct profile) + p.used;
    head.texts = (uint32_t)p.used;
    head.crc = crc32_update(0, cores, rest);
    memcpy(bytes, &head, sizeof(head));
    return sizeof(head) + rest;
}
