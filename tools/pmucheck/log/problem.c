/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of outcomes, and the list of a log's problems. */
#include "tools/pmucheck/log/parse.h"

const char *const log_outcome_name[LOG_OUTCOMES + 1] = {"pass", "fail", "known", "review", "skip", "error", "lost"};

void log_problem(struct log_reader *r, unsigned line, const char *format, ...)
{
    va_list args;
    struct log_problem *problem = LIST_ADD(&r->file->arena, &r->boot->problems);
    va_start(args, format);
    problem->text = arena_vprint(&r->file->arena, format, args);
    va_end(args);
    problem->line = line;
}
