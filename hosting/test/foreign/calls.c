/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel with a program at CPL 3 that calls it: by SYSCALL and by INT n, as under an operating system, with
 * SWAPGS, two address spaces, flags, and cleared buffers on the way. The number of instructions that each side retires
 * is known, and is counted for each side alone and for both. With "narrow" the monitor sees it from outside; "long" has
 * more calls, to measure the speed, and "free" does not count them. It prints one line for each check, at last PASS or
 * FAIL; then it leaves QEMU through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define FLAG_IF 0x200
#define TASK 0x38
#define VECTOR_CALL 0x3d
#define VECTOR_END 0x3c
#define PAGE_USER 4
#define CALLS 100ul
#define CALLS_LONG 50000ul
#define ADDRESS 0xffffffffff000ull

/* Where the program begins, and where its calls lead. */
extern const uint8_t program[], call_entry[], interrupt_entry[], end_entry[];
/* Runs the program with this number of calls by SYSCALL and by INT n. Returns when it ends. */
void run_program(unsigned long calls, unsigned long interrupts);

/*
 * The program retires 6 instructions for each call and 5 for each interrupt, the kernel 34 and 15: counted line by line
 * below.
 */
#define USER_CALL 6
#define USER_INTERRUPT 5
#define KERNEL_CALL 34
#define KERNEL_INTERRUPT 15

__asm__(
    ".text\n"
    "program:\n"
    "1:\ttest %r12, %r12\n\tjz 2f\n\tmov %r12d, %eax\n\tsyscall\n\tdec %r12\n\tjmp 1b\n"
    "2:\ttest %r13, %r13\n\tjz 3f\n\tint $0x3d\n\tdec %r13\n\tjmp 2b\n"
    "3:\tint $0x3c\n"
    "call_entry:\n"
    "\tswapgs\n\tmov %rsp, %gs:8\n\tmov %cr3, %rsp\n\tmov %rsp, %cr3\n\tmov %gs:0, %rsp\n\tpush %rcx\n\tpush %r11\n"
    "\tpushfq\n\tpop %rdx\n\tsti\n\tnop\n\tcli\n\tpush %rdx\n\tpopfq\n"
    "\tcld\n\tmov %eax, %ebx\n\tand $0xf0, %bh\n\ttest $1, %bh\n\tmov %bh, %cl\n\tcall 4f\n"
    "\tverw 6f(%rip)\n\tmov %cr2, %rdx\n\tmov %cr0, %rdx\n"
    "\tpop %r11\n\tpop %rcx\n\tmov %cr3, %rdx\n\tmov %rdx, %cr3\n\tmov %gs:8, %rsp\n\tswapgs\n\tsysretq\n"
    "4:\tlea 1(%rbx), %rax\n\tmov %rax, -8(%rsp)\n\tmov -8(%rsp), %rdx\n\tret\n"
    "interrupt_entry:\n"
    "\tswapgs\n\tpush %rax\n\tpush %rdx\n\tmov %cr3, %rax\n\tmov %rax, %cr3\n\tcld\n\tpushfq\n\tsti\n\tnop\n\tpopfq\n"
    "\tlfence\n\tpop %rdx\n\tpop %rax\n\tswapgs\n\tiretq\n"
    "end_entry:\n"
    "\tswapgs\n\tmov %gs:16, %rsp\n\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\tret\n"
    "run_program:\n"
    "\tpush %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\tmov %rsp, %gs:16\n"
    "\tmov %rdi, %r12\n\tmov %rsi, %r13\n\tmov %rsp, %rax\n\tswapgs\n\tpush $0x2b\n\tpush %rax\n\tpush $0x202\n\tpush "
    "$0x33\n"
    "\tlea program(%rip), %rax\n\tpush %rax\n\tiretq\n"
    ".balign 4\n"
    "6:\t.word 0x10, 0\n");

static struct {
    uint64_t stack, program_stack, return_stack;
} own;
static uint8_t kernel_stack[4096] __attribute__((aligned(16)));
static uint64_t task[13];
static uint64_t segments[9] = {
    0, 0x00af9b000000ffff, 0x00cf93000000ffff, 0x00cf9b000000ffff, 0, 0x00cff3000000ffff, 0x00affb000000ffff, 0, 0};

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    unexpected(vector, *at);
}

/* The program may access everything that entry.asm has mapped. */
static void open_to_program(uint64_t *table, unsigned levels)
{
    for (unsigned i = 0; i < 512; i++) {
        if (!(table[i] & 1))
            continue;
        table[i] |= PAGE_USER;
        if (levels > 1)
            open_to_program((uint64_t *)(table[i] & ADDRESS), levels - 1);
    }
}

static void prepare_tables(void)
{
    static struct __attribute__((packed)) {
        uint16_t limit;
        uintptr_t base;
    } pointer = {sizeof(segments) - 1, 0};
    uint64_t top = (uintptr_t)kernel_stack + sizeof(kernel_stack), at = (uintptr_t)task, cr3;
    __asm__ volatile("mov %%cr3, %0" : "=r"(cr3));
    open_to_program((uint64_t *)cr3, 3);
    __asm__ volatile("mov %0, %%cr3" : : "r"(cr3) : "memory");
    ((uint32_t *)task)[1] = (uint32_t)top; /* RSP0 */
    segments[7] = 0x0000890000000067 | (at & 0xffffff) << 16 | (at >> 24 & 0xff) << 56;
    segments[8] = at >> 32;
    pointer.base = (uintptr_t)segments;
    __asm__ volatile("lgdt %0\n\tltr %w1" : : "m"(pointer), "r"(TASK));
    own.stack = top;
}

static void prepare(void)
{
    out8(0x21, 0xff);
    out8(0xa1, 0xff);
    prepare_tables();
    load_interrupt_table();
    set_entry(VECTOR_CALL, (uintptr_t)interrupt_entry);
    set_entry(VECTOR_END, (uintptr_t)end_entry);
    idt[VECTOR_CALL].type = idt[VECTOR_END].type = 0xee00;
    write_msr(MSR_GS_BASE, (uintptr_t)&own);
    write_msr(MSR_KERNEL_GS_BASE, 0);
    write_msr(MSR_EFER, read_msr(MSR_EFER) | EFER_SCE);
    write_msr(MSR_STAR, 0x20ull << 48 | 8ull << 32);
    write_msr(MSR_LSTAR, (uintptr_t)call_entry);
    write_msr(MSR_FMASK, FLAG_IF);
}

static __attribute__((noinline)) uint64_t count(unsigned long calls, unsigned long interrupts)
{
    write_msr(MSR_PMC(0), 0);
    write_msr(MSR_PERF_GLOBAL_CTRL, 1);
    run_program(calls, interrupts);
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    return read_msr(MSR_PMC(0));
}

static void check_rings(const char *what, uint64_t rings, unsigned call, unsigned interrupt)
{
    write_msr(MSR_PERFEVTSEL(0), EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_EN | rings);
    uint64_t least = count(1, 1);
    check(what, count(CALLS + 1, 1) - least, CALLS * call);
    check("  by interrupts", count(1, CALLS + 1) - least, CALLS * interrupt);
}

static void measure(const char *what, uint64_t rings, unsigned call)
{
    write_msr(MSR_PERFEVTSEL(0), EVTSEL_EVENT(EVENT_INSTRUCTIONS) | (rings ? EVTSEL_EN | rings : 0));
    uint64_t least = count(1, 0);
    check(what, count(CALLS_LONG + 1, 0) - least, rings ? CALLS_LONG * call : 0);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    const char *line = command_line(magic, information);
    print("foreign kernel: calls of the system\r\n");
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    prepare();
    if (has_word(line, "narrow"))
        forget_high_memory();
    check_rings("the program's side", EVTSEL_USR, USER_CALL, USER_INTERRUPT);
    check_rings("the kernel's side", EVTSEL_OS, KERNEL_CALL, KERNEL_INTERRUPT);
    check_rings("both", EVTSEL_USR | EVTSEL_OS, USER_CALL + KERNEL_CALL, USER_INTERRUPT + KERNEL_INTERRUPT);
    if (has_word(line, "free"))
        measure("uncounted", 0, 0);
    if (has_word(line, "long"))
        measure("many, the program's side", EVTSEL_USR, USER_CALL);
    if (has_word(line, "kernel"))
        measure("many, the kernel's side", EVTSEL_OS, KERNEL_CALL);
    if (has_word(line, "free"))
        measure("once more uncounted", 0, 0); /* so that an observer sees the end of the previous part */
    end();
}
