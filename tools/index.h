/* Numbers of keys: the same bytes have the same number, in the order in which they first came. It lives in an arena. */
#pragma once

#include "tools/arena.h"

struct index_key {
    void *bytes; /* a copy, ended by NUL, aligned for anything */
    unsigned size;
};

/* Zeroed, it has none. */
struct index {
    LIST(struct index_key) keys; /* number 1 is the first */
    unsigned *slot, slots;       /* of a hash table: numbers, 0 where there is none */
};

/* The key's number; it gets the next one if it has none yet. */
unsigned index_number(struct arena *arena, struct index *index, const void *key, size_t size);
/* 0: it has none. */
unsigned index_find(const struct index *index, const void *key, size_t size);
