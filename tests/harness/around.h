/* SPDX-License-Identifier: BSD-2-Clause */
/* What is around a test, on the calling CPU (harness/core/around.h). In a test's first run all of these do nothing. */
#pragma once

#include "harness/test.h"

/*
 * At the start of a repeat: only these counters (bits of IA32_PERF_GLOBAL_CTRL) are under test. The controls of all
 * others may be whatever is drawn, if the test declares ASIDE_COUNTERS; it should leave them alone. Its own may differ
 * in the fields that it declares as free, but for those of `as_written`. Without this call all are the test's own and
 * none is as written. Stops all counters if any is drawn.
 */
void under_test(struct test *t, u64 counters, u64 as_written);
/* Those of them that are to sample, too; what they sample, and how far from a record, is the set-up's. */
u64 around_samplers(const struct test *t);
#define SAMPLER_FAR 0x1000000 /* events up to the record of a counter that is only around: more than any block has */
/* AROUND_BASE or AROUND_PLACE: where their records, or the DS area, begin: bytes from the start of a page, a multiple
 * of 8. */
u32 around_bytes(const struct test *t, enum around_part part);

/* For the harness: before each repeat; puts up what stands, records and is masked. */
void around_enter(struct test *t);
/* Whole registers of controls keep what is around: the value that a test's write becomes. */
u64 around_written(struct test *t, u32 msr, u64 value);
/* From now on the counters that this test sets up are varied; at its end, also of one that did not return, no more. */
void around_begin(struct test *t, const struct surroundings *around);
void around_end(struct test *t);
