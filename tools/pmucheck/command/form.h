/* SPDX-License-Identifier: BSD-2-Clause */
/* The form that a command writes: as --format says, or else as the output file's name does. */
#pragma once

#include "tools/pmucheck/command/command.h"

/*
 * The row of the form: of rows of `size` bytes, each of which begins with its form's name; a name that is NULL ends
 * them. Without `format` (NULL) it is the first row if the name of `output` (NULL: standard output) has no ending that
 * belongs to a form. Returns NULL, with a message, if the command has no such form, or if format and name contradict
 * each other.
 */
const void *form_settle(const struct command *command, const void *rows, size_t size, const char *format,
                        const char *output);
