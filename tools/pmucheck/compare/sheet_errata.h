/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The published errata of the compared CPUs: a column for each kind of CPU, by signature, microcode, PMU and kind of
 * core, whichever machines have it; a row for each number in the sheets. Part of a sheet. Pure.
 */
#pragma once

#include "tools/pmucheck/log/told.h"

struct sheet;
struct sheet_source;

/* CPUs of one signature and microcode. The texts are the sheet's: equal ones have the same address. */
struct sheet_cpu {
    const char *brand, *signature, *microcode, *pmu, *kind;
    uint32_t model, stepping, revision; /* model: the signature without its stepping */
    bool damaged;                       /* of the log of one of them: a missing line may have been lost */
    LIST(unsigned) columns;
};

/* An erratum on a CPU, from all its machines. */
struct sheet_state {
    unsigned cpu, machines, showing; /* index; the number of machines that tell it, and on which it shows */
    struct told_erratum told;        /* the gravest state; counts of all */
};

struct sheet_erratum {
    const char *number, *what; /* what: "" for a number that this program does not know */
    LIST(struct sheet_state) states;
};

struct sheet_errata {
    LIST(struct sheet_cpu) cpus; /* sheet_errata_sort(): by model, PMU and kind of core, then stepping and microcode */
    LIST(struct sheet_erratum) rows;
    unsigned column, cpu; /* of the line before; column 0: there was none, 1: the first */
    unsigned row; /* the last one that was added to: a log tells them in an order, which another log mostly shares */
};

/* Adds a line of the log to the CPU of the source's column. */
void sheet_errata_add(struct sheet *sheet, const struct sheet_source *from, const struct told_erratum *told);
/* After all logs. */
void sheet_errata_sort(struct sheet *sheet);
/* NULL: the erratum is not in this CPU's sheet. */
const struct sheet_state *sheet_errata_state(const struct sheet_erratum *erratum, unsigned cpu);
/* Are both CPUs of one model, on the same kind of PMU? They may differ in stepping and microcode. */
bool sheet_errata_akin(const struct sheet *sheet, unsigned a, unsigned b);
/* Is the erratum in another state on these CPUs? A line that a damaged log may have lost is no difference. */
bool sheet_errata_differ(const struct sheet *sheet, const struct sheet_erratum *erratum, unsigned a, unsigned b);
