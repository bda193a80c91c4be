/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's variable store, by its runtime services. For the end of a run: a call hands the machine to the
 * firmware. */
#pragma once

#include "boot/bits.h"

/*
 * Writes `size` bytes to the variable EFI_VARIABLE_NAME, which survives power-off. On the boot CPU only, with the
 * others asleep. Returns NULL, or why it failed: no UEFI, no room, an error from the firmware, a fault in its code. A
 * call that hangs is not ended: that could leave the store half written.
 */
const char *efi_variable_set(const u8 *data, size_t size);
