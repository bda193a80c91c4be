/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which device sends which vector, as far as that can be read, so that a stray interrupt is reported with its source.
 * The boot CPU fills this table during the start. Pure.
 */
#pragma once

#include "boot/bits.h"

enum interrupt_source_kind { SOURCE_PCI, SOURCE_HPET, SOURCE_8259, SOURCE_APIC };

/* `who`: a PCI function as in pci_read(), the number of an HPET timer, or a line of the 8259 pair; 0 for the APIC.
 * Additions after the first 256 are ignored. */
void interrupt_source_add(enum interrupt_source_kind kind, u16 who, u8 vector);
/*
 * A message as PCI functions and HPET timers write it to the local APICs. SDM 3A, "Message Signalled Interrupts". With
 * interrupt remapping the vector is not in the message: MESSAGE_OTHER.
 */
enum interrupt_message { MESSAGE_OTHER, MESSAGE_VECTOR, MESSAGE_SMI };
enum interrupt_message interrupt_message(u32 address, u32 data, u8 *vector);
/* "pci=00:04.0", "hpet=2", "8259=7", "source=unknown"; with several sources the first one and " others=1". */
#define INTERRUPT_SOURCE_TEXT 40
const char *interrupt_source_text(u8 vector, char *text);
