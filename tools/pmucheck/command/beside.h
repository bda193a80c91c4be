/* SPDX-License-Identifier: BSD-2-Clause */
/* The images that were built or installed with this program. */
#pragma once

#include "tools/pmucheck/command/command.h"

/*
 * The path of the image `name`, for instance "pmucheck.iso": in the folder above this program's (built), or in
 * share/pmucheck beside its folder (installed). NULL if it is in neither. Valid until the next call.
 */
const char *beside_find(const char *name);
/* Sets *image, if it is NULL, to the path from beside_find(). Returns false, with a message, if there is none. */
bool beside_default(const struct command *command, const char **image, const char *name);
