/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck report --share: makes one small file from a log, which may be given to others. */
#pragma once

#include "tools/pmucheck/command.h"
#include <stdbool.h>

/*
 * Writes the file, named after CPU and result code if `output` is NULL ("-": standard output), and shows its content
 * and the omitted parts. `board`: includes board and BIOS. Returns the exit status; refusals are messages of the
 * command.
 */
int sharing(const struct command *command, char *path, const char *output, bool board);
