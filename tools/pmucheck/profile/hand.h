/* SPDX-License-Identifier: BSD-2-Clause */
/* A profile in a file, for an image that was built without it. */
#pragma once

#include "reference/handed/handed.h"
#include "tools/arena.h"
#include "tools/profile/text.h"
#include <stdbool.h>

/* --reference=FILE: it has a slash, or ends in .profile. */
bool hand_is_file(const char *reference);
/*
 * Reads the file and packs its profile, whose name is in *name, into `bytes` of HANDED_BYTES. Returns the number of
 * bytes; 0, with the reason in *error, if the file is no profile.
 */
size_t hand_bytes(struct arena *arena, const char *file, const char **name, void *bytes, const char **error);
/*
 * Reads the file and keeps its packed form in an unnamed memory file, which a child inherits. Returns the profile's
 * name, and in *path the path for QEMU; NULL, with the reason in *error, if the file is no profile. Both are allocated
 * in the arena.
 */
const char *hand_profile(struct arena *arena, const char *file, const char **path, const char **error);

/*
 * Writes the file's profiles, for images with this layout, to `bytes` of HANDED_BYTES. Returns the number of bytes
 * written; 0: the texts are too long.
 */
size_t hand_pack(const struct profile_file *file, uint32_t layout, void *bytes);
