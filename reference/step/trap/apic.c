/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's local APIC, in the mode that it is in: by its page, or by MSRs (x2APIC). */
#include "kernel/interrupt/apic.h"
#include "boot/cpu.h"
#include "reference/step/access.h"
#include "reference/step/trap/stepped.h"

#define READS 1000 /* of the local APIC, at most */

void apic_find(struct stepped *s)
{
    u64 base = 0;
    s->apic.page = 0;
    if (!apic_present() || !native_rdmsr(MSR_APIC_BASE, &base))
        return;
    s->apic.page = base & APIC_BASE_ADDRESS;
    s->apic.x2 = base & APIC_BASE_EXTD;
    s->apic.lvtpc = apic_load(s, APIC_LVT_PC);
}

bool apic_there(const struct stepped *s)
{
    return s->apic.page;
}

u32 apic_load(const struct stepped *s, u32 offset)
{
    u64 value = 0;
    if (!apic_there(s))
        return 0;
    if (!s->apic.x2)
        return *(const volatile u32 *)(s->apic.page + offset);
    if (offset == APIC_ICR_HIGH)
        return s->apic.destination;
    native_rdmsr((u32)MSR_X2APIC_REGISTER(offset), &value);
    return offset == APIC_ID ? (u32)value << 24 : (u32)value; /* where the page has it */
}

/* Bounded, as an id that nobody has may keep it busy. SDM 3A, "Interrupt Command Register (ICR)". */
static void await_sent(const struct stepped *s)
{
    for (unsigned n = 0; n < READS && *(const volatile u32 *)(s->apic.page + APIC_ICR) & ICR_BUSY; n++)
        ;
}

/* The command register is one MSR, with the whole id above; what the page holds of it is its lowest byte. */
void apic_store(struct stepped *s, u32 offset, u32 value)
{
    struct frame f = {.rcx = MSR_X2APIC_REGISTER(offset), .rax = value};
    if (!apic_there(s))
        return;
    if (!s->apic.x2) {
        if (offset == APIC_ICR || offset == APIC_ICR_HIGH)
            await_sent(s);
        *(volatile u32 *)(s->apic.page + offset) = value;
    } else if (offset == APIC_ICR_HIGH) {
        s->apic.destination = value;
    } else {
        f.rdx = offset == APIC_ICR ? s->apic.destination >> 24 : 0;
        natively(&f, true);
    }
}

bool apic_tells(const struct stepped *s, u32 base, u8 vector)
{
    return apic_load(s, base + 0x10 * (vector / 32)) >> (vector % 32) & 1;
}
