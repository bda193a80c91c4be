/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How every test of a run came out, in one line of the log that is short enough for a QR code:
 *
 *   # outcomes tests=152 ids=89abcdef list=p12s3pf2-4p130 also=lockstep:f
 *
 * A letter for each test of the image in order of their ids: p pass, f fail, k known, r review, s skip, e error, - not
 * run; a number after it: how many such tests in a row. Of a test that ran more than once it is the severest. ids:
 * CRC-32 of all ids, each followed by LF. also: results of the run that are no tests, by name, in order of their
 * numbers, which follow those of the tests; logs of older images have none. Pure.
 */
#pragma once

#include "harness/core/judge.h"
#include "harness/core/registry.h"

#define OUTCOMES_LINE 900

#define OUTCOMES_ALSO 4

struct outcomes {
    const struct registry *registry;
    u8 worst[TESTS_MAX]; /* enum outcome */
    struct {
        const char *id;
        u8 worst;
    } also[OUTCOMES_ALSO]; /* results that are no tests of the registry */
    unsigned alsos;
};

void outcomes_begin(struct outcomes *outcomes, const struct registry *registry);
void outcomes_note(struct outcomes *outcomes, const struct test_declaration *test, enum outcome outcome);
const char *outcomes_line(char *line, const struct outcomes *outcomes);
/* The check sum over all ids. */
u32 outcomes_ids(const struct registry *registry);
