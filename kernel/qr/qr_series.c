/* SPDX-License-Identifier: BSD-2-Clause */
/* A text in as many QR codes as it takes, in any order. */
#include "kernel/qr/qr.h"
#include "kernel/text/text.h"

#define BASE 45u
#define SUM_CHARACTERS 6

bool qr_series_make(struct qr_series *series, char letter, const char *text, size_t length)
{
    series->letter = letter;
    series->sum = crc32_update(0, text, length);
    series->length = deflate_text(series->data, sizeof(series->data), qr_series_dictionary, text, length);
    return series->length;
}

/* Three characters hold two bytes. */
static size_t part_bytes(unsigned capacity)
{
    return capacity > QR_SERIES_HEADER ? (capacity - QR_SERIES_HEADER) / 3 * 2 : 0;
}

unsigned qr_series_parts(const struct qr_series *series, unsigned capacity)
{
    size_t bytes = part_bytes(capacity), parts = bytes ? (series->length + bytes - 1) / bytes : 0;
    return parts <= QR_PARTS_MOST ? (unsigned)parts : 0;
}

/* Base 45, least significant character first. Returns the end of the text. */
static char *put_number(char *text, u32 value, unsigned characters)
{
    for (; characters--; value /= BASE)
        *text++ = qr_character(value % BASE);
    return text;
}

const char *qr_series_part(const struct qr_series *series, unsigned part, unsigned capacity, char *text)
{
    size_t bytes = part_bytes(capacity), at = (part - 1) * bytes, end = at + bytes;
    char *to = text + strlen(QR_SERIES_FORM);
    memcpy(text, QR_SERIES_FORM, strlen(QR_SERIES_FORM));
    *to++ = series->letter;
    *to++ = QR_PARTS[part];
    *to++ = QR_PARTS[qr_series_parts(series, capacity)];
    to = put_number(to, series->sum, SUM_CHARACTERS);
    *to++ = ':';
    end = end < series->length ? end : series->length;
    for (; at + 1 < end; at += 2)
        to = put_number(to, (u32)series->data[at] << 8 | series->data[at + 1], 3);
    if (at < end)
        to = put_number(to, series->data[at], 2);
    *to = 0;
    return text;
}

size_t qr_series_bytes(const struct qr_series *series, u8 *out, size_t room)
{
    if (room < QR_SERIES_BYTES || series->length > room - QR_SERIES_BYTES)
        return 0;
    memcpy(out, QR_SERIES_FORM, 4);
    out[4] = (u8)series->letter;
    for (unsigned i = 0; i < 4; i++)
        out[5 + i] = (u8)(series->sum >> 8 * i);
    memcpy(out + QR_SERIES_BYTES, series->data, series->length);
    return QR_SERIES_BYTES + series->length;
}
