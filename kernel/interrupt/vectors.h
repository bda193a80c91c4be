/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors, their handlers, and the interrupt flag. */
#pragma once

#include "boot/cpu.h"
#include "kernel/interrupt/frame.h"

/* Vectors that the image uses itself. Tests may use all others through interrupt_handle(). */
#define VECTOR_RING3_RETURN 0x81 /* `int 0x81` at CPL 3 returns from ring3_run() */
#define VECTOR_PMI 0xe0          /* LVTPC in fixed delivery mode */
#define VECTOR_WAKE 0xf0         /* wakes a parked CPU */
#define VECTOR_SPURIOUS 0xff

typedef void (*interrupt_handler)(struct frame *frame);

/* Installs `handler` for `vector` on all CPUs (NULL removes it). The handler must acknowledge the local APIC itself. */
void interrupt_handle(u8 vector, interrupt_handler handler);
/* The handler of `vector`, or NULL. */
interrupt_handler interrupt_handler_of(u8 vector);

/*
 * Makes the gate of `vector` on all CPUs lead to `entry`: special code for a caller that counts each instruction of a
 * handler, which continues at the vector's stub (boot/stubs.asm) for interrupts that it does not recognise. NULL: to
 * the stub. Boot CPU only, while no other CPU can receive this vector.
 */
void interrupt_entry(u8 vector, const void *entry);

/* Interrupt flag helpers: interrupts_off() returns the previous RFLAGS for interrupts_restore(). */
u64 interrupts_off(void);
void interrupts_restore(u64 rflags);
void interrupts_on(void);
