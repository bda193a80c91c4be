/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses to the local APIC's page, which the model corrects afterwards. */
#pragma once

#include "hosting/monitor/vcpu.h"

bool apic_page_init(struct vcpu *v); /* false: no memory */
/* At a nested page fault: true if it was a store to that page and has been executed. */
bool apic_page_stored(struct vcpu *v, struct frame *f);
/* The same for accesses that the CPU must make: true if the page was opened for this one. */
bool apic_page_fault(struct vcpu *v, struct frame *f);
void apic_page_close(struct vcpu *v, struct frame *f);
/* From here on the guest has a clock of its own: loads exit as well. */
void apic_page_foreign(struct vcpu *v);
/* Writes a register as hardware would have it after the write. On the host's side. */
void apic_page_set(u32 offset, u32 value);
/*
 * A foreign guest's APIC changes its mode: `page` is whether its registers are in the page, else there is plain memory.
 * `forgets`: requested interrupts, and those in service, are dropped. On the host's side.
 */
void apic_page_mode(struct vcpu *v, bool page, bool forgets);
