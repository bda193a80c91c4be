/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Serial ports among PCI's functions, by the first 64 bytes of their configuration space: class 07H, subclass 00H (one
 * port) and 02H (several), 16550-compatible. Pure. PCI Local Bus Specification, "Configuration Space Organization";
 * PCI Code and ID Assignment Specification, "Base Class 07h".
 */
#pragma once

#include "boot/bits.h"
#include "kernel/serial/serial.h"

#define PCI_HEADER_WORDS 16
#define PCI_ID 0         /* word of the header: device and vendor */
#define PCI_COMMAND 1    /* word of the header: status and command */
#define PCI_CLASS 2      /* word of the header: class, subclass, programming interface, revision */
#define PCI_HEADER 3     /* word of the header: header type among others */
#define PCI_BAR 4        /* first of the header's six words of base addresses */
#define PCI_PORTS_MOST 6 /* of one function */

static inline bool pci_present(u32 id)
{
    return (id & 0xffff) != 0xffff;
}

/* "00:1f.3": bus, device and function, numbered as in pci_read(). */
#define PCI_PLACE 16
const char *pci_place_text(u32 function, char place[PCI_PLACE]);
/* Does the device have functions besides function 0? */
static inline bool pci_several_functions(u32 header_word)
{
    return header_word >> 23 & 1;
}

/*
 * The ports of a function whose decoding firmware has switched on: ports in I/O space at SERIAL_BAUD, ports in memory
 * at the rate that firmware set. A function with several ports has one in each base address, or all in one. In the
 * second case its number of ports is that of a known card, else two, as the function does not state it. Returns the
 * number.
 */
unsigned pci_serial_ports(const u32 header[PCI_HEADER_WORDS], struct serial_target list[PCI_PORTS_MOST]);

/* I/O base address of a function; base 0: none. Its size cannot be read without a write. */
struct pci_window {
    u16 base;
    bool serial;
};
/*
 * Replaces *nearest by an I/O base address of this function that lies closer below `port`. A base address decodes at
 * most 256 ports, and is a multiple of that number.
 */
void pci_nearest_window(const u32 header[PCI_HEADER_WORDS], u16 port, struct pci_window *nearest);

/*
 * PCI's configuration space, and UARTs in it. The search writes nothing: it reads each function's id, class and header
 * type, and the rest of the header of serial ports and where the owner of an I/O port is looked for. PCI Local Bus
 * Specification, "Configuration Mechanism #1".
 */

/* A word of the configuration space of a function: bus in bits 15:8, device in 7:3, function in 2:0. Reads only. */
u32 pci_read(u32 function, unsigned word);
/* Writes 16 bits at an even byte offset, and only these: a write of the other half may clear bits. */
void pci_write(u32 function, unsigned offset, u16 value);
/* Calls the visitor for each function that exists, in order; true ends the walk. A walk of more than a second is cut
 * short. If the step pci of the start is left out, no function is visited. */
typedef bool (*pci_visitor)(void *what, u32 function);
enum pci_visit { PCI_VISIT_ALL, PCI_VISIT_ENDED, PCI_VISIT_CUT, PCI_VISIT_NONE };
enum pci_visit pci_visit(pci_visitor visit, void *what);
/* Finds UART number n, from 0, in order of bus, device and function, and its place; false if there are fewer. */
bool pci_find_serial(unsigned n, struct serial_target *target, char place[PCI_PLACE]);
/* Is the I/O port decoded by a device that is not a serial port? Then it must not be accessed. */
bool pci_port_is_foreign(u16 port);

/*
 * How a PCI function interrupts, from its configuration space: MSI, MSI-X, or a pin. Pure. PCI Local Bus Specification,
 * "Capabilities List" and "Message Signaled Interrupts"; PCI Bus Power Management Interface Specification, "PMCSR".
 */

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
 * Looks at each PCI function and at the HPET, notes which vectors they send (kernel/firmware/pci.h),
 * switches them off, and logs how many there were. Bridges, displays, messages that are SMIs, and bus mastering are
 * left alone; a function without active interrupts is not written to. Takes at most a second. On the boot CPU, once.
 */
void pci_interrupts_off(void);
/* Restores the registers, except those that changed after pci_interrupts_off(), if that was called. Interrupts are
 * off. */
void pci_interrupts_restore(void);

/*
 * Which device sends which vector, as far as that can be read, so that a stray interrupt is reported with its source.
 * The boot CPU fills this table during the start. Pure.
 */

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

/* ---- The HPET: its registers, and its timers as sources of interrupts. IA-PC HPET Specification. */

/* Registers, in 32-bit words. */
#define HPET_CAPABILITIES 0x00
#define HPET_PERIOD 0x01 /* period of its counter, in femtoseconds */
#define HPET_CONFIGURATION 0x04
#define HPET_ENABLE 0x1u
#define HPET_COUNTER 0x3c

/* The mapped registers; NULL if ACPI lists no HPET, or if the period that it states is not allowed. */
volatile u32 *hpet_registers(void);

/*
 * Returns how many timers have interrupts enabled, and notes the vectors of those that send messages
 * (kernel/firmware/pci.h). off: disables these interrupts. 0 if ACPI lists no HPET, or if it stands still.
 */
unsigned hpet_interrupts(bool off);
/* Restores the timers, except those whose registers changed after hpet_interrupts(). */
void hpet_interrupts_restore(void);
