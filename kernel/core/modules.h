/*
 * What the loader puts beside the kernel, such as the kernel that is hosted on the reference PMU: not part of the
 * image, so that its sum does not cover it. `sums=` tells the sum of each.
 */
#pragma once

#include "boot/bits.h"

#define MODULES_ERROR 160

/*
 * Compares the CRC-32 of each of `count` modules with its place in `told`: eight hexadecimal digits each, with commas
 * between them; "": nobody told any. True if they are what they should be; else `error`, of MODULES_ERROR bytes, says
 * what is wrong.
 */
bool modules_whole(const u32 *sum, unsigned count, const char *told, char *error);

/* Logs each module with its sum and compares it with the option. NULL, or what is wrong. */
const char *modules_check(void);
