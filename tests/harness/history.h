/* SPDX-License-Identifier: BSD-2-Clause */
/* What the calling CPU's PMU has been used for before a test: uses that leave everything as they found it. */
#pragma once

#include "harness/test.h"

/*
 * Makes the uses that are drawn (AROUND_HISTORY of what is around the test, a bit for each kind), in an order and a
 * number made from the seed. Before anything of the test is set up: all counters must be stopped and unused, and a PMI
 * impossible.
 */
void history_make(struct test *t);
