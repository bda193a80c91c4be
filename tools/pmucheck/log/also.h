/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of a run that are no tests, as its "# outcomes" line has them: "lockstep:f". Pure. */
#pragma once

#include "tools/pmucheck/log/log.h"
#include "tools/span.h"

/* Takes the next one off the list. False: there is none, or the rest of the list is damaged. */
bool also_next(struct span *list, struct span *id, enum log_outcome *outcome);
