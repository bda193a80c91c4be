/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compresses a text as "deflate" (RFC 1951), in one block with the fixed codes: small enough for a few QR codes, and
 * readable by any zlib. Pure.
 */
#pragma once

#include "boot/bits.h"

#define DEFLATE_TEXT_MAX 20000 /* of dictionary and text together */

/*
 * Text that repeats the dictionary is stored as a reference to it, so the reader needs the same dictionary. Returns how
 * many bytes were written; 0 if they do not fit into `room`, or if the texts are too long.
 */
size_t deflate_text(u8 *out, size_t room, const char *dictionary, const char *text, size_t length);
