/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * GDT, IDT and task state. All CPUs share one GDT: the task selector encodes the CPU's number, so cpu_index() can read
 * it by STR in any context, without a memory access that could fault.
 */
#include "kernel/core/memory.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"

#define STACK_PAGES 4
#define GATE_INTERRUPT 0x8eull /* present, interrupt gate: IF is cleared */
#define GATE_USER 0x60ull      /* DPL 3 */
#define STUB_SIZE 16           /* boot/stubs.inc */

struct gate {
    u64 low, high;
};
struct __attribute__((packed)) table_pointer {
    u16 limit;
    u64 base;
};

extern const u8 stubs[];

/* At CPL 1 and 2 a null selector will do for the stack: SDM 2A, "IRET/IRETD/IRETQ", IA-32e mode. */
u64 gdt[8 + 2 * MAX_CPUS] __attribute__((aligned(16))) = {
    [SELECTOR_CODE_CPL_1 / 8] = 0x00afbb000000ffff, [SELECTOR_CODE_CPL_2 / 8] = 0x00afdb000000ffff,
    [SELECTOR_CODE / 8] = 0x00af9b000000ffff,       [SELECTOR_DATA / 8] = 0x00cf93000000ffff,
    [SELECTOR_USER_DATA / 8] = 0x00cff3000000ffff,  [SELECTOR_USER_CODE / 8] = 0x00affb000000ffff,
};
struct table_pointer gdt_pointer = {sizeof(gdt) - 1, (u64)gdt};
static struct gate idt[256] __attribute__((aligned(16)));
/* No interrupt stacks: a CPU has none before it knows its number. */
static struct gate first_idt[EXCEPTIONS] __attribute__((aligned(16)));
struct table_pointer first_idt_pointer = {sizeof(first_idt) - 1, (u64)first_idt};
static struct cpu_state *areas[MAX_CPUS];

static unsigned ist_of(unsigned vector)
{
    switch (vector) {
    case VECTOR_DB:
        return IST_DEBUG;
    case VECTOR_NMI:
        return IST_NMI;
    case VECTOR_DF:
        return IST_DOUBLE_FAULT;
    case VECTOR_MC:
        return IST_MACHINE_CHECK;
    default:
        return 0;
    }
}

static struct gate gate_to(u64 entry, unsigned vector, unsigned ist)
{
    u64 type = GATE_INTERRUPT | (vector == VECTOR_RING3_RETURN ? GATE_USER : 0);
    return (struct gate){FIELD(15, 0, entry) | FIELD(31, 16, SELECTOR_CODE) | FIELD(34, 32, ist) | FIELD(47, 40, type) |
                             FIELD(63, 48, entry >> 16),
                         entry >> 32};
}

static struct gate gate_of(unsigned vector, unsigned ist)
{
    return gate_to((u64)stubs + STUB_SIZE * vector, vector, ist);
}

void interrupt_entry(u8 vector, const void *entry)
{
    idt[vector] = entry ? gate_to((u64)entry, vector, ist_of(vector)) : gate_of(vector, ist_of(vector));
}

static void tables_init(void)
{
    for (unsigned vector = 0; vector < ARRAY_SIZE(idt); vector++)
        idt[vector] = gate_of(vector, ist_of(vector));
    for (unsigned vector = 0; vector < ARRAY_SIZE(first_idt); vector++)
        first_idt[vector] = gate_of(vector, 0);
}

void tables_load_first(void)
{
    tables_init();
    load_idt(&first_idt_pointer);
}

static void tss_descriptor(u32 index, const struct tss *tss)
{
    u64 base = (u64)tss;
    u64 *descriptor = &gdt[SELECTOR_TSS(index) / 8];
    descriptor[0] =
        FIELD(15, 0, sizeof(*tss) - 1) | FIELD(39, 16, base) | FIELD(47, 40, 0x89) | FIELD(63, 56, base >> 24);
    descriptor[1] = base >> 32;
}

void tables_load(struct cpu_state *self)
{
    struct table_pointer idt_pointer = {sizeof(idt) - 1, (u64)idt};
    load_gdt(&gdt_pointer);
    load_idt(&idt_pointer);
    tss_descriptor(self->index, &self->tss);
    areas[self->index] = self;
    load_tr(SELECTOR_TSS(self->index));
    cpu_numbered();
}

static u64 stack_top(u64 pages)
{
    u8 *stack = stack_alloc(pages);
    return stack ? (u64)stack + pages * PAGE_SIZE : 0;
}

struct cpu_state *cpu_state_create(u32 index, u32 apic_id)
{
    struct cpu_state *self = pages_alloc((sizeof(*self) + PAGE_SIZE - 1) / PAGE_SIZE);
    if (!self)
        return NULL;
    self->index = index;
    self->apic_id = apic_id;
    if (!areas[index])
        areas[index] = self; /* other CPUs may read it, even if this CPU never starts */
    self->tss.io_map = sizeof(self->tss);
    self->tss.rsp[0] = stack_top(STACK_PAGES);
    bool complete = self->tss.rsp[0];
    for (unsigned i = 0; i < IST_COUNT; i++)
        complete &= !!(self->tss.ist[i] = stack_top(IST_PAGES));
    u8 *user = user_stack_alloc(1);
    self->user_stack = (u64)user + PAGE_SIZE;
    return complete && user ? self : NULL;
}

struct cpu_state *cpu_state_of(u32 index)
{
    return areas[index];
}

struct cpu_state *cpu_state(void)
{
    return areas[cpu_index()];
}
