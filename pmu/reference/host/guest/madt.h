/* ACPI's list of processors, for a hosted kernel that may not have all of them. Pure. */
#pragma once

#include "boot/bits.h"

/*
 * Marks every processor as disabled that is not `given`, by its local APIC id, in a MADT that acpi_check() has passed,
 * and mends the checksum. Returns how many were hidden. ACPI, "Multiple APIC Description Table".
 */
unsigned guest_madt_hide(u8 *table, u32 length, bool (*given)(u32 id));
