/* SPDX-License-Identifier: BSD-2-Clause */
/* The option serial=... Pure. */
#pragma once

#include "boot/bits.h"

enum serial_kind { SERIAL_AUTO, SERIAL_NONE, SERIAL_PORT, SERIAL_MMIO, SERIAL_PCI };

struct serial_target {
    enum serial_kind kind;
    u64 address;     /* I/O port or physical address; SERIAL_PCI: number of the UART on PCI, from 0 */
    unsigned stride; /* bytes from one register to the next */
    unsigned width;  /* bytes of an access, 1 or 4 */
    u32 baud;        /* 0: as firmware left it */
    bool asked;      /* the option gives a rate, or `keep` */
};

#define SERIAL_BAUD 115200u
#define SERIAL_TARGETS 3

/*
 * Reads one to three of `auto`, `none`, `com1` to `com4`, `pci`, `pci:N`, PORT, `mmio:ADDRESS[/STRIDE]` (byte
 * registers) or `mmio32:ADDRESS`, joined by `+`; each except `none` may have [,BAUD] or [,keep]. Returns NULL and sets
 * *count to their number; or returns what is wrong and leaves *list and *count unchanged.
 */
const char *serial_parse(const char *text, struct serial_target list[SERIAL_TARGETS], unsigned *count);

/* ---- The registers of a UART that set its rate: TI PC16550D data sheet. */
#define UART_DATA 0 /* transmit; divisor's low byte while DLAB is set */
#define UART_IER 1  /* interrupt enable; divisor's high byte while DLAB is set */
#define UART_LCR 3
#define LCR_8N1 0x03
#define LCR_DLAB 0x80

/* Access to the registers of the UART that `uart` names. */
struct serial_access {
    u8 (*get)(const void *uart, unsigned reg);
    void (*put)(const void *uart, unsigned reg, u8 value);
};

/*
 * Sets eight bits, no parity, and the rate: the one in the option, by the PC's clock; at a port without an option
 * target->baud. In memory the clock is a different one, so the divisor that firmware left stays; only if that is 0 it
 * is computed from `clock`, in Hz (0: unknown). Returns the resulting rate; 0: unknown.
 */
u32 serial_set_rate(const struct serial_target *target, u32 clock, const struct serial_access *access,
                    const void *uart);

/*
 * The serial sinks of the log: 16550 UARTs at I/O ports or in memory, polled. If one is missing or stuck its text is
 * lost, but the run goes on: every wait is bounded.
 */

/* Has a byte come in over one of the UARTs since the last call? Takes all that have. */
bool serial_received(void);
/* The UARTs have forgotten how they were set up: sets them up again. */
void serial_resume(void);
/* Opens the UART that the options ask for, COM1 by default, unless it needs memory mapping. For the first lines. */
void serial_init(void);
/*
 * Opens the UARTs that the options, ACPI's SPCR and DBG2, and PCI name, and logs which they are. Call it after
 * acpi_init(), when all options are known. Returns NULL, or what is wrong with the option.
 */
const char *serial_late_init(void);
