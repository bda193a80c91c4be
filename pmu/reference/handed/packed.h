/*
 * A profile as the image has it from elsewhere: only the 64-bit words in which it differs from another one, or from
 * nothing at all. So a hundred CPUs that somebody has dumped take little room, and so one is handed over from outside
 * (handed.h). Pure.
 *
 * A word that points to text is 1 plus the text's place among the texts that go with the words, and 0 for none.
 */
#pragma once

#include "pmu/reference/model/profile.h"
#include <stddef.h>

struct __attribute__((packed)) packed_word {
    uint16_t at; /* of the profile's words */
    uint64_t value;
};

#define PACKED_WORDS (sizeof(struct profile) / sizeof(uint64_t))
_Static_assert(sizeof(struct profile) % sizeof(uint64_t) == 0, "a profile is words and nothing else");

/* Does this word of a profile point to text? To another profile? */
bool packed_is_text(unsigned at);
bool packed_is_second(unsigned at);
/*
 * Puts the words into the profile, with pointers into the texts, `size` bytes of them. False: one lies outside of the
 * profile or of the texts.
 */
bool packed_take(struct profile *profile, const struct packed_word *words, unsigned count, const char *texts,
                 uint32_t size);
