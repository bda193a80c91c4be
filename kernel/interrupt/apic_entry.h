/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the local vector table that belong to firmware. Pure. SDM 3A, "Local Vector Table". */
#pragma once

#include "boot/bits.h"

/* Has an APIC with this version register the entry? `number` is the entry's place: 5 thermal, 6 CMCI. */
bool apic_entry_exists(u32 version, unsigned number);
/*
 * The value for another CPU's entry after an INIT, which has masked it: the boot CPU's entry without its read-only
 * bits, if that delivers an SMI. 0: leave the entry alone.
 */
u32 apic_entry_after_init(u32 boot_entry);
