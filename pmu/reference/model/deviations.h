/* Names of the deviations inside the model: DEV_LVTPC_NOT_MASKED and so on, indices into model_deviations. */
#pragma once

#include "pmu/reference/model/model.h"

enum deviation_id {
#define DEFECT(id, name, what, source) DEV_##id,
#define DEFECT_ON(id, profile, name, what, source) DEV_##id,
#define HAZARD(id, name, what, source) DEV_##id,
#define VARIATION(id, name, what, source) DEV_##id,
#define VARIATION_ON(id, profile, name, what, source) DEV_##id,
#include "pmu/reference/model/defects.def"
#include "pmu/reference/model/variations.def"
#undef DEFECT
#undef DEFECT_ON
#undef HAZARD
#undef VARIATION
#undef VARIATION_ON
    DEV_COUNT,
};
