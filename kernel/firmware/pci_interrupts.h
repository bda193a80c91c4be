/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device interrupts that firmware, or the system that started this one, left on: nobody here handles them, and each
 * disturbs the test that it hits. They are switched off, unless device-interrupts=keep, and restored at the end.
 */
#pragma once

/*
 * Looks at each PCI function and at the HPET, notes which vectors they send (kernel/firmware/interrupt_source.h),
 * switches them off, and logs how many there were. Bridges, displays, messages that are SMIs, and bus mastering are
 * left alone; a function without active interrupts is not written to. Takes at most a second. On the boot CPU, once.
 */
void pci_interrupts_off(void);
/* Restores the registers, except those that changed after pci_interrupts_off(), if that was called. Interrupts are
 * off. */
void pci_interrupts_restore(void);
