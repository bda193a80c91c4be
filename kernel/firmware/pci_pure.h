/*
 * Serial ports among PCI's functions, by the first 64 bytes of their configuration space: class 07H, subclass 00H (one
 * port) and 02H (several), 16550-compatible. Pure. PCI Local Bus Specification, "Configuration Space Organization";
 * PCI Code and ID Assignment Specification, "Base Class 07h".
 */
#pragma once

#include "kernel/serial/serial_pure.h"

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

/* "00:1f.3": bus, device and function, which are numbered as in pci_read(). */
#define PCI_PLACE 16
const char *pci_place_text(u32 function, char place[PCI_PLACE]);
/* Is it worth a look at the rest of the header? */
bool pci_is_serial(u32 class_word);
/* Is there more than function 0? */
static inline bool pci_several_functions(u32 header_word)
{
    return header_word >> 23 & 1;
}

/*
 * The ports of a function whose decoding firmware has switched on: those in I/O space at SERIAL_BAUD, those in memory
 * at the rate as found. A function with several ports has one in each base address, or all of them in one: of these the
 * first two are taken, as their number is not told, but for cards that are known. Returns how many.
 */
unsigned pci_serial_ports(const u32 header[PCI_HEADER_WORDS], struct serial_target list[PCI_PORTS_MOST]);

/* I/O base address of a function; base 0: none. How much it decodes is not to be read without a write. */
struct pci_window {
    u16 base;
    bool serial;
};
/*
 * Puts into *nearest what of this function's I/O base addresses lies closer below `port` than what is there. One
 * decodes at most 256 ports, and starts at a multiple of their number.
 */
void pci_nearest_window(const u32 header[PCI_HEADER_WORDS], u16 port, struct pci_window *nearest);
