/*
 * What the log's lines amount to, gathered while they are written: the result code, and a short log of the lines that
 * matter most, which fits into a few QR codes. The host program turns it back into a log.
 */
#pragma once

#include "harness/core/registry.h"
#include "kernel/qr/qr_series.h"

/* Listens to the log from here on; once, before "KTAP version 1". */
void summary_start(void);
/* The result code of a log whose totals these will be: the next line is to tell them. It stays until the next call. */
const char *summary_code(const char *totals);
/*
 * The short log in `most` bytes, as qr_series_bytes() has them, into `out`: where it is longer, kinds of lines are left
 * out, those first that say least, and the last failures. Returns how many bytes; 0 if the outcomes alone are too long.
 */
size_t summary_bytes(u8 *out, size_t most);
/* For the codes: the short log; the ids of all tests, a line each. NULL if there is nothing, or too much. */
const struct qr_series *summary_results(void);
const struct qr_series *summary_names(const struct registry *registry);
