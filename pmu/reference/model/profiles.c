/* Finding a profile by its name. The profiles themselves are generated of profiles/NAME.profile. */
#include "pmu/reference/model/model_state.h"

bool model_same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const struct profile *profile_find(const char *name)
{
    for (unsigned i = 0; i < profile_count; i++)
        if (model_same_text(profiles[i]->name, name))
            return profiles[i];
    return NULL;
}

const char *profile_name(const struct profile *profile)
{
    return profile->name;
}
