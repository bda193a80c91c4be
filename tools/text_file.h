/* A whole file in memory, for the tools that read logs. */
#pragma once

#include <stddef.h>

/* The text of the file at `path` ("-": standard input), to be freed; NULL, with a message from `tool`, on failure. */
char *text_file_read(const char *tool, const char *path, size_t *size);
