/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of a log told in words, by forms: what is told of a kind of line is a row of a table. */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <stdio.h>

/*
 * Writes the form: "{key}" is a field's value, "?" without it, or what stands after a bar, "{want|otherwise}"; "{}" is
 * the line's subject, "{*}" all its fields but spec=, as they are. A part between "<" and ">" is left out if it asks
 * for a field that the line lacks, or has empty; parts may have parts. A record that is NULL has no fields.
 */
void put_words(FILE *out, const struct log_record *record, const char *form);

/* How a kind of line is told, if it has this field (NULL: in any case). A row without a kind ends them. */
struct telling {
    const char *kind, *with, *form;
};
/* Tells the line by the first row that fits; without one nothing. */
void tell(FILE *out, const struct log_record *record, const struct telling *rows);
