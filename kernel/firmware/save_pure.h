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
