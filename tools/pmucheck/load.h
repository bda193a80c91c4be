/* Files of the commands: logs in, one output out. Messages name the file. */
#pragma once

#include "tools/pmucheck/command.h"
#include "tools/pmucheck/log/log.h"

/* Reads all logs; NULL, with a message, if one cannot be read or is no log at all. */
struct log_file *load_logs(const struct command *command, int count, char **paths);
void load_free(struct log_file *files, unsigned count);
/*
 * Reads the logs one after another and hands each to `visit`, after which it is freed: any number needs the memory of a
 * few. A log that cannot be read, or is none at all, is refused with a message, and goes to `missing` with the reason
 * if that is not NULL. With `any` what is no log is visited, too: for who tells what is wrong with it. In the order in
 * which they are named. False if one was not visited.
 */
struct load_visitor {
    void (*prepare)(void *context, struct log_file *file); /* before it is visited; NULL: nothing to be done */
    void (*visit)(void *context, const struct log_file *file);
    void (*missing)(void *context, const char *path, const char *problem);
    void *context;
    bool any;
};
bool load_each(const struct command *command, int count, char **paths, const struct load_visitor *visitor);
/* The file at `path`, for writing; NULL or "-": standard output. NULL, with a message, if it cannot be. */
FILE *load_output(const struct command *command, const char *path);
/* False, with a message, if not all of it was written. */
bool load_close(const struct command *command, const char *path, FILE *out);
