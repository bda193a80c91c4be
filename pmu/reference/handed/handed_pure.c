#include "kernel/text/crc32.h"
#include "kernel/text/string.h"
#include "pmu/reference/handed/handed.h"

const size_t handed_pointers[HANDED_POINTERS] = {
    offsetof(struct profile, name),  offsetof(struct profile, core),   offsetof(struct profile, vendor),
    offsetof(struct profile, brand), offsetof(struct profile, errata),
};

/* Turns the places of a profile's texts into pointers; false if one lies outside. */
static bool place_texts(struct profile *profile, const char *texts, uint32_t length)
{
    for (unsigned i = 0; i < HANDED_POINTERS; i++) {
        char *field = (char *)profile + handed_pointers[i];
        uint64_t place;
        memcpy(&place, field, sizeof(place));
        if (place > length)
            return false;
        const char *text = place ? texts + place - 1 : NULL;
        memcpy(field, &text, sizeof(text));
    }
    return profile->name && profile->vendor && profile->brand;
}

/* A profile of another layout, or damaged, could lead the model anywhere. */
static const char *refusal(const struct handed *head, const char *rest, size_t size, uint32_t layout)
{
    if (head->magic != HANDED_MAGIC)
        return "the profile handed over is none: give it by pmucheck run --reference=FILE";
    if (head->layout != layout)
        return "the profile handed over was prepared by the program of another build than this image";
    if (!head->cores || head->cores > HANDED_CORES || !head->texts || head->texts > HANDED_TEXTS ||
        size != head->cores * sizeof(struct profile) + head->texts || rest[size - 1] ||
        crc32_update(0, rest, size) != head->crc)
        return "the profile handed over is damaged";
    return NULL;
}

const char *handed_take(const void *bytes, size_t size, uint32_t layout, struct profile *room, char *texts)
{
    struct handed head;
    const char *rest = (const char *)bytes + sizeof(head);
    if (size < sizeof(head))
        return "the profile handed over is damaged";
    size -= sizeof(head);
    memcpy(&head, bytes, sizeof(head));
    const char *why = refusal(&head, rest, size, layout);
    if (why)
        return why;
    memcpy(texts, rest + head.cores * sizeof(*room), head.texts);
    for (unsigned n = 0; n < head.cores; n++) {
        memcpy(&room[n], rest + n * sizeof(*room), sizeof(*room));
        room[n].second = n + 1 < head.cores ? &room[n + 1] : NULL;
        if (!place_texts(&room[n], texts, head.texts))
            return "the profile handed over is damaged";
    }
    return NULL;
}
