/* SPDX-License-Identifier: BSD-2-Clause */
/* The form that a command writes: as --format says, or else as the output file's name does. */
#pragma once

#include "tools/pmucheck/command/command.h"

/*
 * Sets *format, NULL without --format, to one of `forms`, whose list ends with NULL: to the first one if the name of
 * `output` (NULL: standard output) has no ending that belongs to a form. Returns false, with a message, if the command
 * has no such form, or if format and name contradict each other.
 */
bool form_settle(const struct command *command, const char *const forms[], const char *output, const char **format);
