/* Stores to the local APIC's page, which the model puts right afterwards. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

bool apic_page_init(struct vcpu *v); /* false: no memory */
/* A nested page fault: true if it was such a store, which has been made. */
bool apic_page_store(struct vcpu *v, struct frame *f);
/* The same for those that the CPU must make: true if it may now complete. */
bool apic_page_fault(struct vcpu *v, struct frame *f);
void apic_page_close(struct vcpu *v, struct frame *f);
/* The guest has a clock of its own from here on: loads are seen as well. */
void apic_page_foreign(struct vcpu *v);
/* Writes a register in the page, as hardware would have it done. On the host's side. */
void apic_page_set(u32 offset, u32 value);
/*
 * A foreign guest's APIC is in another mode: `page` is where its registers are, else memory. `forgets`: what it was
 * asked for and has not ended is no more. On the host's side.
 */
void apic_page_mode(struct vcpu *v, bool page, bool forgets);
