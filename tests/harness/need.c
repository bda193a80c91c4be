/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/need.h"
#include "kernel/register/cpuid.h"

#define CPUID_7_EDX_RTM_ALWAYS_ABORT BIT(11)

void need_transactions(struct test *t)
{
    struct cpuid_regs leaf7 = cpuid(7, 0);
    if (!t->caps->rtm || leaf7.edx & CPUID_7_EDX_RTM_ALWAYS_ABORT)
        skip(t, "CPUID.07H:EBX=0x%08x:EDX=0x%08x: no transactions", leaf7.ebx, leaf7.edx);
}
