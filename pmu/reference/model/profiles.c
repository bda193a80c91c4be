/* The profiles that there are, by name. */
#include "pmu/reference/model/model_state.h"

const struct profile *const profiles[] = {&profile_skylake};
const unsigned profile_count = ARRAY_SIZE(profiles);

const struct profile *profile_find(const char *name)
{
    for_each_row (profiles, p)
        if (model_same_text((*p)->name, name))
            return *p;
    return NULL;
}

const char *profile_name(const struct profile *profile)
{
    return profile->name;
}
