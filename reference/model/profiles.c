/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a profile by its name. The profiles themselves are generated from profiles/NAME.profile. */
#include "reference/model/model_state.h"

bool model_same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const struct profile *model_profile(const char *name)
{
    for (unsigned i = 0; i < profile_count; i++)
        if (model_same_text(profiles[i]->name, name))
            return profiles[i];
    return NULL;
}

const struct profile *model_profile_at(unsigned n)
{
    return n < profile_count ? profiles[n] : NULL;
}

const char *model_profile_name(const struct profile *profile)
{
    return profile->name;
}
