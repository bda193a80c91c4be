/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs drawn at random have any stack pointer. Not every machine can return to one that is not canonical: a signal
 * in the middle of such a program then ends in a fault of its own. There, and with CANONICAL_STACK in the environment,
 * only canonical ones are drawn.
 */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* names of registers */
#endif
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <ucontext.h>

static struct {
    sigjmp_buf back;
    bool left;
} any_stack_probe;

/* First continues with such a stack pointer; the trap behind the next instruction, or the fault, comes here. */
static void any_stack_signal(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    (void)info;
    if (any_stack_probe.left)
        siglongjmp(any_stack_probe.back, number == SIGTRAP ? 1 : 2);
    any_stack_probe.left = true;
    c->uc_mcontext.gregs[REG_RSP] = (greg_t)0x8000000000000000;
    c->uc_mcontext.gregs[REG_EFL] |= 0x100;
}

/* Can a program here have any stack pointer? The signals' handlers have to be set again afterwards. */
static inline bool any_stack(void)
{
    static unsigned char stack[65536];
    static const int numbers[] = {SIGUSR1, SIGTRAP, SIGSEGV, SIGBUS};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
    struct sigaction action = {.sa_sigaction = any_stack_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaction(numbers[i], &action, NULL);
    any_stack_probe.left = false;
    int came = sigsetjmp(any_stack_probe.back, 1);
    if (!came)
        raise(SIGUSR1);
    return came == 1;
}

/* Must stack pointers be canonical? Asks once; the signals' handlers have to be set again afterwards. */
static inline bool only_canonical_stacks(void)
{
    static int only = -1;
    if (only < 0)
        only = getenv("CANONICAL_STACK") || !any_stack();
    return only;
}
