/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes what has a form of its own. */
#pragma once

#include <stdio.h>

/* Text between tags or quotes of HTML or XML. */
void put_markup(FILE *out, const char *text);
