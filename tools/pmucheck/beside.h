/* The images that were built or installed with this program. */
#pragma once

#include "tools/pmucheck/command.h"

/*
 * The path of the image `name`, as "pmucheck.iso": in the folder above this program's, where it was built, or in
 * share/pmucheck beside its folder, where it was installed. NULL: in neither. Valid until the next call.
 */
const char *beside_find(const char *name);
/* Where *image is NULL, what beside_find() finds. False, with a message, if that is nothing. */
bool beside_default(const struct command *command, const char **image, const char *name);
