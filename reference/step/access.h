/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses by a stepper to memory and registers that may fault: each function returns false then. Its trap handler asks
 * access_fault() first. These instructions are the machine's own, whatever became of the kernel's accessors.
 */
#pragma once

#include "kernel/interrupt/frame.h"

/* Was this #PF or #GP in one of the functions below? Then f is sent to its error return. */
bool access_fault(struct frame *f);

/* Copies between addresses of the current address space. */
bool guest_copy(void *to, const void *from, u64 count);
/* Access 1, 2, 4 or 8 bytes at once. */
bool direct_load(u64 *value, u64 address, u64 size);
bool direct_store(u64 address, u64 value, u64 size);
/* Are the bytes at `there` the same? */
bool direct_same(const void *bytes, const void *there, u64 count);
/* Stores XMM0 to 15. */
void guest_xmm(u64 to[16][2]);
/* Reads 16 bytes of code. */
bool guest_fetch(u64 to[2], const void *from);
bool native_rdmsr(u32 msr, u64 *value);
/*
 * RDMSR or WRMSR of the machine's own register by a frame's ECX, EDX and EAX. It repeats an instruction that has passed
 * the gate of the code that is stepped, so there is no function that writes any register with any value.
 */
bool natively(struct frame *f, bool write);
/* CPUID: EAX, EBX, ECX, EDX. */
void native_cpuid(u32 leaf, u32 subleaf, u32 to[4]);
