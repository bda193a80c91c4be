/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the CPUs' TSCs are apart: those of which there is the same to say in one line, with the one furthest off. */
#include "harness/report/fold.h"
#include "harness/report/report.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"

#define APART_TEXT 96

static u64 size(s64 ticks)
{
    return ticks < 0 ? 0 - (u64)ticks : (u64)ticks;
}

static const struct tsc_apart *furthest(const struct cpu_set *cpus, u32 first)
{
    const struct tsc_apart *most = tsc_apart_of(first);
    for (u32 cpu = first; cpu < cpu_count(); cpu++)
        if (cpu_set_has(cpus, cpu) && size(tsc_apart_of(cpu)->ticks) > size(most->ticks))
            most = tsc_apart_of(cpu);
    return most;
}

static void print_line(const struct cpu_set *cpus, const struct tsc_apart *apart)
{
    char text[CPU_SET_TEXT], value[APART_TEXT] = "unknown", adjustment[24] = "none";
    const char *sign = apart->ticks < 0 ? "-" : "";
    u64 ticks = size(apart->ticks), us = time_us(ticks);
    if (apart->known)
        format_text(value, sizeof(value), "%s%lu bound=%lu us=%s%lu", sign, ticks, apart->bound, us ? sign : "", us);
    if (apart->adjusts)
        format_text(adjustment, sizeof(adjustment), "0x%lx", apart->adjustment);
    log_line("# tsc cpus=%s tsc-apart=%s tsc-adjust=%s", cpu_set_text(cpus, text, sizeof(text)), value, adjustment);
}

static bool already_logged(const struct cpu_set *all, u32 cpu)
{
    for (u32 other = 0; other < cpu; other++)
        if (cpu_set_has(all, other) && tsc_apart_alike(tsc_apart_of(other), tsc_apart_of(cpu)))
            return true;
    return false;
}

void machine_print_clocks(void)
{
    struct cpu_set all = cpus_all();
    bool far = false;
    for (u32 first = 0; first < cpu_count(); first++) {
        struct cpu_set cpus = {0};
        if (!cpu_set_has(&all, first) || already_logged(&all, first))
            continue;
        for (u32 cpu = first; cpu < cpu_count(); cpu++)
            if (cpu_set_has(&all, cpu) && tsc_apart_alike(tsc_apart_of(first), tsc_apart_of(cpu)))
                cpu_set_add(&cpus, cpu);
        print_line(&cpus, furthest(&cpus, first));
        far |= tsc_apart_far(tsc_apart_of(first));
    }
    if (far)
        report_reason(REASON_FIRMWARE_TSC);
}
