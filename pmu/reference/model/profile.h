/* A profile: the data of one real CPU. Values carry their source in the profile's file; unknown ones say "assumed". */
#pragma once

#include "pmu/reference/model/model.h"

extern const struct profile *const profiles[];
extern const unsigned profile_count;
const struct profile *profile_find(const char *name);
const char *profile_name(const struct profile *profile);
