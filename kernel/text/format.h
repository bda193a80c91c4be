/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snprintf for the image: %d %i %u %x %X %o %c %s %p %% with flags '-', '0', width, precision (also '*') and the length
 * modifiers hh, h, l, ll, z, j, t. Always terminates; returns the length that the whole text would have had. Pure.
 */
#pragma once

#include "boot/bits.h"
#include <stdarg.h>

int format_args(char *text, size_t size, const char *format, va_list args);
__attribute__((format(printf, 3, 4))) int format_text(char *text, size_t size, const char *format, ...);
/* Writes value as a log value: quoted, with backslash escapes, if it holds anything but [A-Za-z0-9._:+/-]. */
const char *format_quoted(char *text, size_t size, const char *value);
