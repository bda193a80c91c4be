/* SPDX-License-Identifier: BSD-2-Clause */
/* QEMU's own devices. Nothing here touches a port unless qemu_established(). */
#pragma once

#include "boot/bits.h"

/* QEMU: the hypervisor bit of CPUID and QEMU's or Bochs's ids in ACPI. Needs acpi_init(). */
bool qemu_established(void);
/* Does only CPUID name QEMU, so that options that may have been given by fw_cfg are not read? */
bool qemu_unasked(void);
/*
 * Copies at most `size` bytes of an fw_cfg file, given by -fw_cfg name=NAME,... Returns its whole length; 0: there is
 * no such file, or no QEMU.
 */
u32 qemu_file(const char *name, void *to, u32 size);
/* Copies options given by -fw_cfg name=opt/org.pmucheck/options into text ("" if none or not QEMU). */
void qemu_options(char *text, u32 size);
/* Leaves QEMU with exit status 2 * code + 1 if it has an isa-debug-exit device at F4H; returns if it has none. */
void qemu_exit(u8 code);
