/* SPDX-License-Identifier: BSD-2-Clause */
/* What a virtual CPU is doing, told from its VMCB and struct vcpu. These questions change nothing else. */
#pragma once

#include "hosting/monitor/vcpu.h"

struct vcpu *vcpu(void);        /* of the calling CPU, while this image runs; NULL before its first monitor_arm() */
struct vcpu *vcpu_of(u32 cpu);  /* NULL: none yet */
void vcpu_keep(struct vcpu *v); /* makes it its CPU's */
struct vmcb_segment *guest_idt(struct vcpu *v); /* the guest's own table, whether loaded or not */
/* Loads CS and SS if the frame has other selectors than the VMCB. */
void load_segments(struct vcpu *v, const struct frame *f);
bool runs_code64(const struct vcpu *v); /* by the VMCB */
bool runs_code16(const struct vcpu *v); /* in whatever mode */
bool runs_real(const struct vcpu *v);   /* in real-address mode */
/* Can this code be stepped? Not in virtual-8086 mode, nor in real mode if CS has bits of a CPL set. */
bool runs_steppable(const struct vcpu *v, const struct frame *f);
/* Linear address of an offset in CS or SS, as the VMCB has them. In 64-bit code their bases count as 0. */
u64 guest_linear(const struct vcpu *v, const struct vmcb_segment *segment, u64 offset);
/* A stack pointer, cut to the width of the stack segment. */
u64 guest_stack(const struct vcpu *v, u64 rsp);
/* Is it 32-bit code with flat segments? */
bool runs_flat32(const struct vcpu *v, const struct frame *f);
/* Must the next IRET exit? `inside`: the in-guest half's IRET is meant. */
bool iret_must_exit(const struct vcpu *v, bool inside);
