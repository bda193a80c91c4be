/* The table of deviations, from the two lists. */
#include "pmu/reference/model/deviations.h"
#include "pmu/reference/model/model_state.h"

const struct deviation model_deviations[] = {
#define DEFECT(id, name, what, source) {name, true, false, what, source},
#define HAZARD(id, name, what, source) {name, false, true, what, source},
#define VARIATION(id, name, what, source) {name, false, false, what, source},
#include "pmu/reference/model/defects.def"
#include "pmu/reference/model/variations.def"
#undef DEFECT
#undef HAZARD
#undef VARIATION
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
