/* What serial=... asks for. Pure. */
#pragma once

#include "boot/bits.h"

enum serial_kind { SERIAL_AUTO, SERIAL_NONE, SERIAL_PORT, SERIAL_MMIO, SERIAL_PCI };

struct serial_target {
    enum serial_kind kind;
    u64 address;     /* I/O port or physical address; SERIAL_PCI: which of PCI's UARTs, from 0 */
    unsigned stride; /* distance of two registers in bytes */
    unsigned width;  /* of an access, 1 or 4 */
    u32 baud;        /* 0: as it was found */
    bool asked;      /* the option names a rate, be it `keep` */
};

#define SERIAL_BAUD 115200u
#define SERIAL_TARGETS 3

/*
 * Reads one to three of `auto`, `none`, `com1` to `com4`, `pci`, `pci:N`, PORT, `mmio:ADDRESS[/STRIDE]` (byte
 * registers) or `mmio32:ADDRESS`, joined by `+`, each but `none` with [,BAUD] or [,keep]. Returns NULL, and how many
 * there are in *count; or, with *list and *count left alone, what is wrong.
 */
const char *serial_parse(const char *text, struct serial_target list[SERIAL_TARGETS], unsigned *count);
/*
 * May a UART be at this I/O port, by its number alone? Not where every PC has something else: the first 100H ports are
 * the board's own, and CF8H to CFFH lead to PCI's configuration space and the reset register.
 */
bool serial_port_possible(u64 port);
