/*
 * PCI's configuration space, and UARTs in it. For these nothing is written: of each function its id, class and header
 * type are read, of those that are serial ports, or to know whose a port is, the rest of the header. PCI Local Bus
 * Specification, "Configuration Mechanism #1".
 */
#pragma once

#include "kernel/firmware/pci_pure.h"

/* A word of the configuration space of a function: bus in bits 15:8, device in 7:3, function in 2:0. Reads only. */
u32 pci_read(u32 function, unsigned word);
/* Writes 16 bits at an even byte offset, and nothing beside them: the other half may have bits that a 1 clears. */
void pci_write(u32 function, unsigned offset, u16 value);
/* Asks of each function that is there, in order; true ends the walk. What takes more than a second is cut;
 * a walk that is to be left out, as a step of the start, is none. */
typedef bool (*pci_visitor)(void *what, u32 function);
enum pci_visit { PCI_VISIT_ALL, PCI_VISIT_ENDED, PCI_VISIT_CUT, PCI_VISIT_NONE };
enum pci_visit pci_visit(pci_visitor visit, void *what);
/* UART number n, from 0, in order of bus, device and function, and where it is; false if there are fewer. */
bool pci_find_serial(unsigned n, struct serial_target *target, char place[PCI_PLACE]);
/* Does the I/O port lie in what another device than a serial port decodes? Then it is not to be touched. */
bool pci_port_is_foreign(u16 port);
