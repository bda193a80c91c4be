/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random walks over the PMU, instead of the tests or after them: reference/lockstep makes them; this part decides
 * when, and writes the log. After the tests each CPU makes the same number, whatever the machine's load; on the
 * reference PMU they are the same each time.
 */
#pragma once

#include "harness/mode/backend.h"

extern const struct backend_walks lockstep_walks;
