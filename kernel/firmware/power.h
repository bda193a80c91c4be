/* How the machine is left at the end, and QEMU's ports, which are touched only once QEMU is established. */
#pragma once

#include "boot/bits.h"

/* QEMU: the hypervisor bit of CPUID and QEMU's or Bochs's ids in ACPI. Needs acpi_init(). */
bool qemu_established(void);
/* Copies options given by -fw_cfg name=opt/org.pmucheck/options into text ("" if none or not QEMU). */
void qemu_options(char *text, u32 size);
/* Is the machine to stay on, and its screen with it? */
bool power_stays(void);
/* Acts on option `after`: halt (default), reboot, poweroff, exit (isa-debug-exit with `code`). Does not return. */
_Noreturn void power_end(u8 code);
/* Halts this CPU for good with interrupts off. */
_Noreturn void power_halt(void);
