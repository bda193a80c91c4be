/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * QR codes, ISO/IEC 18004: texts of its 45 alphanumeric characters (digits, capitals, blank, $%*+-./:), one segment per
 * code, error correction levels L and M, versions 1 to 20. Pure.
 */
#pragma once

#include "boot/bits.h"

#define QR_VERSION_MAX 20
#define QR_SIZE(version) (17 + 4 * (version)) /* modules of a side */
#define QR_SIZE_MAX QR_SIZE(QR_VERSION_MAX)
#define QR_QUIET 4            /* light modules that every side needs outside the code */
#define QR_CODEWORDS_MAX 1085 /* data and error correction of the largest version */

enum qr_level { QR_LOW, QR_MEDIUM }; /* tolerate about 7 and 15 per cent of unreadable codewords */

struct qr {
    unsigned version, size, mask;
    enum qr_level level;
    u8 module[QR_SIZE_MAX][QR_SIZE_MAX]; /* row, column; see qr_mask.h */
};

/* How many characters a code of that version holds; 0 if there is no such version. */
unsigned qr_capacity(unsigned version, enum qr_level level);
/* False if the text does not fit or has other characters. Uses the mask with the least penalty. */
bool qr_encode(struct qr *qr, const char *text, unsigned version, enum qr_level level);
/* Like qr_encode(), with a given mask, 0 to 7. */
bool qr_encode_masked(struct qr *qr, const char *text, unsigned version, enum qr_level level, unsigned mask);
/* Is this module dark? Those outside the code are light. */
bool qr_dark(const struct qr *qr, int row, int column);
/* The alphanumeric character with that value, 0 to 44. */
char qr_character(unsigned value);
