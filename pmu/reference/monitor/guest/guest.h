/* What a virtual CPU is in the middle of, told from its VMCB and from struct vcpu: questions, which change nothing
 * else. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

struct vcpu *vcpu(void);        /* the calling CPU's, in this image; NULL before its first monitor_arm() */
struct vcpu *vcpu_of(u32 cpu);  /* NULL: none yet */
void vcpu_keep(struct vcpu *v); /* it is its CPU's from here on */
struct vmcb_segment *guest_idt(struct vcpu *v); /* the guest's own, whether loaded or not */
/* Loads CS and SS where the frame has other selectors than the VMCB. */
void load_segments(struct vcpu *v, const struct frame *f);
bool runs_code64(const struct vcpu *v); /* as the VMCB has it */
bool runs_code16(const struct vcpu *v); /* in whatever mode */
bool runs_real(const struct vcpu *v);   /* in real-address mode */
/* Can what runs be stepped? Not in virtual-8086 mode, nor where real code's CS has the low bits that are a CPL else. */
bool runs_steppable(const struct vcpu *v, const struct frame *f);
/* Where an offset of that segment lies: of CS or SS as the VMCB has them. 64-bit code knows no bases of theirs. */
u64 guest_linear(const struct vcpu *v, const struct vmcb_segment *segment, u64 offset);
/* The offset in SS: of a segment of 16 bits only so much counts. */
u64 guest_stack(const struct vcpu *v, u64 rsp);
/* Or 32-bit code with segments that begin at 0 and end nowhere? */
bool runs_flat32(const struct vcpu *v, const struct frame *f);
/* Must the next IRET exit? `inside`: that of the in-guest half is meant. */
bool iret_must_exit(const struct vcpu *v, bool inside);
