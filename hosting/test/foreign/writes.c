/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel whose code changes while it runs: within the block that is executed, in the next block, in a function
 * between its calls, by a repeated string instruction, by a call whose return address is stored into code. SDM 3A,
 * "Handling Self- and Cross-Modifying Code": by the same linear address the change must be effective with the next
 * instruction. Each result and each count is exact. Data next to code must work, too. With "narrow" the monitor sees it
 * from outside. It prints one line for each check, at last PASS or FAIL; then it leaves QEMU through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define TURNS 5000ul
#define COUNTS (EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN)

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    unexpected(vector, *at);
}

static void count_on(bool on)
{
    write_msr(MSR_PERF_GLOBAL_CTRL, on);
}

/* Each returns the sum of the values that it has written in all turns, and writes `turns` down to 1. */
#define TURNS_OF(name, before, behind)                                                   \
    static __attribute__((noinline)) uint64_t name(unsigned long turns)                  \
    {                                                                                    \
        uint64_t sum = 0;                                                                \
        uintptr_t at;                                                                    \
        __asm__ volatile(before "1:\n\tmov %%ecx, (%0)\n\t" behind "dec %%rcx\n\tjnz 1b" \
                         : "=&r"(at), "+c"(turns), "+b"(sum)                             \
                         :                                                               \
                         : "rax", "rdx", "memory", "cc");                                \
        return sum;                                                                      \
    }

/* Writes an immediate of its own block: 6 instructions a turn. */
TURNS_OF(in_block, "lea 2f+1(%%rip), %0\n", "nop\n2:\n\tmov $0, %%eax\n\tadd %%rax, %%rbx\n\t")
/* Writes behind a branch: 7. */
TURNS_OF(behind_branch, "lea 2f+1(%%rip), %0\n",
         "jmp 3f\n\tud2\n3:\n\tnop\n2:\n\tmov $0, %%eax\n\tadd %%rax, %%rbx\n\t")
/* Writes a function before it is called: 7, one of which has the immediate. */
TURNS_OF(in_function, "lea 2f+1(%%rip), %0\n\tjmp 1f\n2:\n\tmov $0, %%eax\n\tret\n", "call 2b\n\tadd %%rax, %%rbx\n\t")
/* Writes data in the page of code: 5. */
TURNS_OF(beside, "lea 2f(%%rip), %0\n\tjmp 1f\n\t.balign 8\n2:\n\t.quad 0\n", "mov (%0), %%rax\n\tadd %%rax, %%rbx\n\t")

static __attribute__((noinline)) uint64_t count(uint64_t (*code)(unsigned long turns), unsigned long turns,
                                                uint64_t *sum)
{
    write_msr(MSR_PMC(0), 0);
    count_on(true);
    *sum = code(turns);
    count_on(false);
    return read_msr(MSR_PMC(0));
}

static void check_turns(const char *what, uint64_t (*code)(unsigned long turns), unsigned each)
{
    uint64_t sum, least = count(code, 1, &sum), most = count(code, TURNS, &sum);
    check(what, sum, TURNS * (TURNS + 1) / 2);
    check("  instructions", most - least, each * (TURNS - 1));
}

/* A string instruction replaces eight instructions, back and forth: INC and DEC of EBX, two bytes each. */
static __attribute__((noinline)) uint64_t by_string(unsigned long turns)
{
    uint64_t sum = 0;
    __asm__ volatile(
        "1:\n\tlea 2f(%%rip), %%rdi\n\tmov $0xc3ff, %%eax\n\ttest $1, %%edx\n\tjz 3f\n\tmov $0xcbff, %%eax\n"
        "3:\n\tmov $8, %%ecx\n\trep stosw\n"
        "2:\n\t.rept 8\n\tinc %%ebx\n\t.endr\n\tdec %%edx\n\tjnz 1b"
        : "+b"(sum), "+d"(turns)
        :
        : "rax", "rcx", "rdi", "memory", "cc");
    return (uint32_t)sum;
}

/* The return address of a function is code, too: a jump by way of the stack, which is in the code. */
static __attribute__((noinline)) uint64_t by_call(unsigned long turns)
{
    uint64_t sum = 0;
    __asm__ volatile("lea 4f(%%rip), %%rax\n\tmov %%rsp, %%rdx\n"
                     "1:\n\tlea 3f(%%rip), %%rsp\n\tcall *%%rax\n\tmov %%rdx, %%rsp\n\tjmp 5f\n"
                     "4:\n\tadd $1, %%rbx\n\tret\n"
                     "2:\n\tmovabs $0, %%rsi\n3:\n\tret\n"
                     "5:\n\tdec %%rcx\n\tjnz 1b"
                     : "+b"(sum), "+c"(turns)
                     :
                     : "rax", "rdx", "rsi", "memory", "cc");
    return sum;
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    print("foreign kernel: code that changes");
    say("magic", magic);
    print("\r\n");
    load_interrupt_table();
    if (has_word(command_line(magic, information), "narrow"))
        forget_high_memory();
    count_on(false);
    write_msr(MSR_PERFEVTSEL(0), COUNTS);
    check_turns("in its own block", in_block, 6);
    check_turns("behind a branch", behind_branch, 7);
    check_turns("a function between its calls", in_function, 7);
    check_turns("data beside code", beside, 5);
    count_on(true);
    check("by a string instruction, an even number of turns", by_string(TURNS), 0);
    check("  an odd one", by_string(TURNS + 1), (uint32_t)-8);
    check("by a call", by_call(TURNS), TURNS);
    count_on(false);
    end();
}
