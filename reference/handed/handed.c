/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/handed/handed.h"
#include "kernel/text/text.h"

static const char damaged[] = "the profile passed in is damaged";

static unsigned cores(const struct handed *head)
{
    unsigned n = 0;
    while (n < HANDED_CORES && head->words[n])
        n++;
    return n;
}

/* Size of the words of all kinds of core, in bytes. */
static size_t size_of_words(const struct handed *head)
{
    size_t words = 0;
    for (unsigned n = 0; n < cores(head); n++)
        words += head->words[n];
    return words * sizeof(struct packed_word);
}

/* A damaged profile, or one of another layout, could make the model do anything. */
static const char *refusal(const struct handed *head, const char *rest, size_t size, uint32_t layout)
{
    if (head->magic != HANDED_MAGIC)
        return "what was passed in is no profile: use pmucheck run --reference=FILE";
    if (head->layout != layout)
        return "the profile passed in was prepared by a program of another build than this image";
    if (!cores(head) || !head->texts || head->texts > HANDED_TEXTS || size != size_of_words(head) + head->texts ||
        rest[size - 1] || crc32_update(0, rest, size) != head->crc)
        return damaged;
    return NULL;
}

const char *handed_take(const void *bytes, size_t size, uint32_t layout, struct profile *room, char *texts)
{
    struct handed head;
    const char *rest = (const char *)bytes + sizeof(head);
    if (size < sizeof(head))
        return damaged;
    size -= sizeof(head);
    memcpy(&head, bytes, sizeof(head));
    const char *why = refusal(&head, rest, size, layout);
    if (why)
        return why;
    const struct packed_word *words = (const void *)rest;
    memcpy(texts, rest + size_of_words(&head), head.texts);
    for (unsigned n = 0; n < cores(&head); words += head.words[n], n++) {
        memset(&room[n], 0, sizeof(room[n]));
        room[n].second = n + 1 < cores(&head) ? &room[n + 1] : NULL;
        if (!packed_take(&room[n], words, head.words[n], texts, head.texts) || !room[n].name || !room[n].vendor ||
            !room[n].brand)
            return damaged;
    }
    return NULL;
}
