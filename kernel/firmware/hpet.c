/* SPDX-License-Identifier: BSD-2-Clause */
/* The HPET: its registers, and its timers as sources of interrupts. */
#include "kernel/core/memory.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/pci.h"

#define SIZE 0x500 /* bytes, with the greatest number of timers */
#define TIMERS_MOST 32
#define LAST_TIMER(capabilities) FIELD_GET(capabilities, 12, 8)
#define PERIOD_MAX 100000000u /* femtoseconds */
/* Index in 32-bit words. */
#define TIMER(n) (0x40 + 8 * (n))
#define TIMER_INTERRUPT 0x4u /* Tn_INT_ENB_CNF */
#define TIMER_MESSAGE 0x4000u
#define TIMER_DATA(n) (TIMER(n) + 4)
#define TIMER_ADDRESS(n) (TIMER(n) + 5)

static struct {
    volatile u32 *hpet;
    u32 off;                /* timers that were switched off, one bit each */
    u32 found[TIMERS_MOST]; /* their configuration */
} state;

volatile u32 *hpet_registers(void)
{
    u64 address = acpi()->hpet_address;
    volatile u32 *hpet = address && !(address % 8) ? memory_map(address, SIZE, MEMORY_MMIO) : NULL;
    return hpet && hpet[HPET_PERIOD] && hpet[HPET_PERIOD] <= PERIOD_MAX ? hpet : NULL;
}

static u32 timers(void)
{
    state.hpet = hpet_registers();
    if (!state.hpet || !(state.hpet[HPET_CONFIGURATION] & HPET_ENABLE))
        return 0;
    return (u32)LAST_TIMER(state.hpet[HPET_CAPABILITIES]) + 1;
}

static void look(u32 n, bool off)
{
    u8 vector;
    u32 found = state.hpet[TIMER(n)];
    if ((found & TIMER_MESSAGE) &&
        interrupt_message(state.hpet[TIMER_ADDRESS(n)], state.hpet[TIMER_DATA(n)], &vector) == MESSAGE_VECTOR)
        interrupt_source_add(SOURCE_HPET, (u16)n, vector);
    if (!off)
        return;
    state.off |= 1u << n;
    state.found[n] = found;
    state.hpet[TIMER(n)] = found & ~TIMER_INTERRUPT;
}

unsigned hpet_interrupts(bool off)
{
    unsigned count = 0;
    for (u32 n = 0, all = timers(); n < all; n++)
        if (state.hpet[TIMER(n)] & TIMER_INTERRUPT) {
            count++;
            look(n, off);
        }
    return count;
}

void hpet_interrupts_restore(void)
{
    for (u32 n = 0; n < TIMERS_MOST; n++)
        if (state.off >> n & 1 && state.hpet[TIMER(n)] == (state.found[n] & ~TIMER_INTERRUPT))
            state.hpet[TIMER(n)] = state.found[n];
    state.off = 0;
}
