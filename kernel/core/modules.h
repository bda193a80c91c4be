/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that the loader puts beside the kernel, such as the kernel that is hosted on the reference PMU. They are not
 * part of the image, so its sum does not cover them; the option `sums=` gives the sum of each.
 */
#pragma once

#include "boot/bits.h"

#define MODULES_ERROR 160

/*
 * Compares the CRC-32 of each of `count` modules with the list in `told`: eight hexadecimal digits per module,
 * separated by commas; "" means no list was given. True if all match; else `error`, of MODULES_ERROR bytes, says what
 * is wrong.
 */
bool modules_whole(const u32 *sum, unsigned count, const char *told, char *error);

/* Logs each module with its sum and compares the sums with the option. Returns NULL, or what is wrong. */
const char *modules_check(void);
