/*
 * Which device sends which vector, as far as it can be read: a stray interrupt is told with its source. Filled while
 * starting, by the boot CPU. Pure.
 */
#pragma once

#include "boot/bits.h"

enum interrupt_source_kind { SOURCE_PCI, SOURCE_HPET, SOURCE_8259, SOURCE_APIC };

/* `who`: the function as in pci_read(), the number of the HPET's timer, the 8259 pair's line; of the APIC it is 0.
 * Beyond 256 nothing is added. */
void interrupt_source_add(enum interrupt_source_kind kind, u16 who, u8 vector);
/*
 * A message as PCI functions and HPET timers store it to the local APICs. SDM 3A, "Message Signalled Interrupts". In
 * the format of interrupt remapping the vector stands elsewhere: none is told.
 */
enum interrupt_message { MESSAGE_OTHER, MESSAGE_VECTOR, MESSAGE_SMI };
enum interrupt_message interrupt_message(u32 address, u32 data, u8 *vector);
/* "pci=00:04.0", "hpet=2", "8259=7", "source=unknown"; where several send it, the first and how many " others=1". */
#define INTERRUPT_SOURCE_TEXT 40
const char *interrupt_source_text(u8 vector, char *text);
