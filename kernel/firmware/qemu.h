/* QEMU's own devices. Nothing here touches a port unless qemu_established() (kernel/firmware/power.h). */
#pragma once

#include "boot/bits.h"

/* Leaves QEMU with exit status 2 * code + 1 if it has an isa-debug-exit device at F4H; returns if it has none. */
void qemu_exit(u8 code);
