/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Serial ports among PCI's functions, by the first 64 bytes of their configuration space: class 07H, subclass 00H (one
 * port) and 02H (several), 16550-compatible. Pure. PCI Local Bus Specification, "Configuration Space Organization";
 * PCI Code and ID Assignment Specification, "Base Class 07h".
 */
#pragma once

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
/* Does the class say that this is a serial port? */
bool pci_is_serial(u32 class_word);
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
