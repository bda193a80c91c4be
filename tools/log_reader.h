/*
 * Reads a log of the image, format 1, and finds out whether it is whole: CRCs, plans, numbering, the END line. Pure: it
 * works on text in memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum log_outcome { LOG_PASS, LOG_FAIL, LOG_KNOWN, LOG_REVIEW, LOG_SKIP, LOG_ERROR, LOG_OUTCOMES };
/* "pass", "fail", ...: the names that the END line uses. */
extern const char *const log_outcome_name[LOG_OUTCOMES];

/* Exit statuses of whoever judges a log. 124, time-out, is the runner's own. */
enum log_status { STATUS_PASS = 0, STATUS_FAIL = 1, STATUS_REVIEW = 2, STATUS_UNTESTED = 77, STATUS_ERROR = 99 };

#define LOG_LEVELS 9 /* a subtest is indented by two spaces a level */
#define LOG_TEXT 160
#define LOG_LIST 16 /* how many texts a list keeps; all are counted */

struct log_list {
    char text[LOG_LIST][LOG_TEXT];
    unsigned count;
};

/* One KTAP level: its plan and what has come so far. */
struct log_level {
    bool planned;
    unsigned plan, results;
};

struct log_reader {
    bool started, ended;
    unsigned line; /* number of the line being read, from 1 */
    unsigned long crc, block_crc;
    unsigned block_line, syncs; /* first line of the current block */
    struct log_level level[LOG_LEVELS];
    unsigned deepest;                 /* deepest level open now */
    unsigned top[LOG_OUTCOMES];       /* results of level 0 */
    unsigned leaves[LOG_OUTCOMES];    /* results that have no subtests of their own */
    unsigned end_total[LOG_OUTCOMES]; /* what the END line says */
    char version[LOG_TEXT];           /* "pmucheck version=... commit=..." */
    char early_error[LOG_TEXT];       /* what an image said that stopped during its start */
    char verdict[16];                 /* of the END line */
    struct log_list bad;              /* results other than pass, known and skip */
    struct log_list problems;         /* what is wrong with the log itself */
};

/* Reads a whole log. Noise before "KTAP version 1" and behind the END line is passed over. */
void log_read(struct log_reader *reader, const char *text, size_t size);
/* What the log amounts to: its verdict if nothing is wrong with it, else STATUS_ERROR. */
enum log_status log_status(const struct log_reader *reader);
