/* The interrupt controllers that the image does not use: 8259 pair and I/O APICs, masked. */
#include "kernel/core/memory.h"
#include "kernel/cpu/apic_init.h"
#include "kernel/cpu/instructions.h"
#include "kernel/firmware/acpi.h"

#define PIC_MASTER_MASK 0x21
#define PIC_SLAVE_MASK 0xa1
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

void legacy_interrupts_mask(void)
{
    outb(PIC_MASTER_MASK, 0xff);
    outb(PIC_SLAVE_MASK, 0xff);
    for (unsigned i = 0; i < acpi()->ioapics; i++)
        if (acpi()->ioapic[i].address)
            mask_ioapic(memory_map(acpi()->ioapic[i].address, 32, MEMORY_MMIO));
}
