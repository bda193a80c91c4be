/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names of the image's functions, for fault dumps. The build links twice: the table is made from the first link and
 * goes into a section of its own, `.symbols`, which the linker script puts last so that no address moves. Pure.
 */
#pragma once

#include "boot/bits.h"

#define SYMBOL_NONE 0xffffffffu
struct symbol {
    u32 at;   /* bytes from image_start: the image may move */
    u32 name; /* its offset in symbol_names, or SYMBOL_NONE */
};

#define SYMBOLS_SECTION __attribute__((section(".symbols"), used))

/* symbol_count rows, sorted by address; the last one has no name and marks the end of the code. */
extern const char symbol_names[];
extern const struct symbol symbols[];
extern const unsigned symbol_count;

/*
 * Returns the function that holds `address` and in *offset the distance from its start; NULL (and no meaning in
 * *offset) if the address is not in the image's code.
 */
const char *symbol_name(u64 address, u64 *offset);
