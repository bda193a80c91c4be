/*
 * Compresses a text as "deflate" does (RFC 1951), in one block with the fixed codes: small enough for a few QR codes,
 * and any zlib reads it. Pure.
 */
#pragma once

#include "boot/bits.h"

#define DEFLATE_TEXT_MAX 20000 /* of dictionary and text together */

/*
 * What the text has in common with the dictionary is left out: the reader must have the same one. Returns how many
 * bytes were written; 0 if they would not fit into `room`, or the texts are too long.
 */
size_t deflate_text(u8 *out, size_t room, const char *dictionary, const char *text, size_t length);
