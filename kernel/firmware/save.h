/* SPDX-License-Identifier: BSD-2-Clause */
/* What option `save` asks for, and whether the memory that it names may be written. Pure. */
#pragma once

#include "boot/boot_info.h"

#define SAVE_ERROR_SIZE 160

struct save_plan {
    bool efi;    /* into a variable of the firmware */
    u64 address; /* in memory for Linux's ramoops; size 0: not asked for */
    u32 size;
};

/* Parses "efi" and "ramoops:ADDRESS,SIZE", joined by "+". False: one line in `error`, of SAVE_ERROR_SIZE bytes, says
 * why. */
bool save_parse(const char *text, struct save_plan *plan, char *error);
/*
 * NULL if [address, address + size) may be written: it lies within one available region of the loader's map and
 * overlaps neither the image at [image_start, image_end) nor the loader's information and modules. Else why not.
 */
const char *save_area_refusal(const struct boot_info *boot, u64 address, u64 size, u64 image_start, u64 image_end);

/*
 * Results that survive without a serial line, by the option `save`: in memory that Linux's ramoops reads after a warm
 * reset, or in a variable of UEFI.
 */

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
