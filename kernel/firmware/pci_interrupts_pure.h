/*
 * How a PCI function interrupts, by its configuration space: MSI, MSI-X, a pin. Pure. PCI Local Bus Specification,
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
    bool pin;          /* nothing keeps it from interrupting by a pin */
    u8 msi, msix;      /* byte offset of the capability if it is switched on, else 0 */
    u32 address, data; /* of MSI */
    u8 messages;       /* how many that MSI may send, with data that count up from `data`: 1 to 32 */
    u64 table;         /* physical address of MSI-X's entries, 0 if it cannot be read now */
    u16 entries;       /* 1 to 2048 */
};

/* Reads a word of the configuration space, 0 to 63. */
typedef u32 (*pci_reader)(const void *what, unsigned word);
/*
 * Reads of a function that is there its header and those capabilities that matter, each word once or twice. A list of
 * capabilities that goes in circles is left after as many as there is room for.
 */
void pci_interrupts_parse(pci_reader read, const void *what, struct pci_interrupts *found);
