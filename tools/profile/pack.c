/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/profile/pack.h"
#include <string.h>

_Static_assert(sizeof(char *) == sizeof(uint64_t), "the image's pointers have the same width");

/* 1 plus the text's offset; equal texts of several profiles are stored once. */
static uint64_t place_of(struct packing *p, const char *text)
{
    size_t size = strlen(text) + 1;
    for (size_t at = 0; at < p->used; at += strlen(p->texts + at) + 1)
        if (strcmp(p->texts + at, text) == 0)
            return at + 1;
    if (size > p->texts_room - p->used) {
        p->full = true;
        return 0;
    }
    memcpy(p->texts + p->used, text, size);
    p->used += size;
    return p->used - size + 1;
}

static uint64_t word_of(const struct profile *profile, unsigned at)
{
    uint64_t word;
    memcpy(&word, (const char *)profile + at * sizeof(word), sizeof(word));
    return word;
}

static const char *text_of(const struct profile *profile, unsigned at)
{
    const char *text;
    memcpy(&text, (const char *)profile + at * sizeof(text), sizeof(text));
    return text;
}

static bool same(const struct profile *a, const struct profile *b, unsigned at)
{
    if (!packed_is_text(at))
        return word_of(a, at) == word_of(b, at);
    const char *was = text_of(a, at), *is = text_of(b, at);
    return was && is ? strcmp(was, is) == 0 : was == is;
}

static uint64_t packed_value(struct packing *p, const struct profile *profile, unsigned at)
{
    if (!packed_is_text(at))
        return word_of(profile, at);
    const char *text = text_of(profile, at);
    return text ? place_of(p, text) : 0;
}

void profile_pack(struct packing *p, const struct profile *from, const struct profile *to)
{
    static const struct profile nothing;
    for (unsigned at = 0; at < PACKED_WORDS; at++) {
        if (packed_is_second(at) || same(from ? from : &nothing, to, at))
            continue;
        if (p->count == p->words_room) {
            p->full = true;
            return;
        }
        p->words[p->count++] = (struct packed_word){(uint16_t)at, packed_value(p, to, at)};
    }
}
