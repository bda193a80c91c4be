/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a PCI function interrupts, from its configuration space: MSI, MSI-X, or a pin. Pure. PCI Local Bus Specification,
 * "Capabilities List" and "Message Signaled Interrupts"; PCI Bus Power Management Interface Specification, "PMCSR".
 */
#pragma once

#include "boot/bits.h"

#define PCI_COMMAND_NO_INTX 0x0400
#define PCI_MSI_ENABLE 0x0001
#define PCI_MSIX_ENABLE 0x8000
#define PCI_MSIX_ENTRY_WORDS 4 /* address, its upper half, data, control */
#define PCI_MSIX_MASKED 1u     /* bit of an entry's control */

struct pci_interrupts {
    bool endpoint;     /* neither a bridge nor a display: its interrupts may be switched off */
    bool pin;          /* may interrupt by its pin */
    u8 msi, msix;      /* byte offset of the capability if it is enabled, else 0 */
    u32 address, data; /* of the MSI message */
    u8 messages;       /* how many MSI messages, with data counting up from `data`: 1 to 32 */
    u64 table;         /* physical address of the MSI-X table, 0 if it cannot be read now */
    u16 entries;       /* 1 to 2048 */
};

/* Reads a word of the configuration space, 0 to 63. */
typedef u32 (*pci_reader)(const void *what, unsigned word);
/*
 * Reads the header of an existing function, and the capabilities that matter, each word once or twice. A circular list
 * of capabilities is left after as many as the space has room for.
 */
void pci_interrupts_parse(pci_reader read, const void *what, struct pci_interrupts *found);

/*
 * Device interrupts that firmware, or the system that started this one, left on: nobody here handles them, and each
 * disturbs the test that it hits. They are switched off, unless device-interrupts=keep, and restored at the end.
 */

/*
 * Looks at each PCI function and at the HPET, notes which vectors they send (kernel/firmware/interrupt_source.h),
 * switches them off, and logs how many there were. Bridges, displays, messages that are SMIs, and bus mastering are
 * left alone; a function without active interrupts is not written to. Takes at most a second. On the boot CPU, once.
 */
void pci_interrupts_off(void);
/* Restores the registers, except those that changed after pci_interrupts_off(), if that was called. Interrupts are
 * off. */
void pci_interrupts_restore(void);
