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

static struct arena_block *new_block(struct arena *arena, size_t size)
{
    struct arena_block *block = calloc(1, sizeof(*block) + size);
    if (!block) {
        fprintf(stderr, "pmucheck: out of memory\n");
        exit(99);
    }
    block->size = size;
    block->before = arena->last;
    arena->last = block;
    return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    struct arena_block *block = arena->last;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!block || block->size - block->used < size)
        block = new_block(arena, size > BLOCK_SIZE ? size : BLOCK_SIZE);
    void *bytes = block->bytes + block->used;
    block->used += size;
    return bytes;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_vprint(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
    vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, again);
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
    void *larger = arena_alloc(arena, *room * size);
    if (count)
        memcpy(larger, items, count * size);
    return larger;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}
