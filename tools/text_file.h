/* SPDX-License-Identifier: BSD-2-Clause */
/* A whole file in memory, for the tools that read logs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The text of the file at `path` ("-": standard input), with room for one more character, to be freed; NULL, with a
 * message from `tool`, on failure. */
char *text_file_read(const char *tool, const char *path, size_t *size);
/* A stream into memory: fclose() ends the text, which is to be freed. */
FILE *text_stream(char **text, size_t *size);
/* A buffer for reading one file after another; zeroed at first. Its owner frees `text`. */
struct text_room {
    char *text;
    size_t size;
};
/* Notes that the file is read, which text_file_read() does itself; and is it one of these? */
struct stat;
void text_file_remember(FILE *file);
bool text_file_was_read(const struct stat *status);
/* Reads the file into the room, which grows as needed; false, with a message, on failure. */
bool text_file_read_into(const char *tool, const char *path, struct text_room *room, size_t *size);
/*
 * The beginning of a small file below `root`, such as those of /proc, without the white space at its end; "" if it
 * cannot be read. Is there a file of that name?
 */
const char *text_file_start(const char *root, const char *name, char *text, size_t size);
bool text_file_there(const char *root, const char *name);
