/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A log as one relation. A row is a place in it: a file, a start of the image, a run of tests, a kind of core, a
 * result, a line, a field of a line; it has the fields of its place and of those around it. Reports, tables and
 * comparisons take facts from here, by tables of names, so that each fact is worked out once.
 */
#pragma once

#include "tools/json.h"
#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/log/log.h"

/* What is around the place; what is not is NULL. Values that must be written first live in the arena. */
struct row {
    struct arena *arena;
    const struct log_file *file;
    const struct log_boot *boot;
    const struct log_run *run;
    const struct facts *facts; /* of the run */
    const struct facts_core *core;
    const struct log_result *result;
    const struct log_record *line;
    const struct log_field *field;
};

/* row_version() and the like: a field's value, in the log's spelling; NULL: the log has none. */
typedef const char *row_value(const struct row *row);
#define OF_ROW(name, value) row_value row_##name;
#include "tools/pmucheck/log/relation.def"
#undef OF_ROW

/* Fields under the names that a form has for them; NULL ends them. */
struct row_member {
    const char *name;
    row_value *value;
    bool number; /* not a text, where the form knows the difference */
};
/* Adds them to an object, without those that have no value. */
void row_add(json_object *object, const struct row *row, const struct row_member *members);

/* The row of a run of tests, whose facts are read into `facts`. */
struct row row_of_run(struct arena *arena, const struct log_file *file, const struct log_boot *boot,
                      const struct log_run *run, struct facts *facts);
