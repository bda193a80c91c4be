/* A profile as it is handed to an image (pmu/reference/handed/handed.h). Pure. */
#pragma once

#include "pmu/reference/handed/handed.h"
#include "tools/profile/text.h"

/*
 * Writes the file's profiles for images of this layout to `bytes`, which has room for HANDED_BYTES. Returns how many
 * were written; 0: their texts are too long.
 */
size_t hand_pack(const struct profile_file *file, uint32_t layout, void *bytes);
