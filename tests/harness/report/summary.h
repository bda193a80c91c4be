/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A summary of the log's lines, collected while they are written: the result code, and a short log of the lines that
 * matter most, which fits into a few QR codes. The host program turns it back into a log.
 */
#pragma once

#include "harness/core/registry.h"
#include "kernel/qr/qr.h"

/* Collects the log's lines from here on; call once, before "KTAP version 1". */
void summary_start(void);
/* The result code of a log that ends with these totals, for the next line. The text is valid until the next call. */
const char *summary_code(const char *totals);
/*
 * Writes the short log in at most `most` bytes, as by qr_series_bytes(), to `out`. If it is too long, failures lose
 * their titles, then kinds of lines are left out, the least informative first, and the last failures. Returns how many
 * bytes; 0 if even the outcomes do not fit.
 */
size_t summary_bytes(u8 *out, size_t most);
/* For the QR codes: the short log. NULL if there is nothing, or too much. */
const struct qr_series *summary_results(void);
/* The same in at most `most` codes of so many characters, as by summary_bytes(); if it does not fit, all of it. */
const struct qr_series *summary_codes(unsigned characters, unsigned most);
