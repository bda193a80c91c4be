/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors, their handlers, and the interrupt flag. */
#include "boot/cpu.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"

static interrupt_handler volatile handlers[256];

void interrupt_handle(u8 vector, interrupt_handler handler)
{
    handlers[vector] = handler;
}

interrupt_handler interrupt_handler_of(u8 vector)
{
    return handlers[vector];
}

u64 interrupts_off(void)
{
    u64 flags = read_flags();
    cli();
    return flags;
}

void interrupts_restore(u64 rflags)
{
    if (rflags & RFLAGS_IF)
        sti();
    else
        cli();
}

void interrupts_on(void)
{
    sti();
}
