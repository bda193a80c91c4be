/* pmucheck report --share: one small file of a log that may be given to others. */
#pragma once

#include "tools/pmucheck/command.h"
#include <stdbool.h>

/*
 * Writes the file, named after CPU and result code if `output` is NULL ("-": standard output), and shows what is in it
 * and what is left out. Board: board and BIOS go out, too. The exit status; refusals are the command's.
 */
int sharing(const struct command *command, char *path, const char *output, bool board);
