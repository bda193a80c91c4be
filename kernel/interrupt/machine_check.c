/* SPDX-License-Identifier: BSD-2-Clause */
/* Machine checks: handled, logged and, if the CPU allows it, survived. */
#include "boot/cpu.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"

u32 machine_check_banks(u64 capabilities)
{
    u32 count = capabilities & MCG_CAP_COUNT;
    return count < MACHINE_CHECK_BANKS ? count : MACHINE_CHECK_BANKS;
}

static void add(char *text, const char *key, u64 value)
{
    size_t length = strlen(text);
    format_text(text + length, MACHINE_CHECK_TEXT - length, " %s=0x%lx", key, value);
}

const char *machine_check_text(const struct machine_check *check, char *text)
{
    if (check->bank == MACHINE_CHECK_NO_BANK) {
        format_text(text, MACHINE_CHECK_TEXT, "bank=none");
    } else {
        format_text(text, MACHINE_CHECK_TEXT, "bank=%u status=0x%lx", check->bank, check->status);
        if (check->status & MC_STATUS_ADDRESS_VALID)
            add(text, "address", check->address);
        if (check->status & MC_STATUS_MISC_VALID)
            add(text, "misc", check->misc);
    }
    add(text, "mcg-status", check->global);
    return text;
}

static void keep(const struct machine_check *check)
{
    struct machine_checks *all = &cpu_state()->machine_checks;
    if (all->count == MACHINE_CHECKS_KEPT)
        all->dropped++;
    else
        all->kept[all->count++] = *check;
}

static u64 read_if(bool valid, u32 msr)
{
    u64 value = 0;
    if (valid)
        rdmsr_try(msr, &value);
    return value;
}

/* Address and further information exist only if the status says so: on some CPUs a read of them faults otherwise. */
static bool keep_bank(u32 bank, u64 global)
{
    u64 status = read_if(true, MSR_MC_STATUS(bank));
    if (!(status & MC_STATUS_VALID))
        return false;
    keep(&(struct machine_check){
        .global = global,
        .bank = (u8)bank,
        .status = status,
        .address = read_if(status & MC_STATUS_ADDRESS_VALID, MSR_MC_ADDR(bank)),
        .misc = read_if(status & MC_STATUS_MISC_VALID, MSR_MC_MISC(bank)),
    });
    return true;
}

/* Returns how many banks hold an error. A CPU may have machine checks without the banks of the architecture. */
static u32 keep_banks(u64 global)
{
    u32 found = 0;
    u64 capabilities = read_if(cpuid_has(CPUID_MCA), MSR_MCG_CAP);
    for (u32 bank = 0; bank < machine_check_banks(capabilities); bank++)
        found += keep_bank(bank, global);
    return found;
}

void machine_check_look(void)
{
    u64 global = read_if(cpuid_has(CPUID_MCA), MSR_MCG_STATUS);
    keep_banks(global);
}

/*
 * Counts the event, so that the running block counts as disturbed, and stores the banks' content. MCIP must be cleared
 * before the next machine check, or the CPU shuts down. The banks are not cleared: the next system can read them.
 * Without RIPV the interrupted code cannot go on, so its test ends.
 */
static void machine_check(struct frame *frame)
{
    u64 status = 0;
    bool known = rdmsr_try(MSR_MCG_STATUS, &status) == NO_FAULT;
    if (!keep_banks(status))
        keep(&(struct machine_check){.global = status, .bank = MACHINE_CHECK_NO_BANK});
    if (known)
        system_wrmsr_try(MSR_MCG_STATUS, 0);
    cpu_state()->counts.machine_checks++; /* last, so that another CPU that sees the count finds the stored banks */
    if (!known || !(status & MCG_STATUS_RIPV))
        interrupt_end_guarded(frame);
}

void machine_check_init(void)
{
    if (cpuid_has(CPUID_MCE))
        interrupt_handle(VECTOR_MC, machine_check);
}

const struct machine_checks *machine_checks_of(u32 cpu)
{
    return &cpu_state_of(cpu)->machine_checks;
}

void machine_checks_forget(u32 cpu)
{
    cpu_state_of(cpu)->machine_checks = (struct machine_checks){0};
}
