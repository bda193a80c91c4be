/* ACPI's list of processors, for a hosted kernel that may have only one of them. Pure. */
#pragma once

#include "boot/bits.h"

/*
 * Marks every processor but the one with this local APIC id as disabled, in a MADT that acpi_check() has passed, and
 * mends the checksum. Returns how many were hidden. ACPI, "Multiple APIC Description Table".
 */
unsigned guest_madt_hide(u8 *table, u32 length, u32 keep);
