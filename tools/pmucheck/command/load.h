/* SPDX-License-Identifier: BSD-2-Clause */
/* Input and output files of the commands: logs, and one output. Messages name the file. */
#pragma once

#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/log/log.h"

/* Reads all logs. Returns NULL, with a message, if one cannot be read or is no log. */
struct log_file *load_logs(const struct command *command, int count, char **paths);
void load_free(struct log_file *files, unsigned count);
/*
 * Reads the logs one after another, in the order of their names on the command line, and passes each to `visit`; then
 * it is freed, so that any number needs the memory of a few. A file that cannot be read, or is no log, is refused with
 * a message; `missing`, if not NULL, gets it with the reason. With `any`, `visit` also gets files that are no logs, to
 * report their problems; with `identify` they have their hash, which takes a tenth of the time. Returns false if a file
 * was not visited.
 */
struct load_visitor {
    void (*prepare)(void *context, struct log_file *file); /* called before `visit`; may be NULL */
    void (*visit)(void *context, const struct log_file *file);
    void (*missing)(void *context, const char *path, const char *problem);
    void *context;
    bool any, identify;
};
bool load_each(const struct command *command, int count, char **paths, const struct load_visitor *visitor);
/*
 * The start of the image for commands that take one: the last whole one. Without one it is the last, for their reasons
 * to refuse it. If the file has several, a message says which one was taken, and whether a later one is not whole.
 */
const struct log_boot *load_start(const struct command *command, const struct log_file *file);
/*
 * output.c. Opens the file at `path` for writing; NULL or "-": standard output. What is written gets the name only when
 * it is closed: until then, after a crash, and on a full disk the old file is left. Returns NULL, with a message, on
 * failure, and if the file is a log, an archive or a baseline, or one that this program has read: an output
 * replaces none of them.
 */
FILE *load_output(const struct command *command, const char *path);
/* The same for a log that is made of other data: an old one with the same bytes is no reason to refuse. */
FILE *load_output_log(const struct command *command, const char *path);
/* Returns false, with a message, if not everything was written. */
bool load_close(const struct command *command, const char *path, FILE *out);
/* Returns false, with a message, if the file at `path` is a log: an output must not become a part of it. */
bool load_spare(const struct command *command, const char *path);
/*
 * Opens the file at `path` for a log that grows while others look at it. An older one there gets another name, PATH.1
 * or the next free one, with a message. Returns NULL, with a message, on failure, and if the file was read.
 */
FILE *load_growing(const struct command *command, const char *path);
/*
 * Replaces the file at `path`, which need not exist, by `text` and `more`, as load_output() does, also if it was read.
 * Returns false, with a message, on failure.
 */
bool load_replace(const struct command *command, const char *path, const char *text, const char *more);
