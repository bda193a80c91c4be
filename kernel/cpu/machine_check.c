#include "kernel/cpu/machine_check.h"
#include "boot/cpu.h"
#include "kernel/cpu/cpuid.h"
#include "kernel/cpu/interrupt.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/percpu.h"

/*
 * Counts the event, which makes the running block unclean. MCIP must be cleared before the next one, or the CPU shuts
 * down. The banks are left for whoever reads them after us. Without RIPV the interrupted code cannot go on: its test
 * ends.
 */
static void machine_check(struct frame *frame)
{
    u64 status = 0;
    percpu()->counts.machine_checks++;
    bool known = rdmsr_try(MSR_MCG_STATUS, &status) == NO_FAULT;
    if (known)
        wrmsr_try(MSR_MCG_STATUS, 0);
    if (!known || !(status & MCG_STATUS_RIPV))
        interrupt_end_guarded(frame);
}

void machine_check_init(void)
{
    if (cpuid_has(CPUID_MCE))
        interrupt_handle(VECTOR_MC, machine_check);
}
