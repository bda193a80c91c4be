/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's name, an option of the image: what the image keeps of it. Pure. */
#pragma once

#include <stddef.h>

#define NAME_MOST 157 /* letters of the log's name=, in which a quote or backslash takes two */

/* By how many letters the name in the image's options (machine=NAME) is too long; 0: it fits, or there is none. */
size_t name_excess(const char *options);
