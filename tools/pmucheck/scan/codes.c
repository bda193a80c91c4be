/* SPDX-License-Identifier: BSD-2-Clause */
/* Joins the texts of single codes; kernel/qr/qr.h defines their form. */
#include "kernel/qr/qr.h"
#include "tools/pmucheck/scan/scan.h"
#include <string.h>
#include <zlib.h>

#define BASE 45
#define SUM_CHARACTERS 6
#define TEXT_MOST 65536

static int value_of(char c)
{
    static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    const char *at = c ? strchr(characters, c) : NULL;
    return at ? (int)(at - characters) : -1;
}

/* The least significant character comes first. -1: a character is not allowed. */
static int64_t read_number(const char *text, unsigned characters)
{
    int64_t number = 0;
    while (characters--) {
        int value = value_of(text[characters]);
        if (value < 0)
            return -1;
        number = number * BASE + value;
    }
    return number;
}

/* Three characters are two bytes, two at the end are one byte. NULL: malformed. */
static unsigned char *read_data(struct arena *arena, const char *text, size_t *size)
{
    size_t length = strlen(text), at = 0;
    unsigned char *data = arena_alloc(arena, length + 1);
    *size = 0;
    for (; at + 3 <= length; at += 3) {
        int64_t number = read_number(text + at, 3);
        if (number < 0 || number > 0xffff)
            return NULL;
        data[(*size)++] = (unsigned char)(number >> 8);
        data[(*size)++] = (unsigned char)number;
    }
    if (at == length)
        return data;
    int64_t last = at + 2 == length ? read_number(text + at, 2) : -1;
    data[(*size)++] = (unsigned char)last;
    return last >= 0 && last <= 0xff ? data : NULL;
}

static struct scan_series *find_series(struct scan *scan, char letter, uint32_t sum, unsigned parts)
{
    for_each_item (scan->series, series)
        if (series->letter == letter && series->sum == sum && series->parts == parts)
            return series;
    return NULL;
}

static struct scan_series *add_series(struct scan *scan, char letter, uint32_t sum, unsigned parts, const char *source)
{
    struct scan_series *series = LIST_ADD(&scan->arena, &scan->series);
    series->letter = letter;
    series->sum = sum;
    series->parts = parts;
    series->source = arena_copy(&scan->arena, source, strlen(source));
    return series;
}

static unsigned read_part(char c)
{
    const char *at = c ? strchr(QR_PARTS, c) : NULL;
    return at ? (unsigned)(at - QR_PARTS) : 0;
}

enum scan_code scan_add(struct scan *scan, const char *text, const char *source)
{
    size_t form = strlen(QR_SERIES_FORM), size;
    if (strncmp(text, QR_SERIES_FORM, form - 1) != 0 || strlen(text) <= QR_SERIES_HEADER)
        return SCAN_FOREIGN;
    if (strncmp(text, QR_SERIES_FORM, form) != 0)
        return SCAN_OTHER_FORM;
    char letter = text[form];
    unsigned part = read_part(text[form + 1]), parts = read_part(text[form + 2]);
    int64_t sum = read_number(text + form + 3, SUM_CHARACTERS);
    const unsigned char *data = read_data(&scan->arena, text + QR_SERIES_HEADER, &size);
    if ((letter != QR_SERIES_RESULTS && letter != QR_SERIES_NAMES) || part == 0 || part > parts || sum < 0 ||
        sum > UINT32_MAX || text[QR_SERIES_HEADER - 1] != ':' || !data)
        return SCAN_BROKEN;
    struct scan_series *series = find_series(scan, letter, (uint32_t)sum, parts);
    if (!series)
        series = add_series(scan, letter, (uint32_t)sum, parts, source);
    if (!series->part[part].data) {
        series->part[part].data = data;
        series->part[part].size = size;
        series->found++;
    }
    return SCAN_TAKEN;
}

#define VARIABLE_ATTRIBUTES 4 /* bytes of efivarfs before the value */

enum scan_code scan_add_variable(struct scan *scan, const unsigned char *data, size_t size, const char *source)
{
    size_t form = strlen(QR_SERIES_FORM), header = VARIABLE_ATTRIBUTES + QR_SERIES_BYTES;
    const unsigned char *at = data + VARIABLE_ATTRIBUTES;
    if (size < header || size > SCAN_VARIABLE_MOST || memcmp(at, QR_SERIES_FORM, form - 1) != 0)
        return SCAN_FOREIGN;
    if (at[form - 1] != (unsigned char)QR_SERIES_FORM[form - 1])
        return SCAN_OTHER_FORM;
    if (at[form] != QR_SERIES_RESULTS)
        return SCAN_BROKEN;
    uint32_t sum =
        at[form + 1] | (uint32_t)at[form + 2] << 8 | (uint32_t)at[form + 3] << 16 | (uint32_t)at[form + 4] << 24;
    struct scan_series *series = add_series(scan, QR_SERIES_RESULTS, sum, 1, source);
    series->part[1].size = size - header;
    series->part[1].data = (const unsigned char *)arena_copy(&scan->arena, (const char *)data + header, size - header);
    series->found = 1;
    series->variable = true;
    return SCAN_TAKEN;
}

/* If another screen divided the same text differently, takes the series with the fewest missing parts. */
const struct scan_series *scan_find(const struct scan *scan, char letter, const struct scan_series **more)
{
    const struct scan_series *best = NULL;
    *more = NULL;
    for_each_item (scan->series, series) {
        if (series->letter != letter)
            continue;
        if (best && series->sum != best->sum)
            *more = series;
        else if (!best || series->parts - series->found < best->parts - best->found)
            best = series;
    }
    return best;
}

const char *scan_missing(struct scan *scan, const struct scan_series *series)
{
    const char *list = "";
    unsigned left = series->parts - series->found;
    for (unsigned part = 1; part <= series->parts; part++)
        if (!series->part[part].data) {
            left--;
            list = arena_print(&scan->arena, "%s%u%s", list, part, left > 1 ? ", " : left == 1 ? " and " : "");
        }
    return list[0] ? arena_print(&scan->arena, "%s of %u", list, series->parts) : "";
}

static const unsigned char *join(struct scan *scan, const struct scan_series *series, size_t *size)
{
    size_t all = 0;
    for (unsigned part = 1; part <= series->parts; part++)
        all += series->part[part].size;
    unsigned char *data = arena_alloc(&scan->arena, all + 1);
    *size = 0;
    for (unsigned part = 1; part <= series->parts; part++) {
        memcpy(data + *size, series->part[part].data, series->part[part].size);
        *size += series->part[part].size;
    }
    return data;
}

const char *scan_text(struct scan *scan, const struct scan_series *series)
{
    size_t size;
    unsigned char *text = arena_alloc(&scan->arena, TEXT_MOST + 1);
    z_stream stream = {.next_out = text, .avail_out = TEXT_MOST};
    if (series->found < series->parts || inflateInit2(&stream, -15) != Z_OK)
        return NULL;
    stream.next_in = (unsigned char *)join(scan, series, &size);
    stream.avail_in = (unsigned)size;
    inflateSetDictionary(&stream, (const unsigned char *)qr_series_dictionary, (unsigned)strlen(qr_series_dictionary));
    int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    bool whole = status == Z_STREAM_END && crc32(0, text, (unsigned)stream.total_out) == series->sum;
    return whole && strlen((const char *)text) == stream.total_out ? (const char *)text : NULL;
}

void scan_free(struct scan *scan)
{
    arena_free(&scan->arena);
    memset(scan, 0, sizeof(*scan));
}
