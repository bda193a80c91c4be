/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of INT 15H that report how much memory there is. Pure. */
#pragma once

#include "boot/boot_info.h"

#define BIOS_ENTRY 20
/* Registers of a call, and the entry that is to be stored at ES:DI. */
struct bios_call {
    u32 eax, ebx, ecx, edx;
    bool carry;
    u8 entry[BIOS_ENTRY];
    unsigned stored; /* number of bytes to store */
};
/* Answers E820H, E801H and 88H; false for any other call. ACPI, "INT 15H, E820H - Query System Address Map". */
bool bios_answer(struct bios_call *c, const struct boot_region *map, unsigned regions);
