/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copied instructions on the build machine: executed from a page of their own, with vector and x87 registers that are
 * set before and saved after, since the test itself uses them. The including file calls copy_fault() from its signal
 * handler.
 */
#pragma once

#include "reference/step/interpreter/interpret.h"
#include <asm/prctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define VECTOR_STATE 832 /* as XSAVE stores x87, SSE and AVX: SDM 1, "XSAVE Area" */
#define XSTATE_AT 512
#define XSTATE_HEADER 64
#define XSTATE_ALL 7
#define MXCSR_AT 24
#define X87_POINTERS_AT 6 /* last x87 instruction's opcode, address and operand; the copy's */
#define X87_POINTERS_END 24
#define VECTOR_STATE_USED 416

static u8 vectors_given[VECTOR_STATE] __attribute__((aligned(64)));
static u8 vectors_found[VECTOR_STATE] __attribute__((aligned(64)));
static u8 *copy_code;

/* Compiled code uses vector registers: none may run in between. */
static inline void exchange_vectors(u8 *save, const u8 *load)
{
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("xsave64 (%0)\n\txrstor64 (%1)" : : "r"(save), "r"(load), "a"(XSTATE_ALL), "d"(0) : "memory");
    else
        __asm__ volatile("fxsave64 (%0)\n\tfxrstor64 (%1)" : : "r"(save), "r"(load) : "memory");
}

/* The part of a signal's context that is set, as it has other contents in between. */
static inline void copy_vectors(u8 *to, const u8 *from)
{
    memcpy(to, from, VECTOR_STATE_USED);
    if (!__builtin_cpu_supports("avx"))
        return;
    to[XSTATE_AT] |= XSTATE_ALL;
    memcpy(to + XSTATE_AT + XSTATE_HEADER, from + XSTATE_AT + XSTATE_HEADER, VECTOR_STATE - XSTATE_AT - XSTATE_HEADER);
}

bool guest_copied(const struct copy *copy, struct copy_state *s)
{
    static u8 own[VECTOR_STATE] __attribute__((aligned(64)));
    u32 back = COPY_RETURN;
    if (!copy_code)
        copy_code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(copy_code, copy->bytes, copy->length);
    memcpy(copy_code + copy->length, &back, sizeof(back));
    exchange_vectors(own, vectors_given);
    bool done = copy_enter(s, copy_code);
    exchange_vectors(vectors_found, own);
    return done;
}

u64 guest_segment(u8 prefix)
{
    u64 start = 0;
    syscall(SYS_arch_prctl, prefix == 0x64 ? ARCH_GET_FS : ARCH_GET_GS, &start);
    return start;
}

/* Was this signal a fault of the copy? Then execution continues where the monitor would. */
static inline bool copy_fault(ucontext_t *context)
{
    if (!copy_code || (u64)context->uc_mcontext.gregs[REG_RIP] - (u64)copy_code >= 4096)
        return false;
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)copy_failed;
    return true;
}
