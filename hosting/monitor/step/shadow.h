/* SPDX-License-Identifier: BSD-2-Clause */
/* The IDT and TSS that are loaded into the guest while stepping inside it. */
#pragma once

#include "hosting/monitor/vcpu.h"

bool shadow_init(struct vcpu *v); /* false: no memory */
/* For transition.c only. */
void shadow_load(struct vcpu *v);
void shadow_unload(struct vcpu *v);
/*
 * On the host's side, while a guest is stepped by exit: lets exceptions come with the guest's stack pointer loaded.
 * Undone before that guest runs.
 */
void shadow_guard(struct vcpu *v);
void shadow_unguard(struct vcpu *v);
bool shadow_idt_loaded(const struct vcpu *v); /* by the VMCB */
bool shadow_code(u64 rip);                    /* is this an address of the in-guest entries? */
