/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a log of the image, format 1, as captured in practice, into its contents and its problems. Skips noise, removes
 * time stamps before each line, and separates several boots in one file. Check sums, plans and numbers show damaged
 * parts and lost results. Pure: works on text in memory.
 */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* LOG_LOST: the plan has a result that the log lacks. */
enum log_outcome { LOG_PASS, LOG_FAIL, LOG_KNOWN, LOG_REVIEW, LOG_SKIP, LOG_ERROR, LOG_LOST };
#define LOG_OUTCOMES 6 /* the outcomes of the image */
/* "pass", "fail", ...: the END line's names; and "lost". */
extern const char *const log_outcome_name[LOG_OUTCOMES + 1];

/* How grave it is among the results of one test: from 0, a pass, to a lost one. */
unsigned log_gravity(enum log_outcome outcome);

/* Exit statuses of the programs that judge a log. 124, time-out, is the runner's own. */
enum log_status { STATUS_PASS = 0, STATUS_FAIL = 1, STATUS_REVIEW = 2, STATUS_UNTESTED = 77, STATUS_ERROR = 99 };

struct log_field {
    const char *key, *value; /* without quotes; a quoted text without a key has the key "text" */
};

/* A structured comment: "# KIND SUBJECT key=value ...". */
struct log_record {
    const char *kind, *subject; /* subject: the words before the first field; may be "" */
    const char *text;           /* the line without "# " and indentation */
    struct log_field *field;
    unsigned fields;
    unsigned line, depth; /* depth of indentation, 0 for none */
};

/* The state of a line by the check sums. */
enum log_trust { LOG_CHECKED, LOG_UNCHECKED, LOG_DAMAGED };

struct log_result {
    const char *id; /* "" if it is lost and its name is unknown */
    const char *reason;
    enum log_outcome outcome;
    enum log_trust trust;
    unsigned number, line;          /* line 0: lost */
    unsigned first_record, records; /* the boot's records while it ran */
    bool parent;                    /* it sums up subtests */
};

struct log_begin {
    const char *id;
    unsigned line;
    bool done; /* its result came */
};

/* One KTAP level: the tests of one PMU, or a sum over several. */
struct log_run {
    const char *pmu; /* "hardware", "virtual:...", "reference:..."; NULL: a sum */
    const char
        *judge; /* "virtual": a hypervisor's PMU was judged, "virtual,strict": excused by nothing; NULL: it was not */
    const char *host_kernel; /* the release of the Linux that hosts it; NULL: not told */
    const char *half;        /* "before" or "after" an update of microcode; NULL: there was none */
    unsigned depth, line, last_line;
    bool planned, header_read;
    bool headless; /* its first lines are lost with the log's beginning */
    unsigned plan;
    unsigned first_record, records;  /* the boot's records before the first test */
    LIST(struct log_result) results; /* sorted by number */
    LIST(struct log_begin) begun;
    const char *outcomes; /* the list of its "# outcomes" line; NULL without one */
    const char *also;     /* its results that are no tests, "lockstep:f"; NULL without them */
    unsigned outcomes_line;
};

struct log_problem {
    unsigned line;
    const char *text;
};

struct log_range {
    unsigned first, last;
};

/* From one start of the image to its END line, or to the end of its log. */
struct log_boot {
    bool started, ended; /* started: KTAP began; ended: the END line was found */
    bool identified;     /* the image's first words, or its line with the log's format, are there */
    unsigned line, last_line;
    const char *version, *commit;
    const char *sum;         /* the image's sum, from its start or else from its end; "" without one */
    const char *stage;       /* the last step of the start that was begun */
    const char *early_error; /* the message of an image that stopped during its start */
    const char *verdict;     /* of the END line; "" without one */
    const char *code;        /* the log's result code; "" without one */
    unsigned end_total[LOG_OUTCOMES];
    unsigned top[LOG_OUTCOMES], leaves[LOG_OUTCOMES]; /* results of level 0; results without subtests */
    unsigned noise;                                   /* lines in the log that are not the image's */
    unsigned seconds;                                 /* SMIs since power-on, from the last heartbeat; 0 without one */
    unsigned checked_line;                            /* check sums cover the lines up to here */
    const struct log_record *left; /* by what the image itself left this start to the next one: a warm reset (its kind
                                    * "reset"), or a kernel that it hosts ("host"); NULL: by nothing */
    LIST(struct log_record) records;
    LIST(struct log_run) runs;
    LIST(struct log_range) damaged;
    LIST(struct log_problem) problems; /* problems of the log itself */
};

struct log_file {
    const char *path;
    uint64_t hash;     /* of all its bytes: log_identify() */
    const char *other; /* it is no text: what it is, and what to do; else NULL */
    struct arena arena;
    LIST(struct log_boot) boots; /* at least one after log_read() */
};

/* Reads a whole log, and identifies it. The result has no pointers into `text`. */
void log_read(struct log_file *file, const char *path, const char *text, size_t size);
/* Only reads it, and reuses the memory of the log that `file` held before; zeroed, it held none. */
void log_read_again(struct log_file *file, const char *path, const char *text, size_t size);
/* Computes the hash of its text. */
void log_identify(struct log_file *file, const char *text, size_t size);
void log_free(struct log_file *file);

/* Is it a log at all? False without a line of any start of the image, not even of a failed one. */
bool log_is_one(const struct log_file *file);
/*
 * The log's status: its verdict if it has no problems, else STATUS_ERROR. For a file the worst. A start that goes on in
 * the next one has no verdict, and passes.
 */
enum log_status log_boot_status(const struct log_boot *boot);
/* Does the next start go on for this one: after a warm reset by the image itself, or in the kernel that it hosts? */
bool log_goes_on(const struct log_boot *boot);
enum log_status log_status(const struct log_file *file);
/* The last start with an END line and without problems; NULL if there is none. */
const struct log_boot *log_last_whole(const struct log_file *file);
/* By the END line's word; STATUS_ERROR for any other word. */
enum log_status log_status_of_verdict(const char *verdict);
/* The worse of two: error, fail, review, untested, pass. */
enum log_status log_worse(enum log_status a, enum log_status b);

/* The value of a field; NULL if the record has no field of that name. */
const char *log_value(const struct log_record *record, const char *key);
/* The same; `otherwise`, or "", if there is no such field. */
const char *log_value_or(const struct log_record *record, const char *key, const char *otherwise);
const char *log_word(const struct log_record *record, const char *key);
/* A number, decimal or 0x; or hexadecimal digits without 0x. False if the field is missing or not a number. */
bool log_number(const struct log_record *record, const char *key, uint64_t *number);
bool log_hex(const struct log_record *record, const char *key, uint64_t *number);
/* The number of a field; 0 if the field is missing or not a number. */
uint64_t log_count(const struct log_record *record, const char *key);
/* Is it a line of this kind? The first letters decide nearly always. */
static inline bool log_is(const struct log_record *record, const char *kind)
{
    return record->kind[0] == kind[0] && strcmp(record->kind, kind) == 0;
}
/* Is it about a check that failed, or that differs where nothing is judged? */
bool log_is_difference(const struct log_record *record);
/* The first record of a kind before the first run's tests (run NULL), or of a run; NULL if there is none. */
const struct log_record *log_find(const struct log_boot *boot, const struct log_run *run, const char *kind);
/* The end of a run's records, from its header to the lines after its last result, as an index into the boot's
 * records. */
unsigned log_run_end(const struct log_boot *boot, const struct log_run *run);
/* Counts a run's results by outcome. */
void log_tally(const struct log_run *run, unsigned count[LOG_OUTCOMES + 1]);
/* The verdict of a run's results alone, in the END line's words; "lost" if one of them is lost. */
const char *log_results_verdict(const struct log_boot *boot, const struct log_run *run);
/* The same, or the END line's verdict if that is worse than those of all runs: it also counts what came between tests.
 */
const char *log_run_verdict(const struct log_boot *boot, const struct log_run *run);
/* Was the TSC's rate assumed, for lack of a clock? Times of such a log are ignored: took, heartbeats, microseconds. */
bool log_timeless(const struct log_boot *boot);
/* The log's name: its path without folders and without the ending. */
const char *log_base_name(struct arena *arena, const char *path);
/* Is this run of tests, not a sum over runs? */
bool log_run_of_tests(const struct log_run *run);
/* "reference:haswell", or "summary" for a sum over runs. */
const char *log_run_name(const struct log_run *run);

/* Loops over all records of a run. */
#define for_each_record_of_run(boot, run, r)                                                                     \
    for (const struct log_record *r = (boot)->records.count ? (boot)->records.item + (run)->first_record : NULL, \
                                 *r##_end = r ? (boot)->records.item + log_run_end(boot, run) : NULL;            \
         r < r##_end; r++)

/* for_each_record(boot, result or run, record): loops over the records of a test, or those before a run's first
 * test. */
#define for_each_record(boot, of, r)                                                                    \
    for (const struct log_record *r = (of)->records ? &(boot)->records.item[(of)->first_record] : NULL, \
                                 *r##_end = r ? r + (of)->records : NULL;                               \
         r < r##_end; r++)
