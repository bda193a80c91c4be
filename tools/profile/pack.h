/* Profiles packed for the image (pmu/reference/handed/packed.h). Pure. */
#pragma once

#include "pmu/reference/handed/packed.h"

/* Where words and texts go, one after the other. */
struct packing {
    struct packed_word *words;
    unsigned count, words_room;
    char *texts;
    size_t used, texts_room;
    bool full; /* there was too little room */
};

/* Adds the words in which `to` differs from `from`; NULL: from nothing. */
void profile_pack(struct packing *p, const struct profile *from, const struct profile *to);
