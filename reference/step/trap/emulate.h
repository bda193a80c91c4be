/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that the stepper executes in the program's place: the model's, and those that TF does not step. */
#pragma once

#include "reference/step/trap/stepped.h"

enum emulated {
    EMULATED_NOT,  /* must be stepped by the CPU */
    EMULATED,      /* done: RIP is behind it or in a fault handler */
    EMULATED_HANGS /* the access never comes back: RIP stays, and only an NMI gets out */
};
/* The instruction at f->rip. */
enum emulated emulate(struct stepped *s, struct frame *f, const struct instruction *i);
/* RDMSR or WRMSR of a register that is not the model's. */
void emulate_natively(struct stepped *s, struct frame *f, const struct instruction *i);
/* RIP moves behind an instruction that the caller has executed, and it retires. */
void emulated_plain(struct stepped *s, struct frame *f, unsigned length);
