/* What the log's lines amount to, gathered while they are written: the result code. */
#pragma once

#include "boot/bits.h"

/* Listens to the log from here on; once, before "KTAP version 1". */
void summary_start(void);
/* The result code of a log whose totals these will be: the next line is to tell them. It stays until the next call. */
const char *summary_code(const char *totals);
