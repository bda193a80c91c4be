/* SPDX-License-Identifier: BSD-2-Clause */
/* Profiles packed for the image (reference/handed/handed.h). Pure. */
#pragma once

#include "reference/handed/handed.h"

/* Buffers that words and texts are added to. */
struct packing {
    struct packed_word *words;
    unsigned count, words_room;
    char *texts;
    size_t used, texts_room;
    bool full; /* there was too little room */
};

/* Adds the words in which `to` differs from `from`, or from an empty profile if `from` is NULL. */
void profile_pack(struct packing *p, const struct profile *from, const struct profile *to);
