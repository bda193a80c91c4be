/*
 * A log of the image, format 1, as captured in life, read into what it says and what is wrong with it. Noise is passed
 * over, time stamps before each line are taken off, several boots in one file are told apart. Check sums, plans and
 * numbers tell what is damaged and which results are lost. Pure: it works on text in memory.
 */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* LOG_LOST: the plan promises a result that the log does not have. */
enum log_outcome { LOG_PASS, LOG_FAIL, LOG_KNOWN, LOG_REVIEW, LOG_SKIP, LOG_ERROR, LOG_LOST };
#define LOG_OUTCOMES 6 /* those that the image tells */
/* "pass", "fail", ...: the names that the END line uses; and "lost". */
extern const char *const log_outcome_name[LOG_OUTCOMES + 1];

/* Exit statuses of the programs that judge a log. 124, time-out, is the runner's own. */
enum log_status { STATUS_PASS = 0, STATUS_FAIL = 1, STATUS_REVIEW = 2, STATUS_UNTESTED = 77, STATUS_ERROR = 99 };

struct log_field {
    const char *key, *value; /* without quotes; the key of a quoted text that has none is "text" */
};

/* A structured comment: "# KIND SUBJECT key=value ...". */
struct log_record {
    const char *kind, *subject; /* subject: the words before the first field; may be "" */
    const char *text;           /* the line without "# " and indentation */
    struct log_field *field;
    unsigned fields;
    unsigned line, depth; /* depth: of its indentation, 0 for none */
};

/* What the check sums say of a line. */
enum log_trust { LOG_CHECKED, LOG_UNCHECKED, LOG_DAMAGED };

struct log_result {
    const char *id; /* "" if it is lost and nothing tells its name */
    const char *reason;
    enum log_outcome outcome;
    enum log_trust trust;
    unsigned number, line;          /* line 0: lost */
    unsigned first_record, records; /* of the boot: what was said while it ran */
    bool parent;                    /* it sums up subtests */
};

struct log_begin {
    const char *id;
    unsigned line;
    bool done; /* its result came */
};

/* One KTAP level: the tests of one PMU, or a sum over such. */
struct log_run {
    const char *pmu;   /* "hardware", "virtual:...", "reference:..."; NULL: none is named, a sum */
    const char *judge; /* "virtual": a hypervisor's PMU was judged; NULL: as is usual */
    unsigned depth, line, last_line;
    bool planned, header_read;
    unsigned plan;
    unsigned first_record, records;  /* of the boot: what was said before the first test */
    LIST(struct log_result) results; /* in order of their numbers */
    LIST(struct log_begin) begun;
    const char *outcomes; /* the list of its "# outcomes" line; NULL without one */
    unsigned outcomes_line;
};

struct log_problem {
    unsigned line;
    const char *text;
};

struct log_range {
    unsigned first, last;
};

/* From one start of the image to its END line, or to where its log ends. */
struct log_boot {
    bool started, ended; /* KTAP began; END was there */
    unsigned line, last_line;
    const char *version, *commit;
    const char *sum;         /* of the image, as it told at its start, or else at its end; "" without one */
    const char *stage;       /* the last step of the start that was begun: where a dead machine died */
    const char *early_error; /* what an image said that stopped during its start */
    const char *verdict;     /* of the END line; "" without one */
    const char *code;        /* the result code that the log tells; "" without one */
    unsigned end_total[LOG_OUTCOMES];
    unsigned top[LOG_OUTCOMES], leaves[LOG_OUTCOMES]; /* results of level 0; results without subtests */
    unsigned noise;                                   /* lines in the log that are not the image's */
    unsigned seconds;                                 /* since power-on, as its last heartbeat tells; 0 without one */
    unsigned checked_line;                            /* up to here check sums cover the lines */
    LIST(struct log_record) records;
    LIST(struct log_run) runs;
    LIST(struct log_range) damaged;
    LIST(struct log_problem) problems; /* what is wrong with the log itself */
};

struct log_file {
    const char *path;
    uint64_t hash; /* of all of its bytes */
    struct arena arena;
    LIST(struct log_boot) boots; /* at least one after log_read() */
};

/* Reads a whole log. The result holds no pointer into `text`. */
void log_read(struct log_file *file, const char *path, const char *text, size_t size);
/* The same in the memory of the log that `file` held before, which is forgotten; zeroed, it held none. */
void log_read_again(struct log_file *file, const char *path, const char *text, size_t size);
void log_free(struct log_file *file);

/* Is it a log at all? False where no start of the image, not even one that failed, has left a line. */
bool log_is_one(const struct log_file *file);
/* What the log amounts to: its verdict if nothing is wrong with it, else STATUS_ERROR. Of a file: the worst. */
enum log_status log_boot_status(const struct log_boot *boot);
enum log_status log_status(const struct log_file *file);
/* The worse of two: error, fail, review, untested, pass. */
enum log_status log_worse(enum log_status a, enum log_status b);

/* The value of a field; NULL if the record has none of that name. */
const char *log_value(const struct log_record *record, const char *key);
/* A number, decimal or 0x; or hexadecimal digits without 0x. False if the field is missing or not a number. */
bool log_number(const struct log_record *record, const char *key, uint64_t *number);
bool log_hex(const struct log_record *record, const char *key, uint64_t *number);
/* The boot's first record of a kind before the first run's tests, or of a run's; NULL if there is none. */
const struct log_record *log_find(const struct log_boot *boot, const struct log_run *run, const char *kind);
/* All that was said in a run, from its header to what follows its last result, ends before this record of the boot. */
unsigned log_run_end(const struct log_boot *boot, const struct log_run *run);
/* What a run's results alone amount to, as the END line would say it; "lost" if one of them is. */
const char *log_run_verdict(const struct log_boot *boot, const struct log_run *run);
/* Was the TSC's rate assumed, for want of a clock? Times of such a log are not read: took, heartbeats, microseconds. */
bool log_timeless(const struct log_boot *boot);
/* Is this run of tests, not a sum over runs? */
bool log_run_of_tests(const struct log_run *run);

/* What was said in the whole of a run. */
#define for_each_record_of_run(boot, run, r)                                                                     \
    for (const struct log_record *r = (boot)->records.count ? (boot)->records.item + (run)->first_record : NULL, \
                                 *r##_end = r ? (boot)->records.item + log_run_end(boot, run) : NULL;            \
         r < r##_end; r++)

/* for_each_record(boot, result or run, record): what was said while a test ran, or before a run's first one. */
#define for_each_record(boot, of, r)                                                                    \
    for (const struct log_record *r = (of)->records ? &(boot)->records.item[(of)->first_record] : NULL, \
                                 *r##_end = r ? r + (of)->records : NULL;                               \
         r < r##_end; r++)
