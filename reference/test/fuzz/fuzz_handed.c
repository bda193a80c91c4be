/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a profile that is passed in: no overrun, and an accepted profile has its texts where they were copied
 * to. */
#include "kernel/text/text.h"
#include "reference/handed/handed.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LAYOUT 7u

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_text(const char *text, const char *texts)
{
    if (text)
        require(text >= texts && text < texts + HANDED_TEXTS && memchr(text, 0, (size_t)(texts + HANDED_TEXTS - text)));
}

/* The first byte selects the parts of the head that are made valid, so that later checks are reached, too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct profile room[HANDED_CORES];
    static char texts[HANDED_TEXTS];
    struct handed head;
    if (size < 1 + sizeof(head))
        return 0;
    size_t rest = size - 1 - sizeof(head);
    char *bytes = calloc(1, size - 1); /* allocated exactly, so that reading beyond it is noticed */
    require(bytes);
    memcpy(bytes, data + 1, size - 1);
    memcpy(&head, bytes, sizeof(head));
    if (data[0] & 1)
        head.magic = HANDED_MAGIC, head.layout = LAYOUT;
    if (data[0] & 2)
        head.crc = crc32_update(0, bytes + sizeof(head), rest);
    if (data[0] & 4) {
        head.words[0] = (uint32_t)(rest / 2 / sizeof(struct packed_word));
        head.words[1] = 0;
    }
    if (data[0] & 8)
        head.texts = (uint32_t)(rest - rest / 2 / sizeof(struct packed_word) * sizeof(struct packed_word));
    memcpy(bytes, &head, sizeof(head));
    if (!handed_take(bytes, size - 1, LAYOUT, room, texts)) {
        const struct profile *p = room;
        for (; p; p = p->second) {
            check_text(p->name, texts);
            check_text(p->core, texts);
            check_text(p->vendor, texts);
            check_text(p->brand, texts);
            check_text(p->errata, texts);
            require(p->name && p->vendor && p->brand);
        }
    }
    free(bytes);
    return 0;
}
