/* Vectors, who handles them, and the flag that lets them in. */
#pragma once

#include "boot/cpu.h"
#include "kernel/interrupt/frame.h"

/* Vectors that the image uses itself. Everything else is free for tests through interrupt_handle(). */
#define VECTOR_RING3_RETURN 0x81 /* `int 0x81` at CPL 3 returns from ring3_run() */
#define VECTOR_PMI 0xe0          /* LVTPC in fixed delivery mode */
#define VECTOR_WAKE 0xf0         /* wakes a parked CPU */
#define VECTOR_SPURIOUS 0xff

typedef void (*interrupt_handler)(struct frame *frame);

/* Installs `handler` for `vector` on all CPUs (NULL: none). The handler must acknowledge the local APIC itself. */
void interrupt_handle(u8 vector, interrupt_handler handler);
/* The handler of `vector`, or NULL. */
interrupt_handler interrupt_handler_of(u8 vector);

/*
 * Where the gate of `vector` leads on all CPUs: to `entry`, code of its own that goes on at the
 * vector's stub (boot/stubs.asm) with what it does not know; NULL: to the stub. For who counts each instruction of a
 * handler. Boot CPU only, while no other one can be sent this vector.
 */
void interrupt_entry(u8 vector, const void *entry);

/* Interrupt flag helpers: interrupts_off() returns the previous RFLAGS for interrupts_restore(). */
u64 interrupts_off(void);
void interrupts_restore(u64 rflags);
void interrupts_on(void);
