/* What a PEBS record takes from the guest, and where it goes. */
#pragma once

#include "pmu/reference/model/model.h"

void record_callbacks(struct model_host *host);
