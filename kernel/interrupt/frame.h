/* SPDX-License-Identifier: BSD-2-Clause */
/* The stack frame that an interrupt stub builds for C: general registers, vector, error code, the CPU's own frame. */
#pragma once

#include "boot/bits.h"

struct frame {
    u64 r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    u64 vector, error;
    u64 rip, cs, rflags, rsp, ss;
};
