/* The guest's memory by its linear addresses, and accesses of the monitor's that may fault. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* False if something there is not mapped. */
bool guest_read(struct vcpu *v, void *to, u64 linear, u64 count);
bool guest_write(struct vcpu *v, u64 linear, const void *from, u64 count);
/*
 * Before a guest is viewed: for as long as it is, guest_load(), guest_store() and guest_view_fetch() see its memory
 * from outside, with its rights, at v->vmcb->cpl; the page tables are believed not to change meanwhile.
 */
void guest_view(struct vcpu *v);
u64 guest_view_number(const struct vcpu *v); /* of views */
/* The 16 bytes of an instruction through the view; false if they are not all there, or may not be executed. */
bool guest_view_fetch(struct vcpu *v, u64 to[2], u64 rip);
/*
 * Are the bytes at `rip`, which may be executed now or could be before, these? Not more than a page. Where nothing is
 * there any more CR2 has changed.
 */
bool guest_code_is(struct vcpu *v, u64 rip, const void *bytes, u64 count);
/* Is all of [base, end) mapped at its own address, for the supervisor to read, write and execute? */
bool guest_identity(const struct vcpu *v, u64 base, u64 end);
/* Was this #PF or #GP inside one of the below, or in a register access that may fault? Then f is sent to its error
 * return. */
bool guest_copy_fault(struct frame *f);

/* ---- guest_memory.asm */

/* Copies between addresses of the current address space; false if it faults. */
bool guest_copy(void *to, const void *from, u64 count);
/* 1, 2, 4 or 8 bytes likewise, in one access. */
bool direct_load(u64 *value, u64 address, u64 size);
bool direct_store(u64 address, u64 value, u64 size);
/* Are there the same bytes at the second address? */
bool direct_same(const void *bytes, const void *there, u64 count);
/* XMM0 to 15. */
void guest_xmm(u64 to[16][2]);
/* 16 bytes at once: instructions. */
bool guest_fetch(u64 to[2], const void *from);
/* RDMSR of the machine's own registers, whatever became of the kernel's accessors. */
bool native_rdmsr(u32 msr, u64 *value);
