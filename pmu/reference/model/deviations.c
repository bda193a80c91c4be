/* The table of deviations, from the two lists. */
#include "pmu/reference/model/deviations.h"
#include "pmu/reference/model/model_state.h"

const struct deviation model_deviations[] = {
#define DEFECT(id, name, what, source) {name, true, false, what, source, NULL},
#define DEFECT_ON(id, profile, name, what, source) {name, true, false, what, source, profile},
#define HAZARD(id, name, what, source) {name, false, true, what, source, NULL},
#define VARIATION(id, name, what, source) {name, false, false, what, source, NULL},
#define VARIATION_ON(id, profile, name, what, source) {name, false, false, what, source, profile},
#include "pmu/reference/model/defects.def"
#include "pmu/reference/model/variations.def"
#undef DEFECT
#undef DEFECT_ON
#undef HAZARD
#undef VARIATION
#undef VARIATION_ON
};
const unsigned model_deviation_count = DEV_COUNT;

bool model_same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int model_deviation_find(const char *name)
{
    for (int i = 0; i < (int)DEV_COUNT; i++)
        if (model_same_text(model_deviations[i].name, name))
            return i;
    return -1;
}
