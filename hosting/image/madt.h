/* SPDX-License-Identifier: BSD-2-Clause */
/* ACPI's list of processors, for a hosted kernel that may not get all of them. Pure. */
#pragma once

#include "boot/bits.h"

/* Updates the checksum of a changed table. */
void guest_table_seal(u8 *table, u32 length);
/*
 * Marks every processor as disabled for whose local APIC id `given` is false, and updates the checksum. The MADT must
 * have passed acpi_check(). Returns how many were hidden. ACPI, "Multiple APIC Description Table".
 */
unsigned guest_madt_hide(u8 *table, u32 length, bool (*given)(u32 id));
/*
 * Writes another MADT of at most `room` bytes in which new_id() replaces the processors' ids. Returns its length; 0: no
 * id changes, or there is no room.
 */
u32 guest_madt_renumber(const u8 *table, u32 length, u8 *to, u32 room, u32 (*new_id)(u32 id));
