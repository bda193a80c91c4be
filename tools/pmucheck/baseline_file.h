/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of accepted results, which baseline writes and compare reads. */
#pragma once

#include "tools/json.h"
#include "tools/pmucheck/command.h"

/* Reads a baseline. NULL, after a message in the command's name: the file cannot be read, or is none. */
json_object *baseline_read(const struct command *command, const char *path);
