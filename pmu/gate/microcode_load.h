/* SPDX-License-Identifier: BSD-2-Clause */
/* The one write that loads an update of microcode, which the gate allows for the update that is offered. */
#pragma once

#include "pmu/cpu/microcode.h"

/*
 * Loads the chosen update into the calling CPU, after another check of the whole file, which a test may have
 * overwritten. Nothing else may run on the core meanwhile. Returns NULL, or why nothing was written, in `text` of
 * MICROCODE_TEXT bytes. Only microcode_revision() shows whether it worked: a CPU that refuses an update need not fault.
 */
const char *microcode_load(const struct microcode_update *update, char *text, fault_t *fault);
