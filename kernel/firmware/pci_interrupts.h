/*
 * Interrupts of devices that firmware, or the system that started this one, left on: nobody here waits for them, and
 * each spoils what it falls into. Switched off unless device-interrupts=keep, and put back at the end.
 */
#pragma once

/*
 * Looks at each PCI function and at the HPET, notes which vectors they send (kernel/firmware/interrupt_source.h),
 * switches them off, and logs how many there were. Bridges, displays and messages that are SMIs are left alone, and so
 * is bus mastering. What has nothing switched on is not written to. The walk takes a second at most. Boot CPU, once.
 */
void pci_interrupts_off(void);
/* Puts back what is still as pci_interrupts_off() left it. Interrupts are off. Harmless if it never was called. */
void pci_interrupts_restore(void);
