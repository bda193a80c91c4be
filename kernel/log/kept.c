/* SPDX-License-Identifier: BSD-2-Clause */
/* The content of a block of kept memory, and how it stays consistent whenever the machine resets. */
#include "kernel/log/kept.h"
#include "kernel/text/text.h"

#define MAGIC 0x6b63656863756d70ul /* "pmucheck" */

static size_t room(size_t size)
{
    return size - sizeof(struct kept);
}

/* One store, so that length and sum always match; the text was written before. */
static void set_state(struct kept *kept, size_t length, u32 crc)
{
    __atomic_store_n(&kept->state, (u64)length << 32 | crc, __ATOMIC_RELEASE);
}

void kept_begin(struct kept *kept, size_t size)
{
    (void)size;
    kept->magic = 0;
    kept->ended = 0;
    set_state(kept, 0, 0);
    __atomic_store_n(&kept->magic, MAGIC, __ATOMIC_RELEASE);
}

/* While the text moves the sum does not match: a reset just then loses the log, but reports nothing wrong. */
static size_t drop_older_half(struct kept *kept, size_t length)
{
    const char *from = kept_tail(kept->text, length, length / 2);
    size_t left = (size_t)(kept->text + length - from);
    memmove(kept->text, from, left);
    set_state(kept, left, crc32_update(0, kept->text, left));
    return left;
}

void kept_add(struct kept *kept, size_t size, const char *text, size_t length)
{
    static const char end[] = "# end ";
    size_t used = kept->state >> 32;
    if (length > room(size) / 2)
        return;
    if (used + length > room(size))
        used = drop_older_half(kept, used);
    memcpy(kept->text + used, text, length);
    set_state(kept, used + length, crc32_update((u32)kept->state, text, length));
    if (length >= sizeof(end) && !strncmp(text, end, sizeof(end) - 1))
        kept->ended = 1;
}

bool kept_is(const struct kept *kept)
{
    return kept->magic == MAGIC;
}

size_t kept_unfinished(const struct kept *kept, size_t size)
{
    size_t length = kept->state >> 32;
    if (!kept_is(kept) || kept->ended || length > room(size))
        return 0;
    return crc32_update(0, kept->text, length) == (u32)kept->state ? length : 0;
}

const char *kept_tail(const char *text, size_t length, size_t most)
{
    const char *at = length > most ? text + length - most : text;
    while (at > text && at < text + length && at[-1] != '\n')
        at++;
    return at;
}

/* Does a line begin here, indented or not? Lines that quote another log do not count. */
static bool begins_line(const char *text, const char *at)
{
    while (at > text && at[-1] == ' ')
        at--;
    return at == text || at[-1] == '\n';
}

/* The word after `marker` in the last line that begins with it; empty if there is no such line. */
static void last_word(const char *text, size_t length, const char *marker, char *word, size_t size)
{
    size_t used = 0, mark = strlen(marker);
    for (const char *at = text + length; at-- > text;) {
        if ((size_t)(text + length - at) <= mark || strncmp(at, marker, mark) || !begins_line(text, at))
            continue;
        for (at += mark; at<text + length && * at> ' ' && used + 1 < size;)
            word[used++] = *at++;
        break;
    }
    word[used] = 0;
}

void kept_running(const char *text, size_t length, char *name, size_t size)
{
    last_word(text, length, "# begin ", name, size);
    if (!name[0])
        memcpy(name, KEPT_NO_TEST, sizeof(KEPT_NO_TEST));
}

void kept_step(const char *text, size_t length, char *name, size_t size)
{
    last_word(text, length, KEPT_STEP, name, size);
}
