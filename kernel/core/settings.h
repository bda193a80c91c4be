/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmucheck.cfg, the user's file of options, as it lies on the medium. GRUB reads it as a script and passes on what came
 * of it; what it does not understand it drops, with a message that is gone a moment later. So GRUB passes the file
 * itself, too, and the image says what of it was lost.
 */
#pragma once

#include "boot/boot_info.h"

#define SETTINGS_ERROR 160

/*
 * Pure: is this a script that GRUB understands? Else `error`, of SETTINGS_ERROR bytes, says what is wrong and what to
 * do. A file whose commands are not known here is good: its user knows GRUB.
 */
bool settings_good(const char *text, size_t size, char *error);

/* Looks at the files that the loader gave; call before anything is written to free memory. NULL, or what is wrong with
 * which. */
const char *settings_check(void);
/* The same, without the file's name. */
const char *settings_wrong(void);
