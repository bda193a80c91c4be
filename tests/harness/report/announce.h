/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With one CPU none is left to end an access that never comes back, so each register is named in the log before the
 * run reads or writes it for the first time: the log's last line then tells which one it was.
 */
#pragma once

#include "boot/bits.h"

/* From here on each first read and write is named again; off: none is. */
void announce_accesses(bool on);
