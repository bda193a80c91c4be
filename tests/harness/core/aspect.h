/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a check asks, as a promise of the hardware and not as a part of a test: errata refer to aspects (errata.c),
 * so that all checks that ask the same are excused alike. One bit each, as a check may rest on two promises.
 * aspect.def lists them.
 *
 * A check has the aspect that about() names in its call; otherwise that of its helper: check_slope() and check_count()
 * ask for exact counts of instructions, check_reads_back() for the value of a counter, check_moving() for the end of a
 * freeze, and comparisons in IA32_PERF_GLOBAL_STATUS or IA32_PERF_GLOBAL_INUSE for those bits.
 */
#pragma once

#include "boot/bits.h"

#define ASPECT(id, name, promise) ASPECT_BIT_##id,
enum {
#include "harness/core/aspect.def"
    ASPECTS
};
_Static_assert(ASPECTS <= 64, "a bit each of a u64");
#undef ASPECT

#define ASPECT(id, name, promise) ASPECT_##id = 1ull << ASPECT_BIT_##id,
enum aspect {
#include "harness/core/aspect.def"
};
#undef ASPECT

/* Their names in the log, which are permanent: "status-bit,freeze"; "nothing" if there is none. */
#define ASPECT_TEXT 1200
const char *aspect_text(u64 aspects, char *text);
/* Reads such names; false if one of them is unknown, and *aspects then has the others. */
bool aspect_parse(const char *text, u64 *aspects);
