/* The codewords of a QR code: a text's bits, and the error correction after them. Pure. */
#pragma once

#include "kernel/qr/qr.h"

/* How many codewords a version has, data and error correction together. */
unsigned qr_codewords(unsigned version);
/* Writes qr_codewords(version) bytes in the order in which they are placed. False as qr_encode(). */
bool qr_codewords_of(u8 *codewords, const char *text, unsigned version, enum qr_level level);
