/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's memory by linear addresses, and accesses by the monitor that may fault. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* False if part of the range is not mapped. */
bool guest_read(struct vcpu *v, void *to, u64 linear, u64 count);
bool guest_write(struct vcpu *v, u64 linear, const void *from, u64 count);
/*
 * Begins a new view. While the guest is viewed, guest_load(), guest_store() and guest_view_fetch() see its memory from
 * outside, with the rights of v->vmcb->cpl; the page tables are assumed not to change meanwhile.
 */
void guest_view(struct vcpu *v);
u64 guest_view_number(const struct vcpu *v); /* number of the current view */
/* The 16 bytes of an instruction through the view; false if they are not all readable, or must not be executed. */
bool guest_view_fetch(struct vcpu *v, u64 to[2], u64 rip);
/*
 * Are the `count` bytes at `rip`, code that may be or could be executed, the same as `bytes`? At most a page. If `rip`
 * is no longer mapped, CR2 has changed.
 */
bool guest_code_is(struct vcpu *v, u64 rip, const void *bytes, u64 count);
/* Is all of [base, end) mapped at its own address, for the supervisor to read, write and execute? */
bool guest_identity(const struct vcpu *v, u64 base, u64 end);
/* Was this #PF or #GP inside one of the functions below, or in a register access that may fault? Then f is sent to its
 * error return. */
bool guest_copy_fault(struct frame *f);

/* ---- guest_memory.asm */

/* Copies between addresses of the current address space; false if it faults. */
bool guest_copy(void *to, const void *from, u64 count);
/* Access 1, 2, 4 or 8 bytes at once; false if it faults. */
bool direct_load(u64 *value, u64 address, u64 size);
bool direct_store(u64 address, u64 value, u64 size);
/* Are the bytes at `there` the same? False, too, if it faults. */
bool direct_same(const void *bytes, const void *there, u64 count);
/* Stores XMM0 to 15. */
void guest_xmm(u64 to[16][2]);
/* Reads 16 bytes of code; false if it faults. */
bool guest_fetch(u64 to[2], const void *from);
/* RDMSR of the machine's own registers, whatever became of the kernel's accessors. */
bool native_rdmsr(u32 msr, u64 *value);
