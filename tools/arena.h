/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is given back all at once, and lists in it. Running out of memory ends the program with a message. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *last, *spare; /* in use, the newest first; spare ones for reuse */
};

/* Zeroed bytes, aligned for anything. */
void *arena_alloc(struct arena *arena, size_t size);
/* A copy of `length` characters, ended by NUL. */
char *arena_copy(struct arena *arena, const char *text, size_t length);
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "LIST, MORE" with `between` = ", "; only `more` if the list is still "". */
char *arena_join(struct arena *arena, const char *list, const char *between, const char *more);
char *arena_vprint(struct arena *arena, const char *format, va_list args);
void arena_free(struct arena *arena);
/* Frees all allocations, but keeps the memory for the arena's next ones. */
void arena_reset(struct arena *arena);

/* A list that grows in an arena: LIST(struct item) items; items.item[i], items.count. */
#define LIST(type)            \
    struct {                  \
        type *item;           \
        unsigned count, room; \
    }
/* Adds a zeroed item and gives its address, good until the next one is added. */
#define LIST_ADD(arena, list)                                                                               \
    ((list)->item = arena_grow((arena), (list)->item, (list)->count, &(list)->room, sizeof(*(list)->item)), \
     &(list)->item[(list)->count++])
void *arena_grow(struct arena *arena, void *items, unsigned count, unsigned *room, size_t size);
/* Sorts a list by qsort(), to which a list without items must not be given. */
#define LIST_SORT(list, by) ((list).count ? qsort((list).item, (list).count, sizeof(*(list).item), (by)) : (void)0)
/* Walks a list's items; none is added meanwhile: for_each_item (boot->runs, run) { ... run->pmu ... } */
#define for_each_item(list, entry)                                                                          \
    for (__typeof__(*(list).item) *entry = (list).item, *entry##_end = entry ? entry + (list).count : NULL; \
         entry < entry##_end; entry++)
