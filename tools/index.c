/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/index.h"
#include <stdbool.h>
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

static bool is_key(const struct index_key *known, const void *key, size_t size)
{
    return known->size == size && memcmp(known->bytes, key, size) == 0;
}

/* The key's slot; for a new key the empty slot where it belongs. */
static struct index_slot *slot_of(const struct index *index, const void *key, size_t size, unsigned hash)
{
    unsigned at = hash & (index->slots - 1);
    for (; index->slot[at].number; at = (at + 1) & (index->slots - 1)) {
        if (index->slot[at].hash == hash && is_key(&index->keys.item[index->slot[at].number - 1], key, size))
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

static unsigned number_by_hash(struct arena *arena, struct index *index, const void *key, size_t size)
{
    if (2 * index->keys.count + 2 > index->slots)
        widen(arena, index);
    const unsigned hash = mix(key, size);
    struct index_slot *slot = slot_of(index, key, size, hash);
    if (!slot->number) {
        *LIST_ADD(arena, &index->keys) = (struct index_key){arena_copy(arena, key, size), (unsigned)size, hash, 0};
        *slot = (struct index_slot){index->keys.count, hash};
    }
    return slot->number;
}

/* Logs are much alike, so that a key mostly has the same successor again: it is looked at before the table. */
unsigned index_number(struct arena *arena, struct index *index, const void *key, size_t size)
{
    unsigned next = index->last ? index->keys.item[index->last - 1].next : 0;
    if (!next || !is_key(&index->keys.item[next - 1], key, size))
        next = number_by_hash(arena, index, key, size);
    if (index->last)
        index->keys.item[index->last - 1].next = next;
    index->last = next;
    return next;
}

unsigned index_find(const struct index *index, const void *key, size_t size)
{
    return index->slots ? slot_of(index, key, size, mix(key, size))->number : 0;
}
