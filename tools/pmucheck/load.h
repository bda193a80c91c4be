/* Files of the commands: logs in, one output out. Messages name the file. */
#pragma once

#include "tools/pmucheck/command.h"
#include "tools/pmucheck/log/log.h"

/* Reads all logs; NULL, with a message, if one cannot be read. */
struct log_file *load_logs(const struct command *command, int count, char **paths);
void load_free(struct log_file *files, unsigned count);
/* The worst. */
enum log_status load_status(const struct log_file *files, unsigned count);
/* The file at `path`, for writing; NULL or "-": standard output. NULL, with a message, if it cannot be. */
FILE *load_output(const struct command *command, const char *path);
/* False, with a message, if not all of it was written. */
bool load_close(const struct command *command, const char *path, FILE *out);
