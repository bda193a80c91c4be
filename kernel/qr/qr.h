/* SPDX-License-Identifier: BSD-2-Clause */
/* Results as QR codes: one code and its parts, what packs a log into a series of them, and the short code of a log. */
#pragma once

#include "boot/bits.h"

/*
 * QR codes, ISO/IEC 18004: texts of its 45 alphanumeric characters (digits, capitals, blank, $%*+-./:), one segment per
 * code, error correction levels L and M, versions 1 to 20. Pure.
 */

#define QR_VERSION_MAX 20
#define QR_SIZE(version) (17 + 4 * (version)) /* modules of a side */
#define QR_SIZE_MAX QR_SIZE(QR_VERSION_MAX)
#define QR_QUIET 4            /* light modules that every side needs outside the code */
#define QR_CODEWORDS_MAX 1085 /* data and error correction of the largest version */

enum qr_level { QR_LOW, QR_MEDIUM }; /* tolerate about 7 and 15 per cent of unreadable codewords */

struct qr {
    unsigned version, size, mask;
    enum qr_level level;
    u8 module[QR_SIZE_MAX][QR_SIZE_MAX]; /* row, column, before and after its mask */
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

/* ---- The codewords of a QR code: the bits of the text, then the error correction. Pure. */

/* The number of codewords of a version, data and error correction together. */
unsigned qr_codewords(unsigned version);
/* Writes qr_codewords(version) bytes in the order of their placing. Returns false like qr_encode(). */
bool qr_codewords_of(u8 *codewords, const char *text, unsigned version, enum qr_level level);

/* ---- The eight masks that even out a QR code, and a penalty for what could still mislead a reader. Pure. */

/* Bits of a module. */
#define QR_DARK 1
#define QR_PATTERN 2 /* part of a pattern: no mask changes it */

/* Inverts the modules of the mask, 0 to 7; applying it again removes it. */
void qr_apply_mask(struct qr *qr, unsigned mask);
/* ISO/IEC 18004, "Evaluation of data masking results": the mask with the least penalty is used. */
unsigned qr_penalty(const struct qr *qr);

/*
 * Compresses a text as "deflate" (RFC 1951), in one block with the fixed codes: small enough for a few QR codes, and
 * readable by any zlib. Pure.
 */

#define DEFLATE_TEXT_MAX 20000 /* of dictionary and text together */

/*
 * Text that repeats the dictionary is stored as a reference to it, so the reader needs the same dictionary. Returns how
 * many bytes were written; 0 if they do not fit into `room`, or if the texts are too long.
 */
size_t deflate_text(u8 *out, size_t room, const char *dictionary, const char *text, size_t length);

/*
 * A text in as many QR codes as it takes, in any order. Each code's text is
 *
 *      PMU1 R 2 3 ABCDEF :...
 *
 * without the blanks: "PMU1", the version of this format; the series (R results, N names of tests); the part's number
 * and the number of parts, one character of QR_PARTS each; six characters of base 45 for the CRC-32 of the whole text;
 * then a part of the compressed text (kernel/qr/qr.h, with the dictionary below) in base 45 (RFC 9285), which QR
 * codes pack best and every reader can show. Pure.
 */

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

/*
 * The result code: eight characters that stand for what a log says about a machine, short enough to be read from a
 * photo or typed. It is a hash over those lines of the log that stay the same when the same image finds the same
 * results on the same machine:
 *
 *      # pmucheck, # cpu, # run, # core-type, # outcomes      the whole line
 *      # machine                                              up to " memory-kib=": clocks and SMI counts differ
 *      # result                                               up to " code="
 *
 * Each line counts without its indentation and with one LF at its end; FNV-1a of 64 bits, folded to 40. Pure: image and
 * host program have the same source.
 */

#define RESULT_CODE_SIZE 10 /* "7K3M-9XQA" */

struct result_code {
    u64 hash;
};

void result_code_start(struct result_code *code);
/* Adds a line of the log if it is one of those above; line ends do not matter. "KTAP version 1" restarts the hash. */
void result_code_line(struct result_code *code, const char *line, size_t length);
/* Digits and capitals, without I, L, O and U, which are easily misread. */
const char *result_code_text(const struct result_code *code, char *text);
/* Reads a code that a person typed; accepts lower case, a missing dash, O for 0, I or L for 1. False if it cannot be
 * one. */
bool result_code_parse(const char *typed, char *text);
