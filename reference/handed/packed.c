/* SPDX-License-Identifier: BSD-2-Clause */
/* A profile in packed form: only those 64-bit words in which it differs from another profile, or from an empty one. */
#include "kernel/text/text.h"
#include "reference/handed/handed.h"

#define WORD_OF(field) (offsetof(struct profile, field) / sizeof(uint64_t))

bool packed_is_text(unsigned at)
{
    static const uint16_t texts[] = {WORD_OF(name),   WORD_OF(core),    WORD_OF(vendor),         WORD_OF(brand),
                                     WORD_OF(errata), WORD_OF(assumed), WORD_OF(hypervisor_name)};
    for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i] == at)
            return true;
    return false;
}

bool packed_is_second(unsigned at)
{
    return at == WORD_OF(second);
}

static void put(struct profile *profile, unsigned at, const void *word)
{
    memcpy((char *)profile + at * sizeof(uint64_t), word, sizeof(uint64_t));
}

bool packed_take(struct profile *profile, const struct packed_word *words, unsigned count, const char *texts,
                 uint32_t size)
{
    for (unsigned i = 0; i < count; i++) {
        struct packed_word word;
        memcpy(&word, &words[i], sizeof(word));
        bool is_text = packed_is_text(word.at);
        if (word.at >= PACKED_WORDS || packed_is_second(word.at) || (is_text && word.value > size))
            return false;
        const char *text = is_text && word.value ? texts + word.value - 1 : NULL;
        put(profile, word.at, is_text ? (const void *)&text : (const void *)&word.value);
    }
    return true;
}
