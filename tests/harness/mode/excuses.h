/*
 * The third question of a proof: what does an excuse hide? Each defect on each profile of whose CPU some erratum can
 * excuse a check. That all that was noticed is known there is right only of a defect that mimics one of these errata,
 * or of one beside which the reason stands.
 */
#pragma once

#include "harness/mode/prove.h"

/* Prints one result line for each defect, "# hidden" lines of what is known alone, and adds the results to *totals. */
void prove_excuses(struct session *session, const struct prove_job *job, struct totals *totals);
