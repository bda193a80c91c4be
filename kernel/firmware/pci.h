/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PCI's configuration space, and UARTs in it. The search writes nothing: it reads each function's id, class and header
 * type, and the rest of the header of serial ports and where the owner of an I/O port is looked for. PCI Local Bus
 * Specification, "Configuration Mechanism #1".
 */
#pragma once

#include "kernel/firmware/pci_pure.h"

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
