/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fault as one value: 0 means that nothing happened; otherwise it holds bit 31, the vector and the error code. This
 * makes it easy to compare faults and to print "#GP[0000]". Pure.
 */
#pragma once

#include "boot/bits.h"

typedef u32 fault_t;

#define NO_FAULT 0u
#define FAULT(vector, error) (0x80000000u | ((u32)(vector) << 16) | ((error)&0xffffu))
#define FAULT_VECTOR(fault) (((fault) >> 16) & 0xffu)
#define FAULT_ERROR(fault) ((fault)&0xffffu)
#define FAULT_GP FAULT(13, 0)
/* Not a hardware fault: the write gate refused the WRMSR, so it was not executed. */
#define FAULT_REFUSED 0x40000000u

#define FAULT_TEXT_SIZE 16
/* Writes "#GP[0000]", "#UD", "refused" or "nothing" into text (FAULT_TEXT_SIZE bytes) and returns it. */
const char *fault_text(fault_t fault, char *text);
