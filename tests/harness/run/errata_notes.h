/* SPDX-License-Identifier: BSD-2-Clause */
/* The errata of this machine's CPUs as a run meets them: noted test by test, reported at its end. */
#pragma once

#include "harness/core/errata_book.h"
#include "harness/core/form.h"

/* A run begins: no erratum was seen. */
void errata_notes_begin(void);
/* Notes the judged results of one CPU. */
void errata_notes_take(const struct test_declaration *test, u32 cpu, const struct results *results);
/* Logs a line for each erratum of each kind of core, and shows on the screen how many of them were seen, if any. */
void errata_notes_tell(void);
/* Calls the function for each erratum so far, with the first CPU of its kind of core. */
void errata_notes_each(void (*tell)(u32 core_type, const struct erratum_entry *entry));
