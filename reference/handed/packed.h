/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile in packed form: only those 64-bit words in which it differs from another profile, or from an empty one. So
 * a hundred dumped CPUs take little room, and a profile can be passed in from outside (handed.h). Pure.
 *
 * A word that points to text is 1 plus the text's offset among the texts that belong to the words, or 0 for NULL.
 */
#pragma once

#include "reference/model/profile.h"
#include <stddef.h>

struct __attribute__((packed)) packed_word {
    uint16_t at; /* index among the profile's words */
    uint64_t value;
};

#define PACKED_WORDS (sizeof(struct profile) / sizeof(uint64_t))
_Static_assert(sizeof(struct profile) % sizeof(uint64_t) == 0, "a profile is words and nothing else");

/* Does this word of a profile point to text? Or to another profile? */
bool packed_is_text(unsigned at);
bool packed_is_second(unsigned at);
/*
 * Stores the words in the profile, with pointers into the `size` bytes of texts. False: a word is outside of the
 * profile, or a text outside of the texts.
 */
bool packed_take(struct profile *profile, const struct packed_word *words, unsigned count, const char *texts,
                 uint32_t size);
