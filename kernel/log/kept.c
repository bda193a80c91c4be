/* SPDX-License-Identifier: BSD-2-Clause */
/* The log in memory that a reset preserves: the image's own block, that of Linux's ramoops, and which tests hung. */
#include "kernel/log/kept.h"
#include "kernel/text/text.h"

/* ---- The content of a block of kept memory, and how it stays consistent whenever the machine resets. */

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

/* ---- The text of a zone of Linux's persistent RAM, kept within its size. */

#define SIGNATURE 0x43474244u /* "DBGC" */

void ramoops_begin(struct ramoops *zone)
{
    zone->start = zone->size = 0;
    zone->signature = SIGNATURE;
}

/* Where the next line after `at` begins; the text's end if there is none. */
static u32 next_line(const struct ramoops *zone, u32 at)
{
    while (at < zone->size && zone->text[at] != '\n')
        at++;
    return at < zone->size ? at + 1 : zone->size;
}

/* The sync lines reveal the gap. */
static u32 drop_middle(struct ramoops *zone, u32 room)
{
    u32 head = next_line(zone, room / 4), from = next_line(zone, head + (zone->size - head) / 2);
    memmove(zone->text + head, zone->text + from, zone->size - from);
    zone->size -= from - head;
    return head;
}

u32 ramoops_add(struct ramoops *zone, u32 size, const char *text, size_t length)
{
    u32 room = size - (u32)sizeof(*zone), changed = zone->size;
    if (length > room / 4)
        return changed;
    if (zone->size + length > room)
        changed = drop_middle(zone, room);
    memcpy(zone->text + zone->size, text, length);
    zone->size += (u32)length;
    return changed;
}

/*
 * Tests that hung the machine until the watchdog reset it, in memory that a reset preserves: later starts leave each of
 * them out, so that an unattended machine gets through the other tests.
 */

static u32 sum(const struct hung *hung)
{
    return crc32_update(hung->count + 1, (const char *)hung->name, sizeof(hung->name));
}

void hung_clear(struct hung *hung)
{
    memset(hung, 0, sizeof(*hung));
    hung->crc = sum(hung);
}

void hung_begin(struct hung *hung)
{
    if (hung->count > HUNG_MOST || hung->crc != sum(hung))
        hung_clear(hung);
}

void hung_add(struct hung *hung, const char *name)
{
    if (hung->count == HUNG_MOST || hung_has(hung, name))
        return;
    char *to = hung->name[hung->count++];
    for (size_t i = 0; i < HUNG_NAME - 1 && name[i]; i++)
        to[i] = name[i];
    hung->crc = sum(hung);
}

bool hung_has(const struct hung *hung, const char *name)
{
    for (u32 i = 0; i < hung->count; i++)
        if (!strncmp(hung->name[i], name, HUNG_NAME - 1))
            return true;
    return false;
}
