/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of the log reader in this folder; no others include this. */
#pragma once

#include "kernel/qr/qr.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/log/spot.h"
#include "tools/span.h"

#define LOG_LEVELS 9

/* A check sum over lines: each line's text and an LF. */
struct log_sum {
    unsigned long crc;
    size_t length; /* of the summed text */
};

enum reader_state { READER_EMPTY, READER_STARTING, READER_RUNNING, READER_ENDED };

/* A line of the capture that waits for the sum over it, or to know what it is. */
struct waiting {
    struct span line;
    struct spot spot;
    unsigned number;
};

/* The log's head: it is there; only its first line is not; more is lost. */
enum head { HEAD_THERE, HEAD_LINE_LOST, HEAD_LOST };

struct log_reader {
    enum reader_state state;
    struct log_file *file;
    struct log_boot *boot;
    unsigned line;        /* the line being read, from 1 */
    struct log_sum whole; /* of the log up to the last sync line */
    struct log_sum block; /* of the lines since then that no longer wait */
    struct result_code code;
    unsigned block_line, syncs; /* first line of the current block */
    int open[LOG_LEVELS];       /* index of the open run at each level, -1: none */
    unsigned first_record;      /* first record for the next result */
    bool at_end;                /* of the file */
    enum head head;
    bool named;   /* the line with the log's format came */
    bool dropped; /* the boot was a repetition, and is forgotten */
    struct {
        bool doubtful;              /* the END line's sum is wrong: the line may come again */
        unsigned problems, damaged; /* the state before a doubtful END line */
        unsigned long sum;          /* of the END line's own text */
    } end, end_before;              /* end_before: of the boot before */
    /* ---- About the capture: kept from one boot to the next */
    LIST(struct waiting) waits;
    struct span cut_end; /* an END line without its sum: the next line may have it */
    bool prefixed;       /* the image's last marked line had a prefix */
    unsigned gap[2];     /* blanks before the image's lines of level 0, without and with a prefix */
    unsigned column;     /* where the last marked line began */
    unsigned good;       /* sync and END lines whose sums were right */
    unsigned wrong;      /* and wrong ones */
};

void log_problem(struct log_reader *r, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A copy of a text of the log, with printable characters only. */
char *log_text(struct arena *arena, struct span span);
/* record.c: adds a comment line of this depth, without its indentation, to the boot's records. */
void log_record_read(struct log_reader *r, unsigned depth, struct span line);

/* read.c: opens level 0, with the log's first line, there or not. */
void log_read_first(struct log_reader *r);
/* Reads a line at its place in the log, without a prefix. Returns false if it is not the image's. */
bool log_read_line(struct log_reader *r, struct span text);
/* Reads a line between the image's first words and KTAP, over which there is no sum. */
void log_read_starting(struct log_reader *r, struct span text);

/* sums.c: sync lines and the END line; `block`: the sum of the block's lines that waited for it. */
struct log_sum log_sum_line(struct log_sum sum, struct span line);
struct log_sum log_sum_joined(const struct log_sum *a, const struct log_sum *b);
/* Is the number at the end of this line, after "crc32=", the sum of the lines before it? *want: the right sum. */
bool log_sum_holds(struct span line, unsigned long before, unsigned long *want);
void log_read_sync(struct log_reader *r, struct span line);
void log_read_end(struct log_reader *r, struct span line);

/* block.c: what the lines of a block are, by the sum over them. */
/* Does this line have the sum of the waiting lines? */
bool log_block_holds(struct log_reader *r, enum mark mark, struct span judge);
/*
 * Passes the waiting lines to `take`, each without its prefix: as the sum of the line `judge` proves it (at MARK_SYNC,
 * MARK_END), else as most of them are. Adds them to the block's sum.
 */
void log_block_take(struct log_reader *r, enum mark mark, struct span judge,
                    bool (*take)(struct log_reader *, struct span));
/* The first waiting line of the block that ends with this line, if it has a whole one. *opened: "KTAP version 1"
 * belongs before it. */
bool log_block_find(struct log_reader *r, struct span judge, unsigned *first, bool *opened);

/* outcomes.c: compares a run's results with its "# outcomes" line. */
void log_check_outcomes(struct log_reader *r, struct log_run *run);

/* check.c: when a boot's log is over: lost results, doubtful ones, totals. */
void log_check(struct log_reader *r);

/* ---- capture.c: what a capture did to the bytes of a log: terminal programs add sequences for screens, NULs, flow
 * control and parity bits, editors store UTF-16, archives compress */

struct capture {
    struct span text;  /* lines that end with LF, CR, or both in any order */
    bool lone_cr;      /* some CR is not just before an LF */
    bool by_lf;        /* LFs number the lines; false: there is none, and CRs do */
    char *owned;       /* memory to be freed; NULL: the text is the caller's */
    const char *other; /* the file is no text: what it is and what to do; NULL: it is text */
};

/* Unpacks and cleans the bytes of a file. */
void capture_open(struct capture *capture, const char *bytes, size_t size);
void capture_close(struct capture *capture);

/*
 * Text in which others wrapped the lines: strings of JSON, quoted-printable mail, a page of HTML. Takes the n-th of
 * these that the text may be, and returns false if there are fewer.
 */
bool capture_unwrap(struct capture *unwrapped, struct span text, unsigned n);
