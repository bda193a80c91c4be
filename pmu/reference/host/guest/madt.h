/* ACPI's list of processors, for a hosted kernel that may not have all of them. Pure. */
#pragma once

#include "boot/bits.h"

/* Mends the checksum of a table that was changed. */
void guest_table_seal(u8 *table, u32 length);
/*
 * Marks every processor as disabled that is not `given`, by its local APIC id, in a MADT that acpi_check() has passed,
 * and mends the checksum. Returns how many were hidden. ACPI, "Multiple APIC Description Table".
 */
unsigned guest_madt_hide(u8 *table, u32 length, bool (*given)(u32 id));
/*
 * Writes another MADT of at most `room` bytes, in which processors have the ids that new_id() gives them for theirs.
 * Returns its length; 0: none has another, or there is no room.
 */
u32 guest_madt_renumber(const u8 *table, u32 length, u8 *to, u32 room, u32 (*new_id)(u32 id));
