/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results that survive without a serial line, by the option `save`: in memory that Linux's ramoops reads after a warm
 * reset, or in a variable of UEFI.
 */
#pragma once

#include "boot/boot_info.h"

/*
 * Parses the option once, if it was given, and sets the memory that it names aside. Must come before memory_init(),
 * else the memory is refused. Returns an error for the user, or NULL.
 */
const char *save_plan(const struct boot_info *boot);
/* Shall the results go into a variable of the firmware at the end? */
bool save_wants_efi(void);
/* From here on each line of the log is also stored in that memory. Call after memory_init(). */
void save_start(void);
/* Logs where the log is stored, or why it is not: `# save ...`. */
void save_print(void);
/* Somebody else uses the memory from here on: nothing more is stored. */
void save_stop(void);
