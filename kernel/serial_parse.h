/* What serial=... asks for. Pure. */
#pragma once

#include "boot/bits.h"

enum serial_kind { SERIAL_AUTO, SERIAL_NONE, SERIAL_PORT, SERIAL_MMIO };

struct serial_target {
    enum serial_kind kind;
    u64 address;     /* I/O port or physical address */
    unsigned stride; /* distance of two registers in bytes; 4 means 32-bit accesses */
    u32 baud;        /* 0: as it was found */
};

#define SERIAL_BAUD 115200u

/*
 * Reads `auto`, `none`, `com1` to `com4`, PORT, `mmio:ADDRESS` (byte registers) or `mmio32:ADDRESS`, the last four with
 * [,BAUD]. Returns NULL, or with *target left alone what is wrong.
 */
const char *serial_parse(const char *text, struct serial_target *target);
