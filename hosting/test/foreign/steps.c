/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that single-steps itself, as a debugger does: SDM 3B, "Single-Step Exception Condition". Each
 * instruction below begins with TF set, and its #DB has to come right behind it and not an instruction later:
 * instructions for which a hypervisor exits and which it executes itself, and plain ones as well. While nothing counts
 * and while a counter does. It prints one line for each check, at last PASS or FAIL; then it leaves QEMU through
 * isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define VECTOR_DB 1
#define VECTOR_GP 13
#define TF 0x100ul
#define FLAGS 2 /* RFLAGS in an interrupt's frame, in words above RIP */
#define COUNTS (EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN)
#define NO_REGISTER 0x12345 /* an MSR that does not exist */

static volatile uintptr_t trapped, reason, faulted_at;
static volatile unsigned traps, faults;

/* Its first trap tells where; it ends there. */
void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    if (vector == VECTOR_DB) {
        uintptr_t dr6;
        __asm__ volatile("mov %%dr6, %0" : "=r"(dr6));
        if (!traps++)
            trapped = *at;
        reason = dr6;
        __asm__ volatile("mov %0, %%dr6" : : "r"(0xffff0ff0ul));
        at[FLAGS] &= ~TF;
    } else if (vector == VECTOR_GP) {
        faults++;
        faulted_at = *at;
        *at += 2;
        at[FLAGS] &= ~TF;
    } else {
        unexpected(vector, *at);
    }
}

static void begin(void)
{
    traps = faults = 0;
    trapped = reason = 0;
}

static void judge(const char *what, uintptr_t behind)
{
    check(what, trapped, behind);
    check("  by a single step", reason & DR6_BS, DR6_BS);
    check("  once", traps, 1);
}

/* `code` is one instruction; its operands are in RAX, RCX and RDX. */
#define STEP(code, a, c)                                                                        \
    do {                                                                                        \
        uintptr_t behind, rax = (a), rcx = (c), rdx = 0;                                        \
        begin();                                                                                \
        __asm__ volatile("lea 1f(%%rip), %0\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t" code \
                         "\n1:\n\tnop\n\tnop\n\tnop"                                            \
                         : "=&r"(behind), "+a"(rax), "+c"(rcx), "+d"(rdx)                       \
                         :                                                                      \
                         : "rbx", "memory", "cc");                                              \
        judge(code, behind);                                                                    \
    } while (0)

/* An instruction that faults has its fault, and no trap. */
static void step_fault(void)
{
    uintptr_t here, rcx = NO_REGISTER;
    begin();
    __asm__ volatile("lea 1f(%%rip), %0\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n1:\n\trdpmc\n\tnop"
                     : "=&r"(here), "+c"(rcx)
                     :
                     : "rax", "rdx", "memory", "cc");
    check("one that faults", faulted_at, here);
    check("  once, and not stepped", faults == 1 && !traps, true);
}

static void step_return(void)
{
    uintptr_t behind;
    begin();
    __asm__ volatile(
        "mov %%ss, %%eax\n\tmov %%rsp, %%rcx\n\tpushq %%rax\n\tpushq %%rcx\n\tpushfq\n\tpushq $8\n\t"
        "lea 1f(%%rip), %0\n\tpushq %0\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tiretq\n1:\n\tnop\n\tnop"
        : "=&r"(behind)
        :
        : "rax", "rcx", "memory", "cc");
    judge("iretq", behind);
}

static void step_all(uintptr_t apic)
{
    uintptr_t cr0, cr4;
    __asm__ volatile("mov %%cr0, %0\n\tmov %%cr4, %1" : "=r"(cr0), "=r"(cr4));
    STEP("nop", 0, 0);
    STEP("cpuid", 0, 0);
    STEP("rdmsr", 0, MSR_PERF_GLOBAL_STATUS);
    STEP("wrmsr", 0, MSR_PMC(1));
    STEP("rdpmc", 0, 1);
    STEP("rdtsc", 0, 0);
    STEP("rdtscp", 0, 0);
    STEP("pause", 0, 0);
    STEP("mov %%cr4, %%rax", 0, 0);
    STEP("mov %%rax, %%cr4", cr4, 0);
    STEP("mov %%cr0, %%rax", 0, 0);
    STEP("mov %%rax, %%cr0", cr0, 0);
    STEP("sgdt -64(%%rsp)", 0, 0);
    STEP("hlt", 0, 0);
    STEP("mov %%eax, (%%rcx)", LVT_MASKED, apic + APIC_LVT_LINT0);
    STEP("mov (%%rcx), %%eax", 0, apic + APIC_LVT_TIMER);
    STEP("rep stosb", 0, 0);
    step_return();
    step_fault();
}

/* MONITOR's address is in RAX, and MWAIT's hints are 0 there. */
static void step_mwait(void)
{
    static volatile uint64_t watched;
    __asm__ volatile("monitor" : : "a"(&watched), "c"(0), "d"(0));
    STEP("mwait", 0, 0);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    print("foreign kernel: single steps");
    say("magic", magic);
    print("\r\n");
    (void)information;
    load_interrupt_table();
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    write_msr(MSR_PERFEVTSEL(0), COUNTS);
    step_all(APIC_PAGE);
    step_mwait();
    print("counting\r\n");
    write_msr(MSR_PERF_GLOBAL_CTRL, 1);
    step_all(APIC_PAGE);
    step_mwait();
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    end();
}
