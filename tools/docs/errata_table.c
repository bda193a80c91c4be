/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/docs/errata_table.h"
#include "harness/core/errata_entries.h"
#include <string.h>

const struct errata_paper errata_papers[ERRATUM_SHEETS] = {
#define SHEET(name, document, product, ...) [SHEET_##name] = {#name, document, product},
#define FACT(...)
#define OTHER(...)
#include "harness/core/errata_facts.def"
#undef SHEET
#undef FACT
#undef OTHER
};

const struct errata_row errata_rows[] = {
#define SHEET(...)
#define FACT(name, area, what, when, ...) {#area, what, when, JUDGED, "", FACT_##name, {__VA_ARGS__}},
#define OTHER(area, what, when, why, details, ...) {#area, what, when, why, details, ERRATUM_FACTS, {__VA_ARGS__}},
#include "harness/core/errata_facts.def"
#undef SHEET
#undef FACT
#undef OTHER
};
const unsigned errata_row_count = ARRAY_SIZE(errata_rows);

const char *const errata_whys[ERRATA_WHYS] = {
    [JUDGED] = "known",
    [UNUSED] = "no test uses",
    [UNCOUNTED] = "no test counts that event",
    [UNPROVOKED] = "not provoked",
    [MEASURED] = "measured only",
    [ALLOWED] = "allowed for",
    [PREVENTED] = "prevented",
};

const struct errata_area errata_areas[] = {
    {"counting", "Counting", "counting,rr"},
    {"events", "Events of one model", "counting"},
    {"inuse", "Use by others", "guests"},
    {"enum", "What CPUID tells", "counting"},
    {"status", "Status", "sampling,rr"},
    {"overflow", "Overflow", "sampling,rr"},
    {"pmi", "PMIs", "sampling,rr"},
    {"freeze", "Freezing", "counting,sampling"},
    {"pebs", "Sampling", "sampling"},
    {"latency", "Sampling by latency", "sampling"},
    {"smm", "SMM", "counting"},
    {"cstate", "Sleep", "counting"},
    {"lbr", "Last-branch records", "branch-records"},
    {"bts", "Branch trace", "tracing"},
    {"pt", "Processor Trace", "tracing"},
    {"virtual", "Virtual PMUs", "guests"},
    {NULL, NULL, NULL},
};

const struct errata_row *errata_row_of(const char *number)
{
    for_each_row (errata_rows, row)
        for (const struct erratum_number *n = row->fact.numbers; n->id; n++)
            if (n->id[0] == number[0] && strcmp(n->id, number) == 0)
                return row;
    return NULL;
}
