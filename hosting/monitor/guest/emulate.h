/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that are executed in the guest's place: the model's, and those that cannot be stepped. */
#pragma once

#include "hosting/monitor/vcpu.h"

enum emulated {
    EMULATED_NOT,  /* must be stepped by the CPU */
    EMULATED,      /* done: RIP is behind it or in a fault handler */
    EMULATED_HANGS /* the access never comes back: RIP stays, and only an NMI gets out */
};
enum emulated emulate(struct vcpu *v, struct frame *f, const struct instruction *i);
/* RDMSR or WRMSR of a register that is not the model's, for a patched access. */
void emulate_natively(struct vcpu *v, struct frame *f, const struct instruction *i);
bool emulate_sysret(struct vcpu *v, struct frame *f); /* false: #UD, or not allowed */
void emulate_iretq(struct vcpu *v, struct frame *f);
/* The same with the given stack image: RIP, CS, RFLAGS, RSP, SS. */
void emulate_return(struct vcpu *v, struct frame *f, const u64 image[5]);
