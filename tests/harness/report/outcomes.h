/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How every test of a run came out, in one line of the log that is short enough for a QR code:
 *
 *   # outcomes tests=152 ids=89abcdef list=p12s3pf2-4p130
 *
 * A letter for each test of the image in order of their ids: p pass, f fail, k known, r review, s skip, e error, - not
 * run; a number after it: how many such tests in a row. Of a test that ran more than once it is the severest. ids:
 * CRC-32 of all ids, each followed by LF. Pure.
 */
#pragma once

#include "harness/core/judge.h"
#include "harness/core/registry.h"

#define OUTCOMES_LINE 900

struct outcomes {
    const struct registry *registry;
    u8 worst[TESTS_MAX]; /* enum outcome */
};

void outcomes_begin(struct outcomes *outcomes, const struct registry *registry);
void outcomes_note(struct outcomes *outcomes, const struct test_declaration *test, enum outcome outcome);
const char *outcomes_line(char *line, const struct outcomes *outcomes);
/* The check sum over all ids. */
u32 outcomes_ids(const struct registry *registry);
