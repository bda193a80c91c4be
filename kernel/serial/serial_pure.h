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

/* ---- A UART's registers that set its rate: TI PC16550D data sheet. */
#define UART_DATA 0 /* transmit; divisor's low byte while DLAB is set */
#define UART_IER 1  /* interrupt enable; divisor's high byte while DLAB is set */
#define UART_LCR 3
#define LCR_8N1 0x03
#define LCR_DLAB 0x80

/* How a UART is reached, which `uart` names. */
struct serial_access {
    u8 (*get)(const void *uart, unsigned reg);
    void (*put)(const void *uart, unsigned reg, u8 value);
};

/*
 * Eight bits, no parity, and the rate: what the option asks for, by the PC's clock. A port without an option gets
 * target->baud. In memory the clock is another one, and the divisor that firmware left stays; only where it is 0 one is
 * computed from `clock`, in Hz, if that is told (0: not). Returns the rate as far as it is known; 0: it is not.
 */
u32 serial_set_rate(const struct serial_target *target, u32 clock, const struct serial_access *access,
                    const void *uart);
