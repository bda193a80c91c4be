/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes the part of a log that may be given to others: a whole log again, of the lines and fields that identify nobody.
 * It is rewritten from the parsed log, so that it contains nothing else that came over the line. Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <stdbool.h>
#include <stdio.h>

struct command;

/* NULL, or why this start's log is of no use to others. */
const char *share_refusal(const struct log_boot *boot);

/* The omitted parts. */
struct share_left {
    unsigned lines;             /* lines of kinds that are not shared, and lines that are not the image's */
    LIST(const char *) removed; /* "# machine name=lab-7": each omitted field, with its value */
};

/* Writes the start's log for others; `left`, allocated in the arena, lists the omitted parts. */
void share_write(FILE *out, struct arena *arena, const struct log_boot *boot, bool board, struct share_left *left);

/* ---- sharing.c: pmucheck report --share */

/*
 * Writes the file, named after CPU and result code if `output` is NULL ("-": standard output), and shows its content
 * and the omitted parts. `board`: includes board and BIOS. Returns the exit status; refusals are messages of the
 * command.
 */
int sharing(const struct command *command, char *path, const char *output, bool board);
