/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Executes an instruction on a frame of saved registers, in place of the CPU. What faults, and accesses to one page,
 * are left to the CPU. Pure but for guest memory, which the caller supplies.
 */
#pragma once

#include "kernel/interrupt/frame.h"
#include "reference/step/interpreter/copy.h"
#include "reference/step/interpreter/operation.h"

/* The general register with this number, 0 to 15. */
u64 *frame_register(struct frame *f, unsigned number);
/* Linear address of the operand in memory, before the instruction at f->rip executes. */
u64 operation_address(const struct operation *o, struct frame *f);
/* Is it a canonical address? A jump to any other faults, with RIP still at the jump. */
static inline bool is_canonical(u64 address)
{
    return (u64)((s64)(address << 16) >> 16) == address;
}

/* ---- Guest memory: 1, 2, 4 or 8 bytes in one access; false if it faults, or must be left to the CPU. */
bool guest_load(u64 *value, u64 address, u64 size);
bool guest_store(u64 address, u64 value, u64 size);
/*
 * Finds where the monitor can access the `size` bytes at `address`; false if the CPU must make the access. It may still
 * fault.
 */
bool guest_reach(u64 *where, u64 address, u64 size, bool store);
/*
 * Repeats of MOVS and STOS upwards, where guest_reach() leads, within one page on each side: `size` is 1, 2, 4 or 8
 * bytes. False if the first one faults, or the CPU must make the access; then nothing is stored.
 */
bool guest_move(u64 to, u64 from, u64 count, u64 size);
bool guest_fill(u64 to, u64 value, u64 count, u64 size);
/* Executes a copy; false if it faults, or must be left to the CPU. */
bool guest_copied(const struct copy *copy, struct copy_state *state);
/* Base of FS or GS, by the segment's prefix. */
u64 guest_segment(u8 prefix);
/* The results of RDTSC and STR. */
u64 guest_rdtsc(void);
u64 guest_task(void);

/*
 * Executes `o`, the instruction at f->rip, at the frame's privilege level. True: RIP is behind it or at the jump's
 * target, or unchanged if it is repeated and has iterations left. False: nothing has changed, and the CPU must execute
 * it. Operands in the 4 KiB page at `watched` are not accessed.
 */
bool interpret(const struct operation *o, struct frame *f, u64 watched);
