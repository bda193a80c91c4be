/* SPDX-License-Identifier: BSD-2-Clause */
/* One line of a log by itself: what it is in KTAP, without what came before it. Pure. */
#pragma once

#include "tools/pmucheck/log/log.h"
#include "tools/span.h"

#define LINE_START "KTAP version 1"

/* LINE_OTHER: it is not the image's. */
enum line_kind { LINE_OTHER, LINE_OPENS, LINE_PLAN, LINE_RESULT, LINE_COMMENT, LINE_BAIL_OUT };

struct line {
    enum line_kind kind;
    unsigned depth;   /* a subtest is indented by two spaces a level */
    struct span text; /* of a comment: with its "# "; else what follows the words that tell the kind */
    enum log_outcome outcome;
    unsigned number;        /* of a result; 0: none is told */
    struct span id, reason; /* of a result; reason: what follows its directive */
};

/* How an outcome is written: its letter in "# outcomes", "ok" or "not ok", and what follows the id, "" for nothing. */
struct line_form {
    char letter;
    bool ok;
    const char *directive;
};
extern const struct line_form line_form[LOG_OUTCOMES + 1];
/* LOG_LOST: the letter is none. */
enum log_outcome line_outcome(char letter);

struct line line_read(struct span text);

/* ---- Results of a run that are no tests */

/* Takes the next one off the list. False: there is none, or the rest of the list is damaged. */
bool also_next(struct span *list, struct span *id, enum log_outcome *outcome);
