/* SPDX-License-Identifier: BSD-2-Clause */
/* The codewords of a QR code: the bits of the text, then the error correction. Pure. */
#pragma once

#include "kernel/qr/qr.h"

/* The number of codewords of a version, data and error correction together. */
unsigned qr_codewords(unsigned version);
/* Writes qr_codewords(version) bytes in the order of their placing. Returns false like qr_encode(). */
bool qr_codewords_of(u8 *codewords, const char *text, unsigned version, enum qr_level level);
