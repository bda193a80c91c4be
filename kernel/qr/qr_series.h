/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A text in as many QR codes as it takes, in any order. Each code's text is
 *
 *      PMU1 R 2 3 ABCDEF :...
 *
 * without the blanks: "PMU1", the version of this format; the series (R results, N names of tests); the part's number
 * and the number of parts, one character of QR_PARTS each; six characters of base 45 for the CRC-32 of the whole text;
 * then a part of the compressed text (kernel/qr/deflate.h, with the dictionary below) in base 45 (RFC 9285), which QR
 * codes pack best and every reader can show. Pure.
 */
#pragma once

#include "boot/bits.h"

#define QR_SERIES_FORM "PMU1"
#define QR_SERIES_HEADER 14 /* characters before the data */
#define QR_PARTS "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define QR_PARTS_MOST 35
#define QR_SERIES_DATA 6000
#define QR_SERIES_RESULTS 'R'
#define QR_SERIES_NAMES 'N' /* shown by earlier images, and still read */

/* Text that is common in logs, so that the codes need not hold it. If it changes, QR_SERIES_FORM must change. */
extern const char qr_series_dictionary[];

struct qr_series {
    char letter;
    u32 sum; /* CRC-32 of the text */
    size_t length;
    u8 data[QR_SERIES_DATA]; /* compressed */
};

/* False if the text is too long. */
bool qr_series_make(struct qr_series *series, char letter, const char *text, size_t length);
/* How many codes of `capacity` characters the text takes; 0 if too many. */
unsigned qr_series_parts(const struct qr_series *series, unsigned capacity);
/*
 * The same series as bytes, without codes: the format's version, the letter, the sum with its least significant byte
 * first, the compressed text. Returns how many bytes; 0 if there is not enough room.
 */
#define QR_SERIES_BYTES 9 /* before the compressed text */
size_t qr_series_bytes(const struct qr_series *series, u8 *out, size_t room);
/* Writes the text of part 1 to qr_series_parts() into capacity + 1 bytes. */
const char *qr_series_part(const struct qr_series *series, unsigned part, unsigned capacity, char *text);
