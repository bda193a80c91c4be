/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that counts 16-bit code as in boot loaders, BIOS calls and the start of CPUs: in real-address mode and
 * in a 16-bit code segment. Each block (real.asm) retires the number that the assembler counted, and its interrupts
 * come by the table of real-address mode. With "odd" on its command line it runs in a segment whose number has bits of
 * a CPL, which is logged and not counted. It prints one line for each check, at last PASS or FAIL; then it leaves QEMU
 * through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define PLACE 0x8000u
#define VECTOR_WAITING 0x61u

enum { NOTHING, PLAIN, MIXED, INTERRUPTS, WALK };

extern const uint8_t narrow_code[], narrow_code_end[], real_taken[], real_waited[], real_entry[];
extern const uint32_t real_retires[];
void real_run(uint32_t which, uint32_t is_protected);
void real_walk(void);
void real_stay(void);

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    unexpected(vector, *at);
}

static volatile uint32_t *in_copy(const uint8_t *word)
{
    return (volatile uint32_t *)(PLACE + (uintptr_t)(word - narrow_code));
}

/* The code itself starts and stops the counter. */
static __attribute__((noinline)) uint64_t count(uint32_t which, bool is_protected)
{
    write_msr(MSR_PMC(0), 0);
    real_run(which, is_protected);
    return read_msr(MSR_PMC(0));
}

static void check_body(const char *what, uint32_t which, bool is_protected)
{
    check(what, count(which, is_protected) - count(NOTHING, is_protected), real_retires[which]);
}

static __attribute__((noinline)) uint64_t count_over(void (*code)(void))
{
    write_msr(MSR_PMC(0), 0);
    write_msr(MSR_PERF_GLOBAL_CTRL, 1);
    code();
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    return read_msr(MSR_PMC(0));
}

static void check_interrupts(void)
{
    apic_write(APIC_ICR, ICR_SELF | ICR_ASSERT | VECTOR_WAITING);
    check_body("interrupts in real-address mode", INTERRUPTS, false);
    apic_write(APIC_EOI, 0);
    check("  taken", *in_copy(real_taken), 1);
    check("  that waited", *in_copy(real_waited), 1);
}

/* The same address by another segment: offset and segment number. */
static void begin_at(uint32_t segment)
{
    *in_copy(real_entry) += (segment << 16) - 16 * segment;
}

static void check_odd(void)
{
    begin_at(1);
    check("some of it is not counted", count_over(real_walk) - count_over(real_stay) < real_retires[WALK], true);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    print("foreign kernel: 16-bit code\r\n");
    load_interrupt_table();
    out8(0x21, 0xff);
    out8(0xa1, 0xff);
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    for (const uint8_t *from = narrow_code; from < narrow_code_end; from++)
        ((volatile uint8_t *)PLACE)[from - narrow_code] = *from;
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    write_msr(MSR_PERFEVTSEL(0), EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN);
    if (has_word(command_line(magic, information), "odd")) {
        check_odd();
        end();
    }
    check_body("plain code in real-address mode", PLAIN, false);
    check_body("mixed code in real-address mode", MIXED, false);
    check_interrupts();
    check("there and back, counted all the way", count_over(real_walk) - count_over(real_stay), real_retires[WALK]);
    begin_at(PLACE / 16);
    check("by a segment that begins there", count_over(real_walk) - count_over(real_stay), real_retires[WALK]);
    check_body("plain code in a 16-bit segment", PLAIN, true);
    check_body("mixed code in a 16-bit segment", MIXED, true);
    end();
}
