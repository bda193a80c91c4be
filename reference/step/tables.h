/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupt tables that the monitor builds, in the layout of SDM 3A, "64-Bit Mode IDT". */
#pragma once

#include "boot/bits.h"

struct gate {
    u64 low, high;
};
struct __attribute__((packed)) table_pointer {
    u16 limit;
    u64 base;
};

/* An interrupt gate to `entry` in the kernel's code segment. type: 8EH, or EEH if every CPL may use it. */
struct gate interrupt_gate(u64 entry, unsigned ist, u64 type);
u64 gate_entry(const struct gate *gate);
/* Does this exception push an error code? */
bool vector_has_error(u8 vector);
/* Copies the table that is loaded now (256 gates) and returns that table's pointer. */
struct table_pointer idt_copy(struct gate *idt);
/* Makes a gate of a copied table lead to `handler`, on the interrupted stack. */
void idt_set_handler(struct gate *gate, const u8 *handler);
struct table_pointer idt_exchange(struct table_pointer pointer); /* loads it and returns the previous one */
void idt_load(const struct gate *idt, u64 size);
