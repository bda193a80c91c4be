/* SPDX-License-Identifier: BSD-2-Clause */
/* Gates are built and read in three places (the host's table, the shadow one, the self-proof's): one layout. */
#include "reference/step/tables.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

struct gate interrupt_gate(u64 entry, unsigned ist, u64 type)
{
    return (struct gate){
        .low = FIELD(15, 0, entry) | FIELD(31, 16, SELECTOR_CODE) | FIELD(34, 32, ist) | FIELD(47, 40, type) |
               FIELD(63, 48, entry >> 16),
        .high = entry >> 32,
    };
}

bool vector_has_error(u8 vector)
{
    return vector == VECTOR_DF || (vector >= VECTOR_TS && vector <= VECTOR_PF) || vector == VECTOR_AC ||
           vector == VECTOR_CP || vector == VECTOR_VC || vector == VECTOR_SX;
}

u64 gate_entry(const struct gate *gate)
{
    return FIELD_GET(gate->low, 15, 0) | FIELD_GET(gate->low, 63, 48) << 16 | gate->high << 32;
}

struct table_pointer idt_copy(struct gate *idt)
{
    struct table_pointer pointer;
    __asm__ volatile("sidt %0" : "=m"(pointer));
    memcpy(idt, (const void *)pointer.base, 256 * sizeof(*idt));
    return pointer;
}

void idt_set_handler(struct gate *gate, const u8 *handler)
{
    *gate = interrupt_gate((u64)handler, 0, FIELD_GET(gate->low, 47, 40));
}

struct table_pointer idt_exchange(struct table_pointer pointer)
{
    struct table_pointer was;
    __asm__ volatile("sidt %0" : "=m"(was));
    load_idt(&pointer);
    return was;
}

void idt_load(const struct gate *idt, u64 size)
{
    struct table_pointer pointer = {(u16)(size - 1), (u64)idt};
    load_idt(&pointer);
}
