/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Integer arithmetic with its flags, by the CPU's own instructions, so that results and flags are what they would have
 * been. Pure.
 */
#pragma once

#include "boot/cpu.h"
#include "reference/step/interpreter/operation.h"

/*
 * a `function` b on operands of `size` bytes (1, 2, 4, 8); updates the status flags in *rflags. Bits of the result
 * above its size are undefined. Not for DO_MUL_WIDE, DO_IMUL_WIDE.
 */
u64 arithmetic(enum function function, unsigned size, u64 a, u64 b, u64 *rflags);
/* Double-width product of *low and b into *low and *high; size 2, 4 or 8. */
void arithmetic_wide(enum function function, unsigned size, u64 *low, u64 *high, u64 b, u64 *rflags);
/* The status flags as LAHF and SETO leave them in AH and AL: saved and restored by code around an instruction. */
u32 flags_pack(u64 rflags);
void flags_unpack(u32 flags, u64 *rflags);
/* Does the condition of Jcc, SETcc or CMOVcc (the opcode's low four bits) hold? */
bool condition_holds(unsigned condition, u64 rflags);
