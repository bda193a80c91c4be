/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as users write them. Pure. */
#pragma once

#include "boot/bits.h"

/*
 * Reads a decimal or 0x hexadecimal number at the start of text. Returns what follows its last digit, or NULL (with
 * *number left alone) if there is no digit or the number does not fit 64 bits.
 */
const char *number_parse(const char *text, u64 *number);
/* Takes a number below a billion off the start of the text, which advances; false, with nothing changed, if none is
 * there. */
bool number_take(const char **text, u32 *number);
