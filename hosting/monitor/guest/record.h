/* SPDX-License-Identifier: BSD-2-Clause */
/* How a PEBS record reads and writes the guest's memory and registers. */
#pragma once

#include "reference/model/model.h"

void record_callbacks(struct model_host *host);
