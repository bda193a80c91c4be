/* SPDX-License-Identifier: BSD-2-Clause */
/* The stepper's interrupt table and task state, which the CPU has while it is armed. */
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "reference/step/trap/stepped.h"

/* Faults have a stack of their own: the stepper, on the other, may execute an instruction that raises one. */
#define FAULTS (BIT(0) | BIT(VECTOR_UD) | BIT(7) | MASK(14, 12) | MASK(17, 16) | BIT(19)) /* #DE to #XM */
#define GATE_ASLEEP 0x8eull
#define GATE_ANY_CPL 0xeeull /* sites at CPL 3 are INT3, too */
#define GATES 256u
#define TSS_AVAILABLE 0x89u

extern const u8 step_stubs[], step_stubs_end[], sleep_stubs[];
extern u64 gdt[];
static struct gate sleep_idt[GATES] __attribute__((aligned(16)));
static PER_CPU struct tss shadow_tss __attribute__((aligned(16)));

/* Number of the interrupt stack: one more than that of the stack. */
static unsigned ist_of(unsigned vector)
{
    if (vector == VECTOR_MC)
        return STACK_MACHINE_CHECK + 1;
    if (vector == VECTOR_NMI)
        return STACK_NMI + 1;
    return vector < EXCEPTIONS && BIT(vector) & FAULTS ? STACK_FAULT + 1 : STACK_OTHER + 1;
}

bool shadow_create(struct stepped *s)
{
    s->idt = pages_alloc(GATES * sizeof(struct gate) / PAGE_SIZE);
    if (!s->idt)
        return false;
    for (unsigned vector = 0; vector < GATES; vector++) {
        s->idt[vector] = interrupt_gate((u64)step_stubs + 16 * vector, ist_of(vector), GATE_ANY_CPL);
        sleep_idt[vector] = interrupt_gate((u64)sleep_stubs + 16 * vector, 0, GATE_ASLEEP);
    }
    struct tss *tss = &of_cpu(shadow_tss, s->cpu);
    tss->io_map = sizeof(*tss);
    for (unsigned stack = 0; stack < STEPPED_STACKS; stack++)
        tss->ist[stack] = (u64)s->stacks + stack * STEPPED_STACK + STEPPED_STACK_TOP;
    s->frame = tss->ist[STACK_OTHER] - sizeof(struct frame);
    return true;
}

/* The descriptor says that it is in use, which the load of a task register does not accept. */
static void load_task(u32 cpu, const u64 from[2])
{
    u64 *descriptor = &gdt[SELECTOR_TSS(cpu) / 8];
    descriptor[0] = (from[0] & ~MASK(47, 40)) | FIELD(47, 40, TSS_AVAILABLE);
    descriptor[1] = from[1];
    load_tr(SELECTOR_TSS(cpu));
}

void shadow_load(struct stepped *s)
{
    u64 base = (u64)&of_cpu(shadow_tss, s->cpu), *descriptor = &gdt[SELECTOR_TSS(s->cpu) / 8];
    s->program_tss[0] = descriptor[0];
    s->program_tss[1] = descriptor[1];
    s->program_tss_base =
        FIELD_GET(descriptor[0], 39, 16) | FIELD_GET(descriptor[0], 63, 56) << 24 | descriptor[1] << 32;
    u64 ours[2] = {FIELD(15, 0, sizeof(struct tss) - 1) | FIELD(39, 16, base) | FIELD(63, 56, base >> 24), base >> 32};
    load_task(s->cpu, ours);
    s->program_idt = idt_exchange((struct table_pointer){GATES * sizeof(struct gate) - 1, (u64)s->idt});
}

void shadow_unload(struct stepped *s)
{
    idt_exchange(s->program_idt);
    load_task(s->cpu, s->program_tss);
}

void shadow_sleeps(struct stepped *s, bool asleep)
{
    idt_load(asleep ? sleep_idt : s->idt, GATES * sizeof(struct gate));
}

bool shadow_code(u64 rip)
{
    return rip >= (u64)step_stubs && rip < (u64)step_stubs_end;
}

struct frame *shadow_frame(u64 rsp)
{
    return (struct frame *)((rsp & ~(STEPPED_STACK - 1)) + STEPPED_STACK_TOP - sizeof(struct frame));
}
