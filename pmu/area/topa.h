/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of physical addresses that a processor trace is written to: entries of 64 bits, each of which names a
 * region or the next table. SDM 3C, "Table of Physical Addresses (ToPA)".
 */
#pragma once

#include "boot/bits.h"

#define TOPA_END BIT(0)  /* the entry names the next table, not a region */
#define TOPA_INT BIT(2)  /* a PMI when the region is full */
#define TOPA_STOP BIT(4) /* the trace ends when the region is full */
#define TOPA_SIZE MASK(9, 6)
#define TOPA_ADDRESS MASK(51, 12)
