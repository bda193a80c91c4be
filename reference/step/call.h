/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls of a stepper from the code that it steps: code in RAX, argument in RDI, result in RAX. How the call is made is
 * the stepper's own: this function does so, and the counted snippets by an instruction of their own (snippets.inc).
 */
#pragma once

#include "boot/bits.h"

enum stepper_call {
    CALL_REARM = 0x706d7500, /* resets model and virtual state by the set-up */
    CALL_STEPPING,           /* argument: the way of stepping from here on */
    CALL_COUNT_BEGIN,        /* step from here, counting retired instructions */
    CALL_COUNT_END,          /* stop; returns the number of retired instructions */
    CALL_IDT,                /* argument: address of the interrupt table to use; returns the previous one's */
    CALL_MOVED,              /* the guest is moved to another host */
    CALL_NOTHING,
    CALLS_OF_ALL /* what follows is one stepper's */
};
u64 stepper_call(u32 code, u64 argument);
