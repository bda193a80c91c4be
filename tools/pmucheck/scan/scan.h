/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a log from photos of the image's QR codes. image.c finds codes in pictures; codes.c joins their parts; log.c
 * writes the log.
 */
#pragma once

#include "tools/arena.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/scan/scan.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct command;

#define SCAN_PARTS 36            /* a part's number is one character, from 1 */
#define SCAN_VARIABLE_MOST 65536 /* bytes */

/* One text in several codes. */
struct scan_series {
    char letter;  /* QR_SERIES_RESULTS or QR_SERIES_NAMES */
    uint32_t sum; /* CRC-32 of the text */
    unsigned parts, found;
    bool variable; /* from a variable, not from a screen */
    struct {
        const unsigned char *data;
        size_t size;
    } part[SCAN_PARTS];
    const char *source; /* the file of its first part */
};

struct scan {
    struct arena arena;
    LIST(struct scan_series) series;
};

/* The result for one code. */
enum scan_code { SCAN_TAKEN, SCAN_FOREIGN, SCAN_OTHER_FORM, SCAN_BROKEN };
/* Takes the text of a code; one seen before changes nothing. */
enum scan_code scan_add(struct scan *scan, const char *text, const char *source);
/*
 * Takes the variable of save=efi, as efivarfs shows it: four bytes of attributes, then qr_series_bytes(). SCAN_FOREIGN
 * for any other data.
 */
enum scan_code scan_add_variable(struct scan *scan, const unsigned char *data, size_t size, const char *source);
/* The series of this kind, whole or not; NULL if there is none. *more: a second one, from another machine; or NULL. */
const struct scan_series *scan_find(const struct scan *scan, char letter, const struct scan_series **more);
/* The missing parts, "2 and 4 of 5"; "" if none is missing. */
const char *scan_missing(struct scan *scan, const struct scan_series *series);
/* The text of a whole series; NULL if its check sum is wrong. */
const char *scan_text(struct scan *scan, const struct scan_series *series);
void scan_free(struct scan *scan);

/*
 * Reads all codes of a picture (PNG or JPEG), or of a text with one code's text on each line. Returns the number of
 * this program's codes; -1, with the reason in *error, if the file cannot be read.
 */
int scan_file(struct scan *scan, const char *path, const char **error);

/* The check sum of the ids, one on each line, that the results need; false if the short log has none. */
bool scan_names_wanted(const char *results, uint32_t *sum);
/* Writes the log from the short log and the ids. parts: the number of codes, for a line of the log; 0: a variable. */
void scan_write(FILE *out, const char *results, const char *names, unsigned parts);

/* ---- names.c: names of tests for results that came without them */

/* The ids of all tests of the image that was built with this program, sorted, one on each line. Generated. */
extern const char scan_names_built_in[];

/* All ids in a log, from its results or from the option list, sorted, one on each line. */
const char *scan_names_of_log(struct arena *arena, const struct log_file *file);
/* Their check sum, as in "# outcomes". */
uint32_t scan_names_sum(const char *names);

/* ---- results.c: the log of a short log that the image leaves on its screen or in a variable, without a serial line */

struct short_log {
    const struct command *command; /* for messages */
    struct scan *scan;             /* the codes or the variable */
    const char *names;             /* a log of the same image, for the names of its tests; NULL: none */
    const char *output;            /* NULL: standard output */
};

/* Writes the log. Returns an exit status; missing parts are reported. */
int results_write(const struct short_log *results);
