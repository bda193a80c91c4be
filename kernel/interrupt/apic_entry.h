/* Entries of the local vector table that belong to firmware. Pure. SDM 3A, "Local Vector Table". */
#pragma once

#include "boot/bits.h"

/* Has an APIC with this version register the entry? `number` is the entry's place: 5 thermal, 6 CMCI. */
bool apic_entry_exists(u32 version, unsigned number);
/*
 * What another CPU's entry must get after an INIT, which has masked it: the boot CPU's, without its read-only bits, if
 * that delivers an SMI. 0: it is left alone.
 */
u32 apic_entry_after_init(u32 boot_entry);
