/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/export/export.h"

const struct export_form export_forms[] = {
    {"sqlite", export_sqlite_open, export_sqlite_is_new, export_sqlite_row, export_sqlite_close},
    {"csv", export_csv_open, export_text_is_new, export_csv_row, export_text_close},
    {"ndjson", export_ndjson_open, export_text_is_new, export_ndjson_row, export_text_close},
    {"kcidb", export_kcidb_open, export_text_is_new, export_kcidb_row, export_kcidb_close},
    {0},
};
