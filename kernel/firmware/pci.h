/*
 * Looks for UARTs on PCI. Nothing is written: of each function its id, class and header type are read, of those that
 * are serial ports, or to know whose a port is, the rest of the header. PCI Local Bus Specification, "Configuration
 * Mechanism #1".
 */
#pragma once

#include "kernel/firmware/pci_pure.h"

/* A word of the configuration space of a function: bus in bits 15:8, device in 7:3, function in 2:0. Reads only. */
u32 pci_read(u32 function, unsigned word);
/* UART number n, from 0, in order of bus, device and function, and where it is; false if there are fewer. */
bool pci_find_serial(unsigned n, struct serial_target *target, char place[PCI_PLACE]);
/* Does the I/O port lie in what another device than a serial port decodes? Then it is not to be touched. */
bool pci_port_is_foreign(u16 port);
