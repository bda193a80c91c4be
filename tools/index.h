/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers keys in the order in which they first come: equal bytes have the same number. Allocated in an arena. */
#pragma once

#include "tools/arena.h"

struct index_key {
    void *bytes; /* a copy, ended by NUL, aligned for anything */
    unsigned size, hash;
    unsigned next; /* number of the key that was asked for after this one the last time; 0: none */
};

/* A zeroed index is empty. */
struct index {
    LIST(struct index_key) keys; /* number 1 is the first */
    struct index_slot {
        unsigned number, hash; /* number 0: an empty slot */
    } * slot;                  /* a hash table */
    unsigned slots;
    unsigned last; /* number of the key that index_number() was asked for last; 0: none */
};

/* The key's number; a new key gets the next number. */
unsigned index_number(struct arena *arena, struct index *index, const void *key, size_t size);
/* The key's number; 0: not in the index. */
unsigned index_find(const struct index *index, const void *key, size_t size);
