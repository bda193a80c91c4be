/* SPDX-License-Identifier: BSD-2-Clause */
/* Packs a profile for handing it to an image (reference/handed/handed.h). Pure. */
#pragma once

#include "reference/handed/handed.h"
#include "tools/profile/text.h"

/*
 * Writes the file's profiles, for images with this layout, to `bytes` of HANDED_BYTES. Returns the number of bytes
 * written; 0: the texts are too long.
 */
size_t hand_pack(const struct profile_file *file, uint32_t layout, void *bytes);
