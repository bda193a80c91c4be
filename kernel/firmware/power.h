/* SPDX-License-Identifier: BSD-2-Clause */
/* How the machine is left at the end. */
#pragma once

#include "boot/bits.h"

/* Will the machine stay on, and its screen with it? */
bool power_stays(void);
/* Acts on option `after`: halt (default), reboot, poweroff, exit (isa-debug-exit with `code`). Does not return. */
_Noreturn void power_end(u8 code);
/* Ways of a warm reset, in the order in which an end by reset tries them. */
enum reset_way { RESET_BY_ACPI, RESET_BY_KEYBOARD, RESET_BY_CHIPSET, RESET_WAY_COUNT };
extern const char *const power_reset_name[];
/* Tries to reset the machine. Returns after 100 ms if that did not happen; false: it does not have this way. */
bool power_reset(enum reset_way way);
/* Why this machine cannot sleep in S3; NULL: it can. */
const char *power_sleep_unavailable(void);
/*
 * Puts the machine to sleep in S3: memory is kept, CPUs and devices lose what they hold. The real-time clock wakes it
 * after so many seconds, less than 60, and firmware then starts the boot CPU in real mode at `page`, below 1 MiB.
 * Returns after two seconds only if it does not fall asleep. ACPI mode is on afterwards. ACPI Specification, "System
 * \_S3 State". Interrupts are off.
 */
void power_sleep(u32 page, u32 seconds);
/* Halts this CPU for good with interrupts off. */
_Noreturn void power_halt(void);

/*
 * A system management interrupt on request. The only command that firmware of any make is known to take without harm is
 * the one that turns ACPI mode on, while that is on already: other values start services of the firmware. ACPI
 * Specification, "Fixed ACPI Description Table", SMI_CMD and ACPI_ENABLE.
 */

/* The port that the FADT names; 0: none. */
u16 smi_port(void);
/* Why no command may be written there; NULL: it may. */
const char *smi_unavailable(void);
/* Do the commands from now on not reach the machine? */
void smi_harmless(bool now);
/*
 * Writes the command to this port, and gives the SMI some hundred microseconds to come. To be compared with the same to
 * PORT_POST_CODES, which nothing listens to.
 */
#define PORT_POST_CODES 0x80
void smi_write(u16 port);

/* ---- QEMU's own devices. Nothing here touches a port unless qemu_established(). */

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
