/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The C library's memory and string functions that the image uses; compilers also generate calls of the first four.
 * Same names and contracts as in <string.h>, so that host tests of pure code link the C library's instead.
 */
#pragma once

#include "boot/bits.h"

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int byte, size_t length);
int memcmp(const void *left, const void *right, size_t length);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t length);
char *strchr(const char *text, int byte);
