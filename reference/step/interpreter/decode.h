/* SPDX-License-Identifier: BSD-2-Clause */
/* Just enough decoding to step exactly: the kind of an instruction, and its length if the monitor needs it. Pure. */
#pragma once

#include "boot/bits.h"
#include "reference/model/model.h"

enum instruction_kind {
    KIND_PLAIN,
    KIND_BRANCH,     /* near: conditional, jump, call, return, LOOP */
    KIND_FAR_BRANCH, /* far jump, call, return */
    KIND_REP_STRING,
    KIND_PUSHF,
    KIND_POPF,
    KIND_X87_POINTERS, /* FNSTENV, FNSAVE */
    KIND_IRETQ,
    KIND_IRET, /* operand sizes other than 64 bit */
    KIND_SYSCALL,
    KIND_SYSRETQ,
    KIND_INT, /* INT n, INT3 */
    KIND_HLT,
    KIND_PAUSE,
    KIND_CPUID,
    KIND_RDMSR,
    KIND_WRMSR,
    KIND_RDPMC,
    KIND_RDTSC,
    KIND_RDTSCP,
    KIND_XBEGIN,
    KIND_XABORT,
    KIND_SHADOW, /* STI, MOV SS, LSS: the next instruction completes before a trap is taken */
};

struct instruction {
    enum instruction_kind kind;
    enum branch_type branch; /* KIND_BRANCH */
    u8 length;               /* 0 if not needed: kinds that are stepped by the CPU and never jump, or always jump */
    u8 vector;               /* KIND_INT; KIND_XABORT: its argument */
    bool simple;             /* nothing to emulate or correct: KIND_PLAIN, KIND_BRANCH, KIND_FAR_BRANCH */
    bool word;               /* operand size 16: PUSHF, POPF */
};

/* The code segment's default size of operands and addresses. */
enum code_width { CODE_64, CODE_32, CODE_16 };

#define INSTRUCTION_MAX 15
/* Decodes 64-bit code from `bytes`, of which `count` are readable. Unknown or cut instructions are KIND_PLAIN. */
struct instruction decode(const u8 *bytes, unsigned count);
/* The same for code of the other widths. */
struct instruction decode_legacy(const u8 *bytes, unsigned count, enum code_width width);
/* As what the CPU's own execution of it is reported; emulated kinds know better themselves. */
enum retired_kind instruction_retired(const struct instruction *i);
