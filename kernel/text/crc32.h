/* SPDX-License-Identifier: BSD-2-Clause */
/* The CRC-32 of zlib, gzip and Ethernet, so that any scripting language can check a log. Pure. */
#pragma once

#include "boot/bits.h"

/* Continues `crc` (0 at the start) over length bytes. */
u32 crc32_update(u32 crc, const void *data, size_t length);
