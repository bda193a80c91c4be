/* Names of the deviations inside the model: DEV_LVTPC_NOT_MASKED and so on, indices into model_deviations. */
#pragma once

#include "pmu/reference/model/model.h"

enum deviation_id {
#define DEFECT(id, name, what, source) DEV_##id,
#define HAZARD(id, name, what, source) DEV_##id,
#define VARIATION(id, name, what, source) DEV_##id,
#include "pmu/reference/model/defects.def"
#include "pmu/reference/model/variations.def"
#undef DEFECT
#undef HAZARD
#undef VARIATION
    DEV_COUNT,
};
