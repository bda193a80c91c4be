/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory after a reset: any bytes, and any bytes with a right sum. Nothing outside the block is read or written, and
 * data added to an own block is found again.
 */
#include "kernel/log/kept.h"
#include "kernel/text/text.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x6b63656863756d70ul

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held)
{
    if (!held)
        abort();
}

static void look(const struct kept *kept, size_t size)
{
    char name[8];
    size_t length = kept_unfinished(kept, size);
    require(length <= size - sizeof(*kept));
    for (size_t most = 0; most < 64; most += 21) {
        const char *tail = kept_tail(kept->text, length, most);
        require(tail >= kept->text && tail <= kept->text + length && (size_t)(kept->text + length - tail) <= most);
    }
    kept_running(kept->text, length, name, sizeof(name));
    require(name[0] && strlen(name) < sizeof(name));
}

/* Cuts the bytes into lines and adds them to an empty log. */
static void add(struct kept *kept, size_t size, const char *text, size_t length)
{
    kept_begin(kept, size);
    require(!kept_unfinished(kept, size));
    while (length) {
        const char *end = memchr(text, '\n', length);
        size_t line = end ? (size_t)(end - text) + 1 : length;
        kept_add(kept, size, text, line);
        size_t kept_length = kept_unfinished(kept, size);
        if (!kept->ended && line <= (size - sizeof(*kept)) / 2)
            require(kept_length >= line && memcmp(kept->text + kept_length - line, text, line) == 0);
        text += line;
        length -= line;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < sizeof(struct kept))
        return 0;
    struct kept *kept = malloc(size);
    memcpy(kept, data, size);
    look(kept, size);
    size_t length = size - sizeof(*kept);
    kept->magic = MAGIC;
    kept->ended = 0;
    kept->state = (u64)length << 32 | crc32_update(0, kept->text, length);
    require(kept_unfinished(kept, size) == length);
    look(kept, size);
    add(kept, size, (const char *)data, size);
    look(kept, size);
    free(kept);
    return 0;
}
