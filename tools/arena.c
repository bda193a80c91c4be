/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/arena.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 65536
#define ALIGNMENT 16

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
};

/* A spare block of at least this size; NULL if there is none. */
static struct arena_block *spare_block(struct arena *arena, size_t size)
{
    struct arena_block **at = &arena->spare;
    while (*at && (*at)->size < size)
        at = &(*at)->before;
    struct arena_block *block = *at;
    if (block)
        *at = block->before;
    return block;
}

static struct arena_block *new_block(struct arena *arena, size_t size)
{
    struct arena_block *block = spare_block(arena, size);
    if (!block) {
        block = malloc(sizeof(*block) + size);
        if (!block) {
            fprintf(stderr, "pmucheck: out of memory\n");
            exit(99);
        }
        block->size = size;
    }
    block->used = 0;
    block->before = arena->last;
    arena->last = block;
    return block;
}

/* Allocates bytes without clearing them. */
static void *take(struct arena *arena, size_t size)
{
    struct arena_block *block = arena->last;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!block || block->size - block->used < size)
        block = new_block(arena, size > BLOCK_SIZE ? size : BLOCK_SIZE);
    void *bytes = block->bytes + block->used;
    block->used += size;
    return bytes;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    return memset(take(arena, size), 0, size);
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = take(arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *arena_vprint(struct arena *arena, const char *format, va_list args)
{
    char room[256];
    va_list again;
    va_copy(again, args);
    int printed = vsnprintf(room, sizeof(room), format, args);
    size_t length = printed < 0 ? 0 : (size_t)printed;
    char *text = take(arena, length + 1);
    if (length < sizeof(room))
        memcpy(text, room, length + 1);
    else
        vsnprintf(text, length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprint(arena, format, args);
    va_end(args);
    return text;
}

void *arena_grow(struct arena *arena, void *items, unsigned count, unsigned *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 8;
    char *larger = take(arena, *room * size);
    if (count)
        memcpy(larger, items, count * size);
    memset(larger + count * size, 0, (*room - count) * size);
    return larger;
}

void arena_reset(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *block = arena->last;
        arena->last = block->before;
        block->before = arena->spare;
        arena->spare = block;
    }
}

char *arena_join(struct arena *arena, const char *list, const char *between, const char *more)
{
    return arena_print(arena, "%s%s%s", list, list[0] ? between : "", more);
}

void arena_free(struct arena *arena)
{
    arena_reset(arena);
    while (arena->spare) {
        struct arena_block *before = arena->spare->before;
        free(arena->spare);
        arena->spare = before;
    }
}
