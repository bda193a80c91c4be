/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/index.h"
#include <stdint.h>
#include <string.h>

#define SLOTS_FIRST 8 /* a power of two */

static unsigned mix(const void *bytes, size_t size)
{
    uint64_t value = size, word;
    for (size_t at = 0; at < size; at += sizeof(word)) {
        word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < sizeof(word) ? size - at : sizeof(word));
        value = (value ^ word) * 0x9e3779b97f4a7c15u;
        value ^= value >> 29;
    }
    return (unsigned)(value >> 16);
}

/* The key's slot; for a new key the empty slot where it belongs. */
static struct index_slot *slot_of(const struct index *index, const void *key, size_t size, unsigned hash)
{
    unsigned at = hash & (index->slots - 1);
    for (; index->slot[at].number; at = (at + 1) & (index->slots - 1)) {
        const struct index_key *other = &index->keys.item[index->slot[at].number - 1];
        if (index->slot[at].hash == hash && other->size == size && memcmp(other->bytes, key, size) == 0)
            break;
    }
    return &index->slot[at];
}

/* The table is never more than half full. The old tables stay in the arena; together they are as large as the new
 * one. */
static void widen(struct arena *arena, struct index *index)
{
    index->slots = index->slots ? 2 * index->slots : SLOTS_FIRST;
    index->slot = arena_alloc(arena, index->slots * sizeof(*index->slot));
    for (unsigned i = 0; i < index->keys.count; i++) {
        const struct index_key *key = &index->keys.item[i];
        *slot_of(index, key->bytes, key->size, key->hash) = (struct index_slot){i + 1, key->hash};
    }
}

unsigned index_number(struct arena *arena, struct index *index, const void *key, size_t size)
{
    if (2 * index->keys.count + 2 > index->slots)
        widen(arena, index);
    const unsigned hash = mix(key, size);
    struct index_slot *slot = slot_of(index, key, size, hash);
    if (!slot->number) {
        *LIST_ADD(arena, &index->keys) = (struct index_key){arena_copy(arena, key, size), (unsigned)size, hash};
        *slot = (struct index_slot){index->keys.count, hash};
    }
    return slot->number;
}

unsigned index_find(const struct index *index, const void *key, size_t size)
{
    return index->slots ? slot_of(index, key, size, mix(key, size))->number : 0;
}
