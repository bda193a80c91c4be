/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a check on a class of CPUs of which no log has shown it holding: evidence of a second kind. Pure.
 * The table is tests/relied.txt.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/cpu/class.h"

enum reliance_kind {
    RELIED_FORMULA,  /* the manual prints it, and no CPU is known to differ: a failure is one */
    RELIED_RELIED,   /* so do programs that rely on it there */
    RELIED_REVIEW,   /* there is a doubt: a person has to look */
    RELIED_MEASURED, /* no second source: told, not judged */
};

struct reliance {
    u16 line; /* of the table */
    enum reliance_kind kind;
    u64 classes;              /* bits by enum cpu_class */
    const char *test, *label; /* globs */
    const char *words;        /* who relies on it and where, what the manual prints, or the doubt; a constant text */
};

extern const struct reliance reliance_rows[];
extern const unsigned reliance_count;
/* The first of these rows that names the check on this class; NULL: there is none. */
const struct reliance *reliance_for(const struct reliance *rows, unsigned count, enum cpu_class class, const char *test,
                                    const char *label);
