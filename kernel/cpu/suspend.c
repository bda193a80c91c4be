/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's sleep in S3, and everything that it takes to go on afterwards. */
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/clock.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"

#define STACK 8192

static u8 stack[STACK] __attribute__((aligned(16))); /* only until it has woken */
static void *context[5];                             /* for the compiler's setjmp */

static void wake(void)
{
    __builtin_longjmp(context, 1);
}

const char *suspend_unavailable(void)
{
    return cpus_await_boot_cpu((u64)stack + STACK) ? power_sleep_unavailable()
                                                   : "there is no page below 1 MiB to wake in";
}

/* Returns whether the machine slept. */
static bool fall_asleep(u32 seconds)
{
    cpus_boot_cpu_wakes = wake;
    if (__builtin_setjmp(context))
        return true;
    power_sleep(cpus_await_boot_cpu((u64)stack + STACK), seconds);
    return false;
}

static void resume(u64 before)
{
    struct cpu_set all = cpus_all();
    time_resume(before);
    legacy_interrupts_mask();
    cpus_restart(&all);
}

bool suspend(u32 seconds)
{
    u64 flags = interrupts_off(), before = time_now();
    log_drain();
    bool slept = fall_asleep(seconds);
    if (slept)
        resume(before);
    cpus_boot_cpu_wakes = NULL;
    rtc_alarm_off();
    interrupts_restore(flags);
    return slept;
}
