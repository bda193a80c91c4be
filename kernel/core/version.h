/* SPDX-License-Identifier: BSD-2-Clause */
/* What the build stamps into the image. */
#pragma once

extern const char build_version[]; /* "0.2.0", or "0.2.0+38.g1a2b3c4" 38 commits later: tools/version.sh */
extern const char build_commit[];  /* "1a2b3c4d5e6f", with "-dirty" if files were changed; "unknown" without git */
extern const char build_date[];    /* the commit's, "2026-11-29" */
extern const unsigned build_tests; /* how many test files the build found: the harness must register as many */
/* The checksum of the headers that lay out struct profile. Programs that share it may exchange binary profiles. */
extern const unsigned build_layout;
/* The options of what this image was built without, the reference PMU, as a list; "": it has everything. */
extern const char build_left_out[];
