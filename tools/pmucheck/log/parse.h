/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of the log reader in this folder; no others include this. */
#pragma once

#include "kernel/qr/result_code.h"
#include "tools/pmucheck/log/log.h"
#include "tools/span.h"

#define LOG_LEVELS 9

/* A check sum over lines: each line's text and an LF. */
struct log_sum {
    unsigned long all, plausible;        /* over all lines; over those that may be the image's */
    size_t all_length, plausible_length; /* length of the summed text */
};

enum reader_state { READER_EMPTY, READER_STARTING, READER_RUNNING, READER_ENDED };

struct log_reader {
    enum reader_state state;
    struct log_file *file;
    struct log_boot *boot;
    unsigned line;               /* the line being read, from 1 */
    struct span stamp;           /* the length of the time stamp before each line of this capture */
    struct log_sum whole, block; /* sums before the current block; of the current block */
    struct result_code code;
    unsigned block_line, syncs; /* first line of the current block, 0: the next one */
    int open[LOG_LEVELS];       /* index of the open run at each level, -1: none */
    unsigned first_record;      /* first record for the next result */
    bool at_end;                /* of the file */
    struct {
        bool doubtful;              /* the END line's sum is wrong: the line may come again */
        unsigned problems, damaged; /* the state before a doubtful END line */
    } end;
};

void log_problem(struct log_reader *r, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A copy of a text of the log, with printable characters only. */
char *log_text(struct arena *arena, struct span span);
/* record.c: adds a comment line of this depth, without its indentation, to the boot's records. */
void log_record_read(struct log_reader *r, unsigned depth, struct span line);

/* sums.c: sync lines and the END line. */
void log_sum_add(struct log_reader *r, struct span line, bool plausible);
void log_read_sync(struct log_reader *r, struct span line);
void log_read_end(struct log_reader *r, struct span line);

/* outcomes.c: compares a run's results with its "# outcomes" line. */
void log_check_outcomes(struct log_reader *r, struct log_run *run);

/* check.c: when a boot's log is over: lost results, doubtful ones, totals. */
void log_check(struct log_reader *r);
