/* SPDX-License-Identifier: BSD-2-Clause */
/* The boot information for a hosted kernel, in the format of its kind. Pure. */
#pragma once

#include "hosting/image/image.h"
#include "hosting/image/map.h"

struct guest_module {
    u64 start, end;
    const char *command_line;
};

struct guest_offer {
    const struct guest_map *map;
    const char *command_line;
    const struct guest_module *module;
    unsigned modules;
    const u8 *rsdp; /* as in boot_info */
    u32 rsdp_size;
};

#define GUEST_INFORMATION_SIZE 49152u
/*
 * Writes the information for physical `address` to `to` (GUEST_INFORMATION_SIZE bytes, zeroed). Returns the number of
 * bytes used, or 0 if it does not fit.
 */
u64 guest_information1(u8 *to, u64 address, const struct guest_offer *offer);
u64 guest_information2(u8 *to, u64 address, const struct guest_offer *offer);
/* `file` is the kernel's file, which guest_image_parse() has accepted. The first module is the initial RAM disk. */
u64 guest_information_linux(u8 *to, u64 address, const struct guest_offer *offer, const u8 *file,
                            const struct guest_image *image);
