/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupt controllers that the image does not use: 8259 pair and I/O APICs, masked. */
#include "kernel/core/memory.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/pci.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/instructions.h"

#define PIC_MASTER 0x20
#define PIC_SLAVE 0xa0
#define PIC_MASK 1 /* the second port, which also takes the other words of the initialisation */
#define PIC_ICW1_WITH_ICW4 0x11
#define PIC_ICW4_8086 0x01
#define PIC_CASCADE 2
#define PIC_LINES 16
#define PIC_VECTORS 0xd0 /* no handlers use these: an interrupt that comes nevertheless is logged as a stray */
#define IOAPIC_SELECT 0
#define IOAPIC_WINDOW 4 /* in 32-bit words: offset 10H */
#define IOAPIC_VERSION 1
#define IOAPIC_ENTRY(n) (0x10 + 2 * (n))

static u32 ioapic_read(volatile u32 *ioapic, u32 index)
{
    ioapic[IOAPIC_SELECT] = index;
    return ioapic[IOAPIC_WINDOW];
}

static void ioapic_write(volatile u32 *ioapic, u32 index, u32 value)
{
    ioapic[IOAPIC_SELECT] = index;
    ioapic[IOAPIC_WINDOW] = value;
}

static void mask_ioapic(volatile u32 *ioapic)
{
    if (!ioapic)
        return;
    u32 entries = (u32)FIELD_GET(ioapic_read(ioapic, IOAPIC_VERSION), 23, 16) + 1;
    for (u32 n = 0; n < entries && n < 240; n++) {
        u32 low = ioapic_read(ioapic, IOAPIC_ENTRY(n));
        if ((low & LVT_DELIVERY_MASK) != LVT_DELIVERY_SMI && !(low & LVT_MASKED))
            ioapic_write(ioapic, IOAPIC_ENTRY(n), low | (u32)LVT_MASKED);
    }
}

/* 82C59A data sheet, "Initialization Command Words": a spurious IRQ 7 can come although all lines are masked; with the
 * vectors that firmware set, it would look like an exception. */
static void move_and_mask(u16 pic, u8 vectors, u8 cascade)
{
    outb(pic, PIC_ICW1_WITH_ICW4);
    outb(pic + PIC_MASK, vectors);
    outb(pic + PIC_MASK, cascade);
    outb(pic + PIC_MASK, PIC_ICW4_8086);
    outb(pic + PIC_MASK, 0xff);
}

void legacy_interrupts_mask(void)
{
    move_and_mask(PIC_MASTER, PIC_VECTORS, 1 << PIC_CASCADE);
    move_and_mask(PIC_SLAVE, PIC_VECTORS + 8, PIC_CASCADE);
    for (u8 line = 0; line < PIC_LINES; line++)
        interrupt_source_add(SOURCE_8259, line, PIC_VECTORS + line);
    for (unsigned i = 0; i < acpi()->ioapics; i++)
        if (acpi()->ioapic[i].address)
            mask_ioapic(memory_map(acpi()->ioapic[i].address, 32, MEMORY_MMIO));
}
