/* SPDX-License-Identifier: BSD-2-Clause */
/* Lays text out for a terminal. */
#pragma once

#include <stdio.h>

#define FILL_WIDTH 96

/* Fills paragraphs between the margins; a line that begins with a blank is not filled. */
void fill(FILE *out, const char *text, unsigned margin, unsigned width);
