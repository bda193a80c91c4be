/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/run/pack.h"
#include "kernel/text/crc32.h"
#include "tools/profile/pack.h"
#include <string.h>

_Static_assert(PROFILE_CORES <= HANDED_CORES, "every file has room");

size_t hand_pack(const struct profile_file *file, uint32_t layout, void *bytes)
{
    static char texts[HANDED_TEXTS];
    struct handed head = {.magic = HANDED_MAGIC, .layout = layout};
    char *rest = (char *)bytes + sizeof(head);
    struct packing p = {.words = (struct packed_word *)rest,
                        .words_room = HANDED_CORES * PACKED_WORDS,
                        .texts = texts,
                        .texts_room = sizeof(texts)};
    for (unsigned n = 0, before = 0; n < file->cores; before = p.count, n++) {
        profile_pack(&p, NULL, &file->core[n]);
        head.words[n] = p.count - before;
    }
    if (p.full)
        return 0;
    size_t size = p.count * sizeof(*p.words);
    memcpy(rest + size, texts, p.used);
    head.texts = (uint32_t)p.used;
    head.crc = crc32_update(0, rest, size + p.used);
    memcpy(bytes, &head, sizeof(head));
    return sizeof(head) + size + p.used;
}
