/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The third question of a proof: what does an excuse hide? It runs each defect on each profile whose CPU has an erratum
 * that can excuse a check. If a defect is only noticed as known, it must mimic one of these errata, or its row must
 * give a reason.
 */
#pragma once

#include "reference/mode/prove.h"

/* Prints one result line per defect, and a "# hidden" line wherever it is only known; adds the results to *totals. */
void prove_excuses(struct session *session, const struct prove_job *job, struct totals *totals);
