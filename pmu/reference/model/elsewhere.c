/* The table of defects that show on further profiles. */
#include "pmu/reference/model/model_state.h"

const struct model_elsewhere model_elsewhere[] = {
#define ELSEWHERE(defect, profile) {DEV_##defect, profile},
#include "pmu/reference/model/elsewhere.def"
#undef ELSEWHERE
};
const unsigned model_elsewhere_count = ARRAY_SIZE(model_elsewhere);
