/* The firmware's store of variables, by its runtime services. For the end of a run: firmware has the machine meanwhile.
 */
#pragma once

#include "boot/bits.h"

/*
 * Puts `size` bytes into the variable EFI_VARIABLE_NAME, where it outlives the machine's power. Boot CPU only, the
 * others asleep. Returns NULL, or why it could not be done: no UEFI, no room, an error of the firmware's, a fault in
 * its code. A call that never comes back is not ended: a store that is being written is not to be left half written.
 */
const char *efi_variable_set(const u8 *data, size_t size);
