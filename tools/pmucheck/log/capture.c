/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/parse.h"
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#define UNPACKED_MOST (256ul << 20)
#define WINDOW 4096 /* bytes that have parity bits, or have not */
#define ESC 0x1b
#define AT_ONCE 64
#define BEL 0x07
#define DEL 0x7f

/* ---- Files that are no text */

static const struct {
    const char *magic;
    size_t length;
    const char *other;
} others[] = {
    {"\xfd"
     "7zXZ",
     5, "this is an xz file: unpack it by xz -dk, then name the result"},
    {"\x28\xb5\x2f\xfd", 4, "this is a zstd file: unpack it by zstd -dk, then name the result"},
    {"BZh", 3, "this is a bzip2 file: unpack it by bzip2 -dk, then name the result"},
    {"\x04\x22\x4d\x18", 4, "this is an lz4 file: unpack it by lz4 -dk, then name the result"},
    {"PK\x03\x04", 4, "this is a zip file: unpack it, then name the log in it"},
    {"7z\xbc\xaf\x27", 5, "this is a 7z file: unpack it, then name the log in it"},
    {"%PDF-", 5, "this is a PDF: copy its text into a file, then name that"},
    {"\x89PNG", 4, "this is a picture: pmucheck scan reads the codes in it"},
    {"\xff\xd8\xff", 3, "this is a picture: pmucheck scan reads the codes in it"},
    {"SQLite format 3", 15, "this is a database, perhaps of pmucheck export: name logs"},
};

static const char *other_of(const char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (size >= others[i].length && memcmp(bytes, others[i].magic, others[i].length) == 0)
            return others[i].other;
    return NULL;
}

/* ---- gzip: as much as can be unpacked, also of several files in one */

static bool is_gzip(const char *bytes, size_t size)
{
    return size > 2 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

/* Inflates into `text` until the input ends or is damaged, or `room` is full. Returns the length. */
static size_t inflate_into(z_stream *z, char *text, size_t room)
{
    z->next_out = (unsigned char *)text;
    z->avail_out = (unsigned)room;
    while (z->avail_in && z->avail_out) {
        int state = inflate(z, Z_NO_FLUSH);
        if (state == Z_STREAM_END)
            state = inflateReset(z);
        if (state != Z_OK)
            break;
    }
    return room - z->avail_out;
}

/* Returns the length of the text; it is too long for this program if that is `room`. */
static size_t inflated(const char *bytes, size_t size, char *text, size_t room)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (unsigned)size};
    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
        return 0;
    size_t length = inflate_into(&z, text, room);
    inflateEnd(&z);
    return length;
}

static void unpack(struct capture *c, const char *bytes, size_t size)
{
    for (size_t room = 16 * size + WINDOW;; room *= 4) {
        room = room > UNPACKED_MOST ? UNPACKED_MOST : room;
        free(c->owned);
        c->owned = malloc(room);
        size_t length = c->owned ? inflated(bytes, size, c->owned, room) : room;
        c->text = (struct span){c->owned, length};
        if (length < room)
            return;
        if (!c->owned || room == UNPACKED_MOST) {
            c->text.length = 0;
            c->other = "this is a gzip file of more than 256 MiB: unpack it, and name a part with the log";
            return;
        }
    }
}

/* ---- Parity bits: of 7-bit text with a parity bit about each second byte has bit 7, which makes no UTF-8. */

static size_t utf8_length(const unsigned char *at, size_t left)
{
    size_t length = *at >= 0xf0 && *at < 0xf8 ? 4 : *at >= 0xe0 && *at < 0xf0 ? 3 : *at >= 0xc2 && *at < 0xe0 ? 2 : 0;
    for (size_t i = 1; i < length; i++)
        if (i >= left || (at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

static bool has_parity(const unsigned char *at, size_t size)
{
    size_t high = 0;
    for (size_t i = 0; i < size; i++) {
        size_t letter = at[i] & 0x80 ? utf8_length(at + i, size - i) : 0;
        high += (at[i] & 0x80) && !letter;
        i += letter ? letter - 1 : 0;
    }
    return high > size / 4;
}

static void drop_parity(char *text, size_t size)
{
    for (size_t at = 0; at < size; at += WINDOW) {
        size_t length = size - at < WINDOW ? size - at : WINDOW;
        if (has_parity((unsigned char *)text + at, length))
            for (size_t i = at; i < at + length; i++)
                text[i] &= 0x7f;
    }
}

/* ---- Sequences for screens, by ECMA-48 */

/* The length of a string (OSC, DCS, APC, PM, SOS) that ends with BEL or ESC backslash in its line; else that of its
 * introducer. */
static size_t string_length(struct span at)
{
    for (size_t i = 2; i < at.length && at.text[i] != '\n'; i++) {
        if (at.text[i] == BEL)
            return i + 1;
        if (at.text[i] == ESC && i + 1 < at.length && at.text[i + 1] == '\\')
            return i + 2;
    }
    return 2;
}

/* What a control sequence leaves in the text: a new row, blanks that the cursor went over, or nothing. */
static size_t put_moved(char *out, struct span sequence)
{
    char final = sequence.text[sequence.length - 1];
    unsigned columns = 1;
    struct span number = {sequence.text + 2, sequence.length - 3};
    if (final && strchr("HfEd", final)) {
        *out = '\r';
        return 1;
    }
    span_number(&number, &columns);
    /* It must not be longer than the sequence, as the text is cleaned in place. */
    size_t blanks = final != 'C' ? 0 : columns < sequence.length ? columns : sequence.length;
    memset(out, ' ', blanks);
    return blanks;
}

/* Steps over the sequence that begins here. Returns how many characters it puts into *out. */
static size_t take_sequence(struct span *at, char *out)
{
    size_t length = 1, put = 0;
    char kind = at->length > 1 ? at->text[1] : 0;
    if (kind == '[') {
        for (length = 2; length < at->length && at->text[length] >= 0x20 && at->text[length] < 0x40; length++)
            ;
        bool whole = length < at->length && at->text[length] >= 0x40 && at->text[length] < DEL;
        length += whole;
        put = whole ? put_moved(out, (struct span){at->text, length}) : 0;
    } else if (kind && strchr("]PX^_", kind)) {
        length = string_length(*at);
    } else if (kind) {
        for (length = 1; length < at->length && at->text[length] >= 0x20 && at->text[length] < 0x30; length++)
            ;
        length += length < at->length && at->text[length] >= 0x30 && at->text[length] < DEL;
        *out = '\r';
        put = kind == 'E' || kind == 'D';
    }
    span_step(at, length);
    return put;
}

/* Removes what is no text, in place; returns the new length. No-break spaces become blanks. */
static size_t clean(char *text, size_t size)
{
    size_t used = 0;
    for (struct span at = {text, size}; at.length > 0;) {
        char c = at.text[0];
        if (c == ESC) {
            used += take_sequence(&at, text + used);
            continue;
        }
        bool no_break = c == '\xc2' && at.length > 1 && at.text[1] == '\xa0';
        if (no_break)
            text[used++] = ' ';
        else if ((unsigned char)c >= ' ' ? c != DEL : c == '\n' || c == '\r' || c == '\t')
            text[used++] = c;
        at.text += 1 + no_break;
        at.length -= 1 + no_break;
    }
    return used;
}

/* ---- */

/* Without a branch, so that the compiler takes many at once. */
static inline unsigned char odd_bytes(const char *text, size_t size)
{
    unsigned char odd = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        odd |= (unsigned char)((unsigned char)(c - ' ') >= DEL - ' ') & (c != '\n') & (c != '\r');
    }
    return odd;
}

/* Most captures have only printable characters and line ends. */
static bool is_clean(const char *text, size_t size)
{
    size_t at = 0;
    for (; size - at >= AT_ONCE; at += AT_ONCE)
        if (odd_bytes(text + at, AT_ONCE))
            return false;
    return !odd_bytes(text + at, size - at);
}

static void look_at_ends(struct capture *c)
{
    const char *end = c->text.text + c->text.length, *at = c->text.length ? c->text.text : end;
    c->by_lf = c->text.length && memchr(c->text.text, '\n', c->text.length);
    while (!c->lone_cr && at < end && (at = memchr(at, '\r', (size_t)(end - at)))) {
        at++;
        c->lone_cr = at == end || *at != '\n';
    }
}

void capture_open(struct capture *c, const char *bytes, size_t size)
{
    *c = (struct capture){.text = {bytes, size}, .other = other_of(bytes, size)};
    if (c->other)
        c->text.length = 0;
    else if (is_gzip(bytes, size))
        unpack(c, bytes, size);
    if (!is_clean(c->text.text, c->text.length)) {
        char *text = c->owned ? c->owned : malloc(size);
        if (!text)
            abort();
        if (!c->owned)
            memcpy(text, bytes, size);
        drop_parity(text, c->text.length);
        c->owned = text;
        c->text = (struct span){text, clean(text, c->text.length)};
    }
    look_at_ends(c);
}

void capture_close(struct capture *c)
{
    free(c->owned);
    *c = (struct capture){0};
}
